// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore
@testable import SyncFormats

@Suite("podcast:alternateEnclosure")
struct AlternateEnclosureTests {
  private func entry(
    _ alternates: String, enclosure: String = #"<enclosure url="1.mp3" type="audio/mpeg"/>"#
  ) throws -> ListingEntry {
    let text = """
      <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><item><guid>g</guid>
      \(enclosure)\(alternates)<title>T</title></item></channel></rss>
      """
    let listing = FeedReader.read(Array(text.utf8), base: try RemoteURL("https://a.example/"))
    #expect(listing.flaws.notes.isEmpty && listing.entries.first?.title == "T")
    #expect(try ListingFile.decode(#require(ListingFile.encode(listing))[...]) == listing)
    return try #require(listing.entries.first)
  }

  private func text(_ entry: ListingEntry) -> [String] {
    entry.files.map { file in
      "\(file.isMain ? "main" : "other") \(file.quality?.rawValue ?? "-") \(file.url.path.dropFirst())"
    }
  }

  @Test(
    "names places of the enclosure and of other encodings",
    arguments: [
      (#"type="audio/mpeg" default="true" bitrate="128000""#, "main normal x"),
      (#"type="audio/opus" bitrate="64000.5""#, "other low x"), (#"type="audio/opus" bitrate="1e400""#, "other - x"),
      (#"type="audio/flac; codecs=flac" bitrate="900000" rel="default""#, "other high x"),
      (#"type="AUDIO/aac" bitrate="-1""#, "other - x"), (#"type="video/mp4" bitrate="1""#, nil),
      (#"type="audio/mpeg" rel="commentary""#, nil), (#"type="audio/mpeg" lang="de""#, nil), ("", nil),
    ] as [(String, String?)])
  func attributes(_ attributes: String, _ expected: String?) throws {
    let found = try entry(
      "<podcast:alternateEnclosure \(attributes)><podcast:source uri=\"x\"/></podcast:alternateEnclosure>")
    #expect(text(found) == (expected.map { [$0] } ?? []))
  }

  @Test("counts places that http reaches, whatever else it names, and knows the enclosure by its address")
  func places() throws {
    let found = try entry(
      """
      <podcast:alternateEnclosure type="audio/mpeg"><podcast:source uri="ipfs://Qm"/><podcast:source uri="/1.mp3"/>
      <podcast:source uri="t.torrent" contentType="application/x-bittorrent"/><title>no</title><podcast:source/>
      <podcast:source uri="b c.mp3" contentType="audio/mpeg"/><enclosure url="no.mp3"/></podcast:alternateEnclosure>
      """)
    #expect(text(found) == ["main - 1.mp3", "main - b%20c.mp3"] && found.url.path == "/1.mp3")
    let many = String(repeating: "<podcast:source uri=\"x\"/>", count: 100)
    let all = String(
      repeating: "<podcast:alternateEnclosure type=\"audio/a\">\(many)</podcast:alternateEnclosure>", count: 100)
    #expect(try entry(all).files.count == 256)
    let empty = String(repeating: "<podcast:alternateEnclosure type=\"audio/a\"/>", count: 16)
    #expect(try entry(empty + all).files.isEmpty, "The places of a further one are not those of the last that counts.")
  }

  @Test(
    "stand in for a missing enclosure: the default, then the feed's own language, then audio, then the first",
    arguments: [
      (["type=\"video/mp4\"", "type=\"audio/mpeg\" length=\"7\""], 1),
      (["type=\"audio/mpeg\" lang=\"de\"", "type=\"video/mp4\""], 1),
      (["type=\"audio/mpeg\"", "type=\"video/mp4\" default=\"true\""], 1),
      (["type=\"audio/mpeg\" rel=\"commentary\"", "type=\"audio/mpeg\" lang=\"de\"", ""], 2),
      (["type=\"audio/a\"", "type=\"audio/b\""], 0), (["lang=\"de\""], 0),
    ])
  func withoutEnclosure(_ alternates: [String], _ main: Int) throws {
    let elements = alternates.enumerated().map { number, attributes in
      "<podcast:alternateEnclosure \(attributes)><podcast:source uri=\"magnet:x\"/>"
        + "<podcast:source uri=\"\(number).mp3\"/><podcast:source uri=\"\(number)-b.mp3\"/></podcast:alternateEnclosure>"
    }
    let found = try entry(elements.joined(), enclosure: "")
    #expect(found.url.path == "/\(main).mp3")
    #expect(found.length == (alternates[main].contains("length") ? ByteCount(7) : nil))
    #expect(text(found).filter { $0.hasPrefix("main") } == ["main - \(main).mp3", "main - \(main)-b.mp3"])
  }

  @Test(
    "leave an entry without anything to fetch if they are other recordings, or have no place",
    arguments: [#"rel="commentary"><podcast:source uri="x.mp3"/>"#, #"><podcast:source uri="ipfs:x"/>"#, ">"])
  func unusable(_ rest: String) throws {
    let feed =
      "<rss xmlns:podcast=\"https://podcastindex.org/namespace/1.0\"><channel><item><title>T</title>"
      + "<podcast:alternateEnclosure \(rest)</podcast:alternateEnclosure></item></channel></rss>"
    let listing = FeedReader.read(Array(feed.utf8), base: try RemoteURL("https://a.example/"))
    #expect(listing.entries.isEmpty && listing.flaws.notes == [.withoutEnclosure(title: "T")])
  }

  /// The digest of `abc`.
  private static let abc: String? = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test(
    "takes the strongest digest of Subresource Integrity that can be checked",
    arguments: [
      ("sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", Self.abc),
      ("sha384-x sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=?a", Self.abc),
      ("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", nil), ("sha256-short", nil), ("sha256-\u{E4}", nil), ("", nil),
    ])
  func integrity(_ value: String, _ expected: String?) throws {
    let found = try entry(
      """
      <podcast:alternateEnclosure type="audio/mpeg" default="true"><podcast:source uri="x"/>
      <podcast:integrity type="sri" value="\(value)"/></podcast:alternateEnclosure>
      """)
    #expect(found.files.first?.checksum?.text == expected)
  }
}
