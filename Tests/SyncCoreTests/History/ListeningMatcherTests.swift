// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("finding the item that was heard")
struct ListeningMatcherTests {
  private static let day = Timestamp(secondsSince1970: 1_790_000_000)

  private func queued(
    _ name: String, title: String, artist: String? = nil, album: String? = nil, file: String? = nil,
    removed: String? = nil
  ) throws -> QueueItem {
    var item = try item(name)
    (item.title, item.artist, item.album) = (title, artist, album)
    var queued = QueueItem(item: item, memberships: [], queuedAt: Self.day)
    if let file { queued.complete(try storedFile(file, completedAt: Self.day)) }
    if let removed {
      let file = try storedFile(removed, completedAt: Self.day)
      queued.remove(Removal(cause: .evicted, at: Self.day, file: file))
    }
    return queued
  }

  private func matcher() throws -> ListeningMatcher {
    let items = [
      try queued(
        "drive", title: "Night  Drive", artist: "The Exampl\u{E9}", album: "Roads", file: "Mix/Night Drive.mp3"),
      try queued("live", title: "Night Drive", artist: "the exampl\u{E9} ", album: "Live", file: "Mix/Cafe\u{301}.mp3"),
      try queued("gone", title: "Gone", artist: "A", removed: "Mix/Gone.mp3"),
      try queued("old", title: "Old", artist: "A", removed: "Mix/Twice.mp3"),
      try queued("new", title: "New", artist: "A", file: "Mix/Twice.mp3"),
      try queued("one", title: "Same", artist: "B", removed: "Mix/Same.mp3"),
      try queued("two", title: "Same", artist: "B", removed: "Mix/Same.mp3"),
      try queued("talk", title: "Stra\u{DF}e"),
    ]
    let queue = Queue(libraryID: "1", savedAt: Self.day, items: items)
    return ListeningMatcher(queue, roots: ["/media/lib", "/mnt/real/lib"])
  }

  private func match(
    path: String? = nil, id: String? = nil, url: String? = nil, artist: String? = nil, album: String? = nil,
    title: String? = nil, through mapping: PathMapping = .init()
  ) throws -> String {
    let tags = title.flatMap { TrackTags(artist: artist, album: album, title: $0) }
    var matcher = try matcher()
    switch matcher.match(TrackReference(path: path, id: id, url: url, tags: tags), through: mapping) {
    case .item(let id): return id.text
    case .unknown: return "-"
    case .ambiguous: return "?"
    }
  }

  @Test("by its path, in the library or from the root of the file system, whatever form of Unicode")
  func paths() throws {
    #expect(try match(path: "Mix/Night Drive.mp3") == "drive")
    #expect(try match(path: "./Mix/Night Drive.mp3") == "drive")
    #expect(try match(path: "/media/lib/Mix/Night Drive.mp3") == "drive")
    #expect(try match(path: "/mnt/real/lib/Mix/Night Drive.mp3") == "drive")
    #expect(try match(path: "/media/library/Mix/Night Drive.mp3") == "-")
    #expect(try match(path: "Mix/Caf\u{E9}.mp3") == "live")
    #expect(try match(path: "mix/night drive.mp3") == "-")
  }

  @Test("a file that was removed is known by where it was, unless another is there now")
  func removed() throws {
    #expect(try match(path: "Mix/Gone.mp3") == "gone")
    #expect(try match(path: "Mix/Twice.mp3") == "new")
    #expect(try match(path: "Mix/Same.mp3") == "?")
    #expect(try match(path: "Mix/Same.mp3", id: "two") == "two")
  }

  @Test("by its URL, whatever signs or counts it, unless several items have it")
  func urls() throws {
    var (one, other, third) = (try item("one"), try item("other"), try item("third"))
    one.main.url = try RemoteURL("https://h.example/a.mp3?utm_source=x")
    other.main.url = try RemoteURL("http://h.example/same.mp3")
    third.main.url = try RemoteURL("http://h.example/same.mp3")
    third.alternatives = [Candidate(url: try RemoteURL("http://b.example/third.mp3"))]
    let items = [one, other, third].map { QueueItem(item: $0, memberships: [], queuedAt: Self.day) }
    var matcher = ListeningMatcher(Queue(libraryID: "1", savedAt: Self.day, items: items), roots: [])
    for (url, match) in [
      ("http://h.example/a.mp3", ListeningMatcher.Match.item(one.id)), ("http://h.example/same.mp3", .ambiguous),
      ("http://b.example/third.mp3", .item(third.id)), ("http://h.example/b.mp3", .unknown), ("not a url", .unknown),
    ] {
      #expect(matcher.match(TrackReference(url: url)) == match, "\(url)")
    }
  }

  @Test("a player's own directory is told by music_directory or by prefix")
  func mapping() throws {
    let music = PathMapping(musicDirectory: "/media")
    #expect(try match(path: "lib/Mix/Night Drive.mp3", through: music) == "drive")
    #expect(try match(path: "Mix/Night Drive.mp3", through: music) == "-")
    #expect(try match(path: "/media/lib/Mix/Gone.mp3", through: music) == "gone")
    let prefix = PathMapping(prefix: "car/usb/")
    #expect(try match(path: "car/usb/Mix/Night Drive.mp3", through: prefix) == "drive")
    #expect(try match(path: "car/usb2/Mix/Night Drive.mp3", through: prefix) == "-")
    #expect(try match(path: "/run/media/stick/Mix/Gone.mp3", through: .init(prefix: "/run/media/stick")) == "gone")
  }

  @Test("ten thousand items of one title are no slower to tell apart than two")
  func sameTitle() throws {
    let items = try (0..<10_000).map { number in
      try queued("n\(number)", title: "News", artist: "Station", album: "Day \(number)")
    }
    var matcher = ListeningMatcher(Queue(libraryID: "1", savedAt: Self.day, items: items), roots: [])
    for number in 0..<10_000 {
      let tags = TrackTags(artist: "station", album: "day \(number)", title: "news")
      #expect(matcher.match(TrackReference(tags: tags)) == .item(try id("n\(number)")))
    }
    #expect(matcher.match(TrackReference(tags: TrackTags(artist: "station", title: "news"))) == .ambiguous)
  }

  @Test("the path comes before the id, the id before the tags")
  func order() throws {
    #expect(try match(path: "Mix/Gone.mp3", id: "old", artist: "A", title: "New") == "gone")
    #expect(try match(path: "elsewhere.mp3", id: "old", artist: "A", title: "New") == "old")
    #expect(try match(path: "elsewhere.mp3", id: "no", artist: "A", title: "New") == "new")
  }

  @Test("tags are compared without case, blanks and forms; the album decides between two; two are none")
  func tags() throws {
    #expect(try match(artist: "a", title: " gone\t") == "gone")
    #expect(try match(artist: "THE EXAMPLE\u{301}", album: "roads", title: "night drive") == "drive")
    #expect(try match(artist: "The Exampl\u{E9}", album: "LIVE", title: "Night Drive") == "live")
    #expect(try match(artist: "The Exampl\u{E9}", title: "Night Drive") == "?")
    #expect(try match(artist: "The Exampl\u{E9}", album: "Other", title: "Night Drive") == "?")
    #expect(try match(artist: "Other", title: "Gone") == "-")
    #expect(try match(artist: "A", album: "Not said there", title: "Gone") == "gone")
  }

  @Test("an item without an artist is known by its title, if nothing else is")
  func noArtist() throws {
    #expect(try match(artist: "A Station", title: "STRASSE") == "talk")
    #expect(try match(title: "Gone") == "gone")
    #expect(try match(title: "Same") == "?")
  }

  @Test(
    "the form in which tags are compared",
    arguments: [
      ("  A  B\tC ", "a b c"), ("\u{C9}TUDE", "\u{E9}tude"), ("E\u{301}tude", "\u{E9}tude"), ("Stra\u{DF}e", "strasse"),
      ("\u{3A3}\u{3AF}\u{3C3}\u{3C5}\u{3C6}\u{3BF}\u{3C2}", "\u{3C3}\u{3AF}\u{3C3}\u{3C5}\u{3C6}\u{3BF}\u{3C3}"),
      ("a\u{A0}\u{2003}b", "a b"), ("", ""), (" ", ""),
    ])
  func key(_ text: String, _ key: String) { #expect(text.tagKey == key) }
}
