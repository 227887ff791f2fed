// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the desired state")
struct DesiredStateTests {
  private static let now = Timestamp(secondsSince1970: 1_800_000_000)

  private func inline(_ name: String, _ items: [Item]) throws -> Playlist {
    Playlist(name: try playlistName(name), source: .items(BoxedArray(items)))
  }

  private func feed(_ name: String) throws -> Playlist {
    Playlist(
      name: try playlistName(name), source: .listing(.feed, at: .remote(try RemoteURL("https://a.example/rss")))
    )
  }

  private func reading(
    _ name: String, _ guids: [String], completeness: Completeness = .whole, isUnchanged: Bool = false
  ) throws -> SourceReading {
    let episodes = try guids.map { guid in
      var episode = ListingEntry(url: try RemoteURL("https://a.example/\(guid).mp3"))
      episode.guid = guid
      return episode
    }
    return SourceReading(
      playlist: try playlistName(name),
      listing: Listing(title: "News", entries: ListingEntries(episodes), completeness: completeness),
      isUnchanged: isUnchanged, etag: "\"1\"")
  }

  private func desired(
    _ playlists: [Playlist], _ readings: [SourceReading] = [], queue: Queue? = nil
  ) -> DesiredState {
    DesiredState(
      Resolution(playlists, readings), queue: queue ?? Queue(libraryID: "1", savedAt: Self.now),
      now: Self.now)
  }

  /// The queue after all that is selected was taken over.
  private func queue(after desired: DesiredState) -> Queue {
    Queue(
      libraryID: "1", savedAt: Self.now, sources: desired.sourceStates,
      items: desired.items.filter(\.isSelected).map {
        QueueItem(item: $0.item, memberships: $0.memberships, queuedAt: Self.now)
      })
  }

  private func positions(_ desired: DesiredState) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: desired.items.map { ($0.item.id.text, $0.memberships[0].position) })
  }

  @Test("an item of two playlists is stored once, laid out by the first, with the higher priority and any pin")
  func shared() throws {
    var first = try inline("first", [item("other"), item("night")])
    first.title = "First mix"
    var second = try inline("second", [item("night")])
    second.priority = .high
    second.pin = true
    second.layout = try LayoutTemplate("{id}")
    let items = desired([first, second]).items
    #expect(items.map(\.item.id.text) == ["other", "night"])
    #expect(
      try items[1].memberships == [
        Membership(playlist: playlistName("first"), position: 2),
        Membership(playlist: playlistName("second"), position: 1),
      ])
    #expect(items[1].priority == .high)
    #expect(items[1].isPinned)
    #expect(items[1].layout == .item)
    #expect(items[1].fields.playlist == "First mix")
    #expect(items[1].fields.position == 2)
    #expect(!items[0].isPinned)
  }

  @Test("an item's own priority and pin come before its playlist's")
  func own() throws {
    var item = try item("night")
    (item.priority, item.pin) = (.low, false)
    var playlist = try inline("mix", [item])
    (playlist.priority, playlist.pin) = (.high, true)
    let found = desired([playlist]).items[0]
    #expect(found.priority == .low)
    #expect(!found.isPinned)
  }

  @Test("a layout is the playlist's, else the library's, else the one for its kind of source")
  func layouts() throws {
    var own = try inline("own", [item("a")])
    own.layout = try LayoutTemplate("{id}")
    let playlists = try [own, inline("plain", [item("b")]), feed("news")]
    let readings = try [reading("news", ["1"])]
    #expect(desired(playlists, readings).items.map(\.layout) == [try LayoutTemplate("{id}"), .item, .episode])
    let state = DesiredState(
      Resolution(playlists, readings), layout: try LayoutTemplate("all/{title}"),
      queue: Queue(libraryID: "1", savedAt: Self.now), now: Self.now)
    #expect(state.items.map(\.layout.text) == ["{id}", "all/{title}", "all/{title}"])
  }

  @Test("only what a source named is from a source")
  func fromSource() throws {
    let items = desired([try inline("mix", [item("a")]), try feed("news")], [try reading("news", ["1"])]).items
    #expect(items.map(\.isFromSource) == [false, true])
    #expect(items.map(\.matchedBy) == [nil, .guid])
  }

  @Test("a source that was not read, or not whole, is held")
  func held() throws {
    let playlists = try [feed("gone"), feed("cut"), feed("whole")]
    let state = try desired(
      playlists, [reading("cut", ["1"], completeness: .partial(.empty)), reading("whole", ["2"])])
    #expect(state.heldPlaylists == Set(try [playlistName("gone"), playlistName("cut")]))
    #expect(state.items.map(\.item.id.text) == ["cut:1", "whole:2"])
    #expect(Set(state.sourceStates.keys) == [try playlistName("whole")], "a cut reading is not remembered")
  }

  @Test("a feed keeps what it lets go, unless it is mirrored")
  func keeping() throws {
    var mirrored = try feed("mirrored")
    mirrored.mirror = true
    #expect(desired([mirrored, try feed("kept")]).keepingPlaylists == [try playlistName("kept")])
  }

  @Test("a feed without news leaves its memory alone")
  func unchanged() throws {
    let first = desired([try feed("news")], [try reading("news", ["1"])])
    let memory = try #require(first.sourceStates[playlistName("news")])
    #expect(memory.itemCount == 1)
    #expect(memory.etag == "\"1\"")
    let again = desired(
      [try feed("news")], [try reading("news", ["1"], isUnchanged: true)], queue: queue(after: first))
    #expect(again.sourceStates.isEmpty)
    #expect(again.items.map(\.item) == first.items.map(\.item))
    #expect(again.items.map(\.memberships) == first.items.map(\.memberships))
  }

  @Test("a feed's items keep their numbers, and later ones get later numbers")
  func positionsStay() throws {
    let playlists = try [feed("news")]
    let first = desired(playlists, [try reading("news", ["3", "2", "1"])])
    #expect(positions(first) == ["news:1": 1, "news:2": 2, "news:3": 3])
    let second = desired(playlists, [try reading("news", ["5", "4", "3", "2"])], queue: queue(after: first))
    #expect(positions(second) == ["news:2": 2, "news:3": 3, "news:4": 4, "news:5": 5])
  }

  @Test("what is passed over takes no number")
  func passedOver() throws {
    var playlist = try feed("news")
    playlist.select.initial = .count(2)
    let old = ["6", "5", "4", "3", "2", "1"]
    let first = desired([playlist], [try reading("news", old)])
    #expect(first.items.count { $0.isSelected } == 2)
    #expect(positions(first)["news:5"] == 1)
    #expect(positions(first)["news:6"] == 2)
    let second = desired([playlist], [try reading("news", ["7"] + old)], queue: queue(after: first))
    #expect(positions(second)["news:6"] == 2)
    #expect(positions(second)["news:7"] == 3)
  }

  @Test("episodes that no playlist selects can be counted instead of listed, which changes nothing else")
  func counted() throws {
    var playlist = try feed("news")
    playlist.select.latest = 2
    playlist.select.initial = .all
    let guids = ["6", "5", "4", "3", "2", "1"]
    let known = queue(after: desired([playlist], [try reading("news", Array(guids.dropFirst()))]))
    let listed = desired([playlist], [try reading("news", guids)], queue: known)
    let counted = DesiredState(
      Resolution([playlist], [try reading("news", guids)]), queue: known, naming: .counted, now: Self.now)
    #expect(listed.items.map(\.item.id.text) == guids.map { "news:\($0)" })
    // The queue knows 4, which is no longer among the latest.
    #expect(Array(counted.items) == listed.items.filter { ["news:6", "news:5", "news:4"].contains($0.item.id.text) })
    #expect(counted.unlisted.values.first == [.beyondLatest(2): 3] && listed.unlisted.isEmpty)
    #expect(counted.sourceStates == listed.sourceStates)
  }

  @Test("an inline item that has the id of an episode that no playlist selects is the item of the manifest")
  func sameID() throws {
    var playlist = try feed("news")
    playlist.select.latest = 1
    playlist.select.initial = .all
    let own = try item("news:1")
    let inline = try inline("own", [own])
    for naming in [DesiredState.UnselectedNaming.listed, .counted] {
      let desired = DesiredState(
        Resolution([playlist, inline], [try reading("news", ["2", "1"])]),
        queue: Queue(libraryID: "1", savedAt: Self.now), naming: naming, now: Self.now)
      let item = try #require(desired.items.first { $0.id.text == "news:1" })
      #expect(item.item == own && item.memberships.map(\.playlist.text) == ["own"] && item.isSelected)
    }
  }

  @Test("an episode without a title takes the file's, the feed's title is its album")
  func titles() throws {
    var named = ListingEntry(url: try RemoteURL("https://a.example/show/01.intro.mp3"))
    (named.guid, named.length, named.author) = ("1", ByteCount(5), "Anna")
    var bare = ListingEntry(url: try RemoteURL("https://a.example/?id=2"))
    bare.guid = "2"
    var encoded = ListingEntry(url: try RemoteURL("https://a.example/show/Night%20Drive%0A.mp3"))
    encoded.guid = "3"
    var odd = ListingEntry(url: try RemoteURL("https://a.example/show/caf%E9.mp3"))
    odd.guid = "4"
    let reading = SourceReading(
      playlist: try playlistName("news"),
      listing: Listing(title: "News", entries: [named, bare, encoded, odd], completeness: .whole),
      isUnchanged: false)
    let items = desired([try feed("news")], [reading]).items.map(\.item)
    #expect(items.map(\.title) == ["01", "news:2", "Night Drive ", "caf%E9"])
    #expect(items.map(\.album) == ["News", "News", "News", "News"])
    #expect(items[0].artist == "Anna")
    #expect(items[0].size == .about(ByteCount(5)))
  }
}
