// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// The order of publication for a player that shows files in the order in which they were written: within each
/// playlist, no item is published before those in front of it. An item that fails or is deferred holds up none.
struct PublishSequencer {
  private struct Line {
    var ids: [ItemID] = []
    /// The position of the first item that is neither published nor out of the run.
    var next = 0
  }

  private var lines: [PlaylistName: Line] = [:]
  private var playlists: [ItemID: PlaylistName] = [:]
  private var held: [ItemID: Publication] = [:]
  private var gone: Set<ItemID> = []

  init() {}

  init(_ downloads: [PlannedDownload]) {
    for download in downloads.sorted(by: { $0.fields.position < $1.fields.position }) {
      guard let playlist = download.playlists.first else { continue }
      lines[playlist, default: Line()].ids.append(download.id)
      playlists[download.id] = playlist
    }
  }

  /// Notes that a file is ready.
  /// - Returns: the publications that may happen now, in order.
  mutating func ready(_ publication: Publication) -> [Publication] {
    let id = publication.download.id
    guard let playlist = playlists[id] else { return [publication] }
    var waiting = publication
    // Many may wait for one: each would keep a descriptor open.
    waiting.body = nil
    held[id] = waiting
    return advance(playlist)
  }

  /// Notes that an item is done.
  mutating func ended(_ id: ItemID) -> [Publication] {
    guard let playlist = playlists[id] else { return [] }
    gone.insert(id)
    return advance(playlist)
  }

  /// Releases all held publications; none waits for another any more.
  mutating func giveUp() -> [Publication] {
    let rest = lines.sorted { $0.key < $1.key }.flatMap { $0.value.ids[$0.value.next...] }.compactMap { held[$0] }
    self = PublishSequencer()
    return rest
  }

  private mutating func advance(_ playlist: PlaylistName) -> [Publication] {
    guard var line = lines[playlist] else { return [] }
    var free: [Publication] = []
    while line.next < line.ids.count {
      let id = line.ids[line.next]
      if let publication = held.removeValue(forKey: id) {
        free.append(publication)
      } else if !gone.contains(id) {
        break
      }
      line.next += 1
    }
    lines[playlist] = line
    return free
  }
}
