// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("playlists under new names")
struct PlaylistSuccessionTests {
  private static let now = Timestamp(secondsSince1970: 1_800_000_000)

  /// A feed for each number, with an entry of its own.
  private func resolution(_ prefix: String, _ numbers: Range<Int>, completeness: Completeness = .whole) throws
    -> Resolution
  {
    let playlists = try numbers.map { number in
      Playlist(
        name: try playlistName("\(prefix)-\(number)"),
        source: .listing(.feed, at: .remote(try RemoteURL("https://a.example/\(number).xml"))))
    }
    let readings = try zip(playlists, numbers).map { playlist, number in
      var entry = ListingEntry(url: try RemoteURL("https://a.example/\(number).mp3"))
      entry.guid = "g\(number)"
      return SourceReading(
        playlist: playlist.name, listing: Listing(entries: [entry], completeness: completeness), isUnchanged: false)
    }
    return Resolution(playlists, readings)
  }

  private func queue(after desired: DesiredState) -> Queue {
    let items = desired.items.map { item in
      var known = QueueItem(item: item.item, memberships: item.memberships, queuedAt: Self.now)
      known.matchedBy = .guid
      return known
    }
    return Queue(libraryID: "1", savedAt: Self.now, sources: desired.sourceStates, items: items)
  }

  private func desired(_ resolution: Resolution, _ queue: Queue? = nil) -> DesiredState {
    DesiredState(resolution, queue: queue ?? Queue(libraryID: "1", savedAt: Self.now), now: Self.now)
  }

  // Comparing each new playlist with each old one took minutes for 5,000 of them.
  @Test("take over the items of a thousand others, one by one")
  func many() throws {
    let before = queue(after: desired(try resolution("old", 0..<1000)))
    let after = desired(try resolution("new", 0..<1000), before)
    #expect(after.renamed.count == 1000)
    #expect(after.items.map(\.item.id.text) == (0..<1000).map { "old-\($0):g\($0)" })
    #expect(after.renamed.allSatisfy { $0.key.text.dropFirst(3) == $0.value.text.dropFirst(3) })
  }

  @Test("take their items back under their first names")
  func back() throws {
    let first = queue(after: desired(try resolution("old", 0..<2)))
    let second = queue(after: desired(try resolution("new", 0..<2), first))
    let third = desired(try resolution("old", 0..<2), second)
    #expect(third.items.map(\.item.id.text) == ["old-0:g0", "old-1:g1"])
    #expect(third.renamed.count == 2)
  }

  @Test("hold what is gone as long as one of them was not read whole")
  func held() throws {
    let before = queue(after: desired(try resolution("old", 0..<1)))
    let after = desired(try resolution("new", 5..<6, completeness: .partial(.empty)), before)
    #expect(after.renamed.isEmpty)
    #expect(try after.heldPlaylists.contains(playlistName("old-0")))
  }
}
