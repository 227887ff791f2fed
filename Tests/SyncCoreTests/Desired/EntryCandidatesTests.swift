// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the candidates of an entry with several files")
struct EntryCandidatesTests {
  private static let digest = String(repeating: "ab", count: 32)

  /// - Parameter files: For each file `main` or `other`, its quality or `-`, its digest or `-`, and its path.
  private func item(_ wanted: Quality, _ files: String..., guid: String? = "g") throws -> Item {
    var entry = ListingEntry(url: try RemoteURL("https://a.example/main"))
    (entry.guid, entry.length) = (guid, ByteCount(100))
    entry.files = try files.map { line in
      let words = line.split(separator: " ").map(String.init)
      return EntryFile(
        url: try RemoteURL("https://a.example/\(words[3])"), isMain: words[0] == "main",
        quality: Quality(rawValue: words[1]), checksum: words[2] == "-" ? nil : Checksum(.sha256, hex: Self.digest))
    }
    var item = Item(id: try #require(ItemID("p/1")), title: "T", main: Candidate(url: entry.url))
    item.size = .about(ByteCount(100))
    EntryCandidates(entry, wanted: wanted).set(&item, duration: nil)
    return item
  }

  private func paths(_ item: Item) -> String {
    ([item.main] + item.alternatives).map { String($0.url.path.dropFirst()) }.joined(separator: " ")
  }

  @Test("are its places, then other encodings, and a digest excludes the others")
  func places() throws {
    let item = try item(.source, "main - - main", "main - - mirror", "other - - opus")
    #expect(paths(item) == "main mirror opus" && item.urls == nil && item.checksum == nil)
    let proven = try self.item(.source, "main - x mirror", "other - - opus")
    #expect(paths(proven) == "main mirror" && proven.checksum?.hex == Self.digest)
  }

  @Test(
    "are those of the wanted quality, or of the next lower one",
    arguments: [
      (Quality.low, "low low2 main", Quality.low), (.normal, "main", .normal), (.high, "high main", .high),
      (.source, "main", .normal),
    ])
  func qualities(_ wanted: Quality, _ expected: String, _ offered: Quality) throws {
    let item = try item(wanted, "main normal - main", "other low - low", "other low - low2", "other high - high")
    #expect(paths(item) == expected)
    #expect(item.urls?.offered == offered && item.urls?.hasWanted == true)
    #expect((item.size == nil) == (item.main.url.path != "/main"))
  }

  @Test("keep the digest of another quality apart, and the main URL of an entry without a guid")
  func apart() throws {
    let low = try item(.low, "main normal x main", "other low - low")
    #expect(paths(low) == "low main" && low.checksum == nil)
    let proven = try item(.low, "other low x low", "main high - mirror")
    #expect(paths(proven) == "low" && proven.checksum != nil)
    #expect(paths(try item(.low, "other low - low", guid: nil)) == "main")
  }

  @Test("are kept as lines, without logins")
  func lines() throws {
    let files = [
      EntryFile(url: try RemoteURL("https://a.example/1?x=1"), isMain: true),
      EntryFile(
        url: try RemoteURL("https://a.example/2"), isMain: false, quality: .low,
        checksum: Checksum(.sha256, hex: Self.digest)),
    ]
    let login = EntryFile(url: try RemoteURL("https://anna:x@a.example/3"), isMain: true)
    #expect(EntryFile.files(in: EntryFile.text(of: files + [login])) == files)
    #expect(EntryFile.files(in: "main - -\nnonsense\nmain - - no url").isEmpty)
  }
}
