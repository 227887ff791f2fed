// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Records the items named so far and the places where they are named. An id identifies one file (SPEC §2.3).
struct ItemRegister {
  struct Use {
    /// The URL of the best quality. Two uses mean the same file if it is equal.
    let identity: RemoteURL
    let main: RemoteURL
    /// The quality for which `main` was chosen.
    let quality: Quality
    let line: Int
  }

  enum Clash: Error {
    case twice(firstLine: Int)
    case conflict(playlist: String, firstLine: Int)
  }

  private struct Entry {
    let use: Use
    let firstPlaylist: Int
    var lastPlaylist: Int
    var lastLine: Int
  }

  private var playlists: [String] = []
  private var entries: [Entry] = []
  private var positions: [ItemID: Int] = [:]

  /// Begins a playlist. The items noted from here on belong to it.
  mutating func begin(playlist: String, count: Int) {
    playlists.append(playlist)
    // Reserving the exact number for each playlist would move all entries each time.
    guard count > entries.count else { return }
    entries.reserveCapacity(entries.count + count)
    positions.reserveCapacity(positions.count + count)
  }

  /// Returns the use under which the item is stored: that of the playlist that names it first.
  mutating func note(_ id: ItemID, _ use: Use) -> Result<Use, Clash> {
    let current = playlists.count - 1
    guard let position = positions[id] else {
      positions[id] = entries.count
      entries.append(Entry(use: use, firstPlaylist: current, lastPlaylist: current, lastLine: use.line))
      return .success(use)
    }
    let entry = entries[position]
    guard entry.lastPlaylist != current else { return .failure(.twice(firstLine: entry.lastLine)) }
    guard entry.use.identity == use.identity else {
      return .failure(.conflict(playlist: playlists[entry.firstPlaylist], firstLine: entry.use.line))
    }
    entries[position].lastPlaylist = current
    entries[position].lastLine = use.line
    return .success(entry.use)
  }
}
