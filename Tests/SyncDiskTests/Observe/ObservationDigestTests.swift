// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import Testing

@Suite("the digest of what was seen")
struct ObservationDigestTests {
  private func seen() throws -> LibraryObservation {
    var seen = LibraryObservation(freeSpace: ByteCount(1 << 30))
    for (name, finding) in [
      ("a", LibraryObservation.Finding.file(size: ByteCount(7))), ("b", .missing), ("c", .foreign),
    ] {
      seen.finished[try id(name)] = finding
    }
    seen.partials["p"] = .init(size: ByteCount(3), modifiedAt: Timestamp(secondsSince1970: 5))
    seen.adoptable[try id("d")] = try adoptable("mix/d.mp3", 9, "0")
    (seen.trashBytes, seen.expiredTrashBytes) = (ByteCount(20), ByteCount(10))
    return seen
  }

  private func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  private func adoptable(_ path: String, _ size: Int64, _ digit: String) throws -> Adoptable {
    let digest = try #require(SHA256Digest(hex: String(repeating: digit, count: 64)))
    return Adoptable(
      file: StoredFile(
        path: try #require(LibraryPath(path)), size: ByteCount(size), sha256: digest,
        completedAt: Timestamp(secondsSince1970: 0)), proof: .declaredSize)
  }

  @Test("is the same for the same, whatever is free and whenever it was looked at")
  func same() throws {
    let before = try seen().digest
    var later = try seen()
    later.freeSpace = .zero
    later.trustsPartialLengths.toggle()
    later.partials["p"]?.modifiedAt = Timestamp(secondsSince1970: 9)
    #expect(later.digest == before)
  }

  @Test("is another one for each thing that changed")
  func changes() throws {
    var digests: Set<SHA256Digest> = [try seen().digest]
    let changes: [(inout LibraryObservation) throws -> Void] = [
      { $0.finished[try id("a")] = .file(size: ByteCount(8)) }, { $0.finished[try id("a")] = .missing },
      { $0.finished[try id("b")] = nil }, { $0.finished[try id("b")] = .foreign },
      { $0.finished[try id("e")] = .missing }, { $0.published.insert(try id("a")) },
      { $0.partials["p"]?.size = ByteCount(4) }, { $0.partials["p"] = nil },
      { $0.partials["q"] = .init(size: .zero, modifiedAt: Timestamp(secondsSince1970: 5)) },
      { $0.trashBytes = ByteCount(21) }, { $0.expiredTrashBytes = ByteCount(11) },
      { $0.adoptable[try id("d")] = nil }, { $0.adoptable[try id("d")] = try adoptable("mix/e.mp3", 9, "0") },
      { $0.adoptable[try id("d")] = try adoptable("mix/d.mp3", 8, "0") },
      { $0.adoptable[try id("d")] = try adoptable("mix/d.mp3", 9, "1") },
    ]
    for change in changes {
      var other = try seen()
      try change(&other)
      #expect(digests.insert(other.digest).inserted)
    }
  }
}
