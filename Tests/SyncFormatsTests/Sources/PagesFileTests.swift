// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore
@testable import SyncFormats

@Suite("the kept pages of a feed")
struct PagesFileTests {
  private static let feed = "<rss><channel><title>T</title></channel></rss>"

  private func page(_ path: String, _ feed: String = feed) throws -> KeptPage {
    KeptPage(
      url: try RemoteURL("https://a.example/\(path)"), etag: "\"\(path)\"", lastModified: nil,
      listing: FeedReader.read(Array(feed.utf8)))
  }

  @Test("come out as they went in, without those that may not be kept")
  func keeps() throws {
    let pages = [try page("2"), try page("3", "<rss><channel><item>"), try page("4")]
    let bytes = PagesFile.encode(pages)
    #expect(PagesFile.decode(bytes[...]) == [pages[0], pages[2]])
    #expect(PagesFile.decode([]) == [])
    #expect(bytes.indices.dropFirst().filter { PagesFile.decode(bytes[..<$0]) != nil }.count == 1)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x81
      _ = PagesFile.decode(damaged[...])
    }
  }

  @Test(
    "are named by links of the channel and of a JSON Feed",
    arguments: [
      ("<rss><channel><atom:link rel=\"next\" href=\"2\"/></channel></rss>", "/2"),
      ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><link rel=\"next\" href=\"?p=2\"/></feed>", "/f?p=2"),
      ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><link rel=\"prev-archive\" href=\"/a\"/></feed>", "/a"),
      (
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><link rel=\"prev-archive\" href=\"/a\"/>"
          + "<link rel=\"http://www.iana.org/assignments/relation/next\" href=\"/n\"/></feed>", "/n"
      ),
      ("{\"version\": \"https://jsonfeed.org/version/1.1\", \"next_url\": \"2\", \"items\": []}", "/2"),
      (
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link rel=\"enclosure\" href=\"a\"/>"
          + "<link rel=\"next\" href=\"2\"/></entry></feed>", nil
      ),
      ("<rss><channel><link rel=\"next\" href=\"2\"/></channel></rss>", nil),
      ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><link rel=\"next-archive\" href=\"2\"/></feed>", nil),
    ])
  func links(_ feed: String, _ path: String?) throws {
    let listing = FeedReader.read(Array(feed.utf8), base: try RemoteURL("https://a.example/f"))
    let expected = try path.map { NextPage.at(try RemoteURL("https://a.example\($0)")) }
    #expect(listing.next == expected)
    #expect(listing.flaws.notes.isEmpty)
  }

  @Test(
    "are not at an address that is no http URL or has a login",
    arguments: ["file:///etc/shadow", "ftp://a.example/2", "https://anna:secret@a.example/2", "http://"])
  func unusable(_ address: String) throws {
    let feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><link rel=\"next\" href=\"\(address)\"/></feed>"
    let listing = FeedReader.read(Array(feed.utf8), base: try RemoteURL("https://a.example/f"))
    #expect(listing.next == .unusable && listing.flaws.notes == [.badPage])
    #expect(try ListingFile.decode(#require(ListingFile.encode(listing))[...]) == listing)
  }
}
