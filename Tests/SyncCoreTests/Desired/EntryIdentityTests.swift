// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the identity of episodes")
struct EntryIdentityTests {
  private func episode(
    guid: String? = nil, _ url: String, title: String? = nil, published: String? = nil, duration: Duration? = nil
  ) throws -> ListingEntry {
    var episode = ListingEntry(url: try RemoteURL(url))
    (episode.guid, episode.title, episode.duration) = (guid, title, duration)
    episode.published = try published.map(time)
    return episode
  }

  /// Readings of one feed, each with what the earlier ones left in the queue.
  private func read(_ documents: [[ListingEntry]]) throws -> [[EntryIdentity.Match?]] {
    var known: [QueueItem] = []
    return try documents.map { episodes in
      let identity = EntryIdentity(playlist: try playlistName("news"), known: known, entries: ListingEntries(episodes))
      let places = Set(identity.places)
      let matches = episodes.indices.map { places.contains($0) ? identity[$0] : nil }
      for (episode, match) in zip(episodes, matches) {
        guard let match else { continue }
        let item = Item(episode, id: match.id, listingTitle: nil).remembered
        known.removeAll { $0.id == match.id }
        known.append(QueueItem(item: item, memberships: [], queuedAt: Timestamp(secondsSince1970: 0)))
      }
      return matches
    }
  }

  private func ids(_ documents: [[ListingEntry]]) throws -> [[String?]] {
    try read(documents).map { $0.map { $0?.id.text } }
  }

  private func rules(_ documents: [[ListingEntry]]) throws -> [[IdentityRule?]] {
    try read(documents).map { $0.map { $0?.rule } }
  }

  @Test("a short plain guid is seen in the id, any other as a hash")
  func names() throws {
    let names = try ids([
      [
        episode(guid: "ep-12", "https://a.example/1"), episode(guid: "https://a.example/2", "https://a.example/2"),
        episode(guid: "é", "https://a.example/3"), episode("https://a.example/4"),
      ]
    ])[0]
    #expect(names[0] == "news:ep-12")
    #expect(names.dropFirst().allSatisfy { $0?.utf8.count == "news:".count + 16 })
    #expect(Set(names).count == 4)
  }

  @Test("the guid holds when everything else changes")
  func guid() throws {
    let documents = try [
      [episode(guid: "1", "https://a.example/1", title: "One")],
      [episode(guid: "1", "https://b.example/x", title: "Eins")],
    ]
    #expect(try ids(documents) == [["news:1"], ["news:1"]])
    #expect(try rules(documents) == [[.guid], [.guid]])
  }

  @Test("a changed guid with the same URL is no new episode")
  func changedGUID() throws {
    let documents = try [
      [episode(guid: "1", "http://a.example/1.mp3")], [episode(guid: "new-1", "https://a.example/1.mp3")],
      [episode(guid: "newer-1", "https://a.example/1.mp3?utm_source=rss")],
    ]
    #expect(try ids(documents) == [["news:1"], ["news:1"], ["news:1"]])
    #expect(try rules(documents) == [[.guid], [.url], [.url]])
  }

  @Test("a missing guid and a token that is new at each reading make no new episode")
  func tokens() throws {
    let documents = try (1...3).map { reading in
      try (1...3).map { try episode("https://a.example/\($0).mp3?token=\(reading)&expires=\(reading)&v=1") }
    }
    let names = try ids(documents)
    #expect(Set(names.joined()).count == 3)
    #expect(names.allSatisfy { $0 == names[0] })
    #expect(try rules(documents) == [[.url, .url, .url], [.url, .url, .url], [.url, .url, .url]])
  }

  @Test("title, day and duration recognise what has neither")
  func triple() throws {
    func one(_ url: String, at hour: String) throws -> ListingEntry {
      try episode(url, title: "One", published: "2026-01-05T\(hour):00:00Z", duration: .seconds(60))
    }
    let documents = try [[one("https://a.example/a?x=1", at: "08")], [one("https://b.example/b?x=2", at: "17")]]
    let names = try ids(documents)
    #expect(names[0] == names[1])
    #expect(try rules(documents) == [[.url], [.titleDateDuration]])
  }

  private func song(
    _ id: String, _ title: String, album: String? = "Roads", duration: Duration? = .seconds(60)
  ) throws -> ListingEntry {
    var song = try episode(guid: id, "https://a.example/\(id)", title: title, duration: duration)
    (song.author, song.album) = ("Anna", album)
    return song
  }

  @Test("title, artist, album and duration recognise songs that have new ids")
  func songs() throws {
    let documents = try [[song("1", "One"), song("2", "Two")], [song("9", "Two"), song("8", "One")]]
    #expect(try ids(documents) == [["news:1", "news:2"], ["news:2", "news:1"]])
    #expect(try rules(documents)[1] == [.titleAlbumDuration, .titleAlbumDuration])
  }

  @Test("a song of another album or length, without one of these, or that occurs twice recognises nothing")
  func noSong() throws {
    let others = try [
      song("2", "One", album: "Rooms"), song("3", "One", duration: .seconds(61)), song("4", "One", album: nil),
      song("5", "One", duration: nil),
    ]
    #expect(Set(try ids([[song("1", "One")], others]).joined()).count == 5)
    #expect(Set(try ids([[song("1", "One")], [song("2", "One"), song("3", "One")]]).joined()).count == 3)
    #expect(Set(try ids([[song("1", "One"), song("2", "One")], [song("3", "One")]]).joined()).count == 3)
  }

  @Test("another day, another duration or no duration recognises nothing")
  func noTriple() throws {
    let first = try episode("https://a.example/a", title: "One", published: "2026-01-05", duration: .seconds(60))
    let others = try [
      episode("https://a.example/b", title: "One", published: "2026-01-06", duration: .seconds(60)),
      episode("https://a.example/c", title: "One", published: "2026-01-05", duration: .seconds(61)),
      episode("https://a.example/d", title: "One", published: "2026-01-05"),
      episode("https://a.example/e", title: "Two", published: "2026-01-05", duration: .seconds(60)),
    ]
    #expect(Set(try ids([[first], others]).joined()).count == 5)
  }

  @Test("a guid that stands at several episodes tells nothing")
  func repeatedGUID() throws {
    let document = try [
      episode(guid: "same", "https://a.example/1"), episode(guid: "same", "https://a.example/2"),
    ]
    let names = try ids([document, document.reversed(), [document[1]]])
    #expect(Set(names[0]).count == 2)
    #expect(names[1] == names[0].reversed())
    #expect(names[2] == [names[0][1]])
  }

  @Test("an episode that the document has twice counts once")
  func twice() throws {
    let one = try episode(guid: "1", "https://a.example/1")
    #expect(try ids([[one, one]])[0].count { $0 != nil } == 1)
    let other = try episode(guid: "2", "https://a.example/1")
    #expect(try ids([[one, other], [other, one]]) == [["news:1", nil], [nil, "news:1"]])
  }

  @Test("a new episode takes nothing from an old one with the same title, day and duration")
  func sameTitle() throws {
    func bulletin(_ number: Int) throws -> ListingEntry {
      try episode(
        guid: "\(number)", "https://a.example/\(number)", title: "News", published: "2026-01-05",
        duration: .seconds(300))
    }
    let documents = try [[bulletin(1)], [bulletin(2), bulletin(1)], [bulletin(3), bulletin(2), bulletin(1)]]
    #expect(try ids(documents) == [["news:1"], ["news:2", "news:1"], ["news:3", "news:2", "news:1"]])
  }

  @Test("episodes that only a passing parameter tells apart are told apart")
  func passingParameters() throws {
    let one = try episode(guid: "1", "https://a.example/play.mp3?hash=aa")
    let two = try episode(guid: "2", "https://a.example/play.mp3?hash=bb")
    #expect(try ids([[one], [two, one]]) == [["news:1"], ["news:2", "news:1"]])
    let nameless = try [episode("https://a.example/play.mp3?hash=aa"), episode("https://a.example/play.mp3?hash=bb")]
    let names = try ids([nameless, nameless])
    #expect(Set(names[0]).count == 2)
    #expect(names[0] == names[1])
  }

  @Test(
    "what passes is no part of a URL's identity",
    arguments: [
      ("http://a.example/x", "https://A.example:443/x", true),
      ("https://a.example/x?token=1", "https://a.example/x", true),
      ("https://a.example/x?UTM_source=1&b=2", "https://a.example/x?b=2", true),
      ("https://a.example/x?X-Amz-Date=1&X-Amz-Signature=2", "https://a.example/x", true),
      ("https://a.example/x?b=1", "https://a.example/x?b=2", false),
      ("https://a.example/x", "https://a.example/X", false),
      ("https://a.example/x", "https://b.example/x", false), ("https://a.example:8443/x", "https://a.example/x", false),
    ])
  func identity(one: String, other: String, isSame: Bool) throws {
    #expect((try RemoteURL(one).identity == RemoteURL(other).identity) == isSame)
  }

  @Test("what is read twice gives the same items, whatever it is")
  func stable() throws {
    var random = SeededGenerator(11)
    for _ in 0..<500 {
      let document = try (0..<Int.random(in: 0...8, using: &random)).map { _ in
        try episode(
          guid: Bool.random(using: &random) ? "\(Int.random(in: 0...3, using: &random))" : nil,
          "https://a.example/\(Int.random(in: 0...3, using: &random))?token=\(Int.random(in: 0...1, using: &random))",
          title: "\(Int.random(in: 0...1, using: &random))", published: "2026-01-05", duration: .seconds(60))
      }
      let names = try ids([document, document, document])
      let found = names[0].compactMap { $0 }
      #expect(Set(found).count == found.count)
      #expect(Set(names.joined().compactMap { $0 }) == Set(found), "no new item appears")
    }
  }
}
