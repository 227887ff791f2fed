// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the list of episodes")
struct ListingEntriesTests {
  private func episode(_ url: String) throws -> ListingEntry { ListingEntry(url: try RemoteURL(url)) }

  private func full() throws -> ListingEntry {
    var episode = try episode("http://anna:secret@[2001:DB8::1]:8080/a/b.mp3?t=1")
    (episode.guid, episode.title, episode.author) = ("g-1", "Ein Tag über Grün", "Anna")
    (episode.length, episode.published, episode.duration) = (ByteCount(12), try time("2026-01-02"), .seconds(3))
    (episode.traits.kind, episode.traits.season, episode.traits.isExplicit) = (.bonus, 7, false)
    (episode.traits.mediaType, episode.album) = ("audio/mpeg", "An Album")
    return episode
  }

  @Test("an episode comes out as it went in")
  func keeps() throws {
    var other = try full()
    (other.guid, other.title, other.author, other.traits.mediaType) = ("", "", "Bob", "video/mp4")
    other.album = "Another Album"
    (other.image, other.number) = (try RemoteURL("https://a.example/i.png"), 0)
    var detailed = other
    detailed.chapters = try RemoteURL("https://a.example/c")
    detailed.transcript = try RemoteURL("https://a.example/t")
    let second = ChapterMark(start: .milliseconds(61_500), title: "\u{301}wo a")
    detailed.marks = [ChapterMark(start: .zero, title: ""), second]
    let plain = try episode("https://A.example?b")
    let episodes = try [episode("https://a.example"), full(), full(), other, full(), plain, detailed, plain, other]
    let list = ListingEntries(episodes)
    #expect(Array(list) == episodes)
    #expect(list.indices.map(list.guid) == episodes.map(\.guid))
    #expect(list.indices.map { list.url(at: $0).requestText } == episodes.map(\.url.requestText))
    #expect(list.indices.map(list.published) == episodes.map(\.published))
  }

  @Test("a picture or chapters at an address with a login are left out, for the login has no place")
  func logins() throws {
    var entry = try episode("https://a.example/1")
    (entry.image, entry.number) = (try RemoteURL("https://anna:secret@a.example/i.png"), 1)
    entry.chapters = try RemoteURL("https://anna:secret@a.example/c")
    let kept = ListingEntries([entry])[0]
    #expect(kept.image == nil && kept.chapters == nil && kept.number == 1)
  }

  @Test("episodes without an author or a language take those of their channel")
  func completes() throws {
    var list = try ListingEntries([episode("https://a.example/1"), full()])
    list.complete(author: "Channel", isExplicit: true)
    #expect(list.map(\.author) == ["Channel", "Anna"])
    #expect(list.map(\.traits.isExplicit) == [true, false])
    list.complete(author: "Another", isExplicit: nil)
    #expect(list.map(\.author) == ["Channel", "Anna"])
  }

  @Test("lists are equal when their episodes are, whatever their buffers hold")
  func equality() throws {
    var left = try ListingEntries([episode("https://a.example/1")])
    left.complete(author: "A", isExplicit: nil)
    var same = try episode("https://a.example/1")
    same.author = "A"
    #expect(left == ListingEntries([same]))
    same.title = "T"
    #expect(left != ListingEntries([same]))
    #expect(ListingEntries() == [])
  }
}
