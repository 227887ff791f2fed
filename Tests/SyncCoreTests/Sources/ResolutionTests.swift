// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a playlist of the manifest that becomes several")
struct ResolutionTests {
  /// The manifest's playlist, which no item is in.
  private func declared() throws -> Playlist {
    var playlist = Playlist(name: try playlistName("subs"), source: .listing(.feed, at: .file("/subs.opml")))
    playlist.mirror = true
    playlist.retain.atMost = 1
    playlist.budget = .size(ByteCount(1_000_000))
    return playlist
  }

  /// A playlist that comes from it, with the newest entry first.
  private func part(_ name: String, of declared: Playlist, _ guids: [String]) throws -> ResolvedPlaylist {
    var playlist = declared
    playlist.name = try playlistName(name)
    let entries = try guids.enumerated().map { index, guid in
      var entry = ListingEntry(url: try RemoteURL("https://media.example.net/\(guid).mp3"))
      (entry.guid, entry.title, entry.published) = (guid, guid, World.start - .days(index + 1))
      return entry
    }
    let listing = Listing(title: name, entries: ListingEntries(entries), completeness: .whole)
    return ResolvedPlaylist(
      playlist, declaredName: declared.name,
      reading: SourceReading(playlist: playlist.name, listing: listing, isUnchanged: false))
  }

  @Test("gives each of them its own items, retention, share and orphans")
  func plan() throws {
    var world = World()
    world.manifest.storage.orphans = .remove
    world.manifest.playlists = [try declared()]
    let resolution = Resolution([
      try part("news", of: try declared(), ["1", "2"]), try part("talk", of: try declared(), ["3"]),
    ])
    try world.remember(try item("news:gone"), .completed(try stored("gone")), in: "news")
    let desired = DesiredState(resolution, queue: world.queue, now: world.now)
    #expect(desired.playlists.map(\.name.text) == ["news", "talk"])
    #expect(desired.items.map(\.memberships.first?.playlist.text) == ["news", "news", "talk"])
    #expect(Set(desired.sourceStates.keys.map(\.text)) == ["news", "talk"])
    let reconciliation = Reconciliation(
      desired: desired, queue: world.queue, seen: world.seen, terms: .init(world.manifest.storage),
      now: world.now)
    let plan = Plan(
      reconciliation, seen: world.seen, manifest: world.manifest, options: world.options, now: world.now)
    #expect(Set(plan.words) == ["download news:1", "download talk:3", "remove news:gone"])
    #expect(plan.shares.map(\.playlist.text) == ["news", "talk"])
  }

  @Test("is in the run's scope with all that comes from it")
  func scope() throws {
    let resolution = Resolution([try part("news", of: try declared(), ["1"]), try part("talk", of: try declared(), [])])
    let names = { (text: String) in Set([try playlistName(text)]) }
    #expect(resolution.scope(nil) == nil)
    #expect(Set(try #require(resolution.scope(try names("subs"))).map(\.text)) == ["subs", "news", "talk"])
    #expect(resolution.scope(try names("other")) == (try names("other")))
  }
}
