// SPDX-License-Identifier: Apache-2.0

/// A change of a synced playlist that its server is told.
package struct PushStep: Equatable, Sendable {
  /// The song. A change of the playlist itself, or of a song that the queue does not know, has an item of its own.
  package var item: PlannedItem
  package var playlist: PlaylistName

  package init(_ item: PlannedItem, of playlist: PlaylistName) { (self.item, self.playlist) = (item, playlist) }
}

extension Plan {
  /// Adds the changes that the run pushes. They alter no file.
  package mutating func push(_ syncs: [PlannedListSync], _ queue: Queue) {
    let pushing = syncs.filter { $0.sync.request != nil }
    guard !pushing.isEmpty else { return }
    let known = Self.songs(of: pushing, in: queue)
    for planned in pushing {
      guard let query = planned.playlist.source.query else { continue }
      let result = planned.sync.result
      for change in result.pushed {
        let song = change.element?.song
        let own = song.flatMap { known[query.url]?[$0] }
        guard
          let queued = own
            ?? QueueItem(
              pushedTo: planned.playlist.name, song, title: song.map { result.titles[$0] ?? $0 } ?? result.title,
              query.url, at: generatedAt
            ).map({ Boxed($0) })
        else { continue }
        steps.append(.push(PushStep(PlannedItem(queued, .pushed(change)), of: planned.playlist.name)))
      }
    }
  }

  /// The items of the songs, by the addresses of their servers and their ids there.
  private static func songs(of syncs: [PlannedListSync], in queue: Queue) -> [RemoteURL: [String: Boxed<QueueItem>]] {
    var wanted: [RemoteURL: Set<String>] = [:]
    for planned in syncs {
      guard let url = planned.playlist.source.query?.url else { continue }
      wanted[url, default: []].formUnion(planned.sync.result.pushed.compactMap(\.element?.song))
    }
    var songs: [RemoteURL: [String: Boxed<QueueItem>]] = [:]
    for index in queue.items.indices {
      let item = queue.items[index]
      for (url, ids) in wanted {
        guard let id = SubsonicURL.songID(of: item.item.main.url, at: url), ids.contains(id) else { continue }
        songs[url, default: [:]][id] = Boxed(item)
      }
    }
    return songs
  }
}

extension QueueItem {
  /// The item of a change that is about none of the queue. Nil for an id that no item can have.
  fileprivate init?(
    pushedTo playlist: PlaylistName, _ song: String?, title: String, _ server: RemoteURL, at now: Timestamp
  ) {
    guard let id = ItemID(song.map { "\(playlist.text):\($0)" } ?? playlist.text) else { return nil }
    let url = song.flatMap { SubsonicURL.download($0, of: server) } ?? server
    self.init(item: Item(id: id, title: title, main: Candidate(url: url)), memberships: [], queuedAt: now)
  }
}
