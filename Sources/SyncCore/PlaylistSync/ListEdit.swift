// SPDX-License-Identifier: Apache-2.0

/// A local edit of a synced playlist, from a command.
package enum ListEdit: Equatable, Sendable {
  /// - Parameter position: The place of the first of them, from 1. Nil for the end.
  case add([String], at: Int?)
  /// - Parameter position: The place of the occurrence that is meant, from 1. Nil for all.
  case remove([String], at: Int?)
  /// - Parameter from: The place of the occurrence that is meant, from 1. Nil if there is one.
  case move(String, from: Int?, to: Int)

  package enum Refusal: Error, Equatable, Sendable {
    /// The playlist does not have the song.
    case absent(String)
    /// The playlist has the song several times, at these places.
    case ambiguous(String, places: [Int])
    /// Another entry is at that place, or none.
    case notThere(String, place: Int)
    /// The place is behind the end of the playlist.
    case beyondEnd(Int, count: Int)
    case tooLong(limit: Int)
  }

  package func applied(to list: [ListElement]) throws(Refusal) -> [ListElement] {
    var list = list
    switch self {
    case .add(let songs, let position):
      let place = try Self.place(position ?? list.count + 1, upTo: list.count + 1)
      list.insert(contentsOf: songs.map { .song($0) }, at: place)
      guard list.count <= SyncedList.mostEntries else { throw .tooLong(limit: SyncedList.mostEntries) }
    case .remove(let songs, nil):
      for song in songs where !list.contains(.song(song)) { throw .absent(song) }
      let gone = Set(songs)
      list.removeAll { $0.song.map(gone.contains) ?? false }
    case .remove(let songs, let place?):
      for song in songs { list.remove(at: try Self.occurrence(of: song, at: place, in: list)) }
    case .move(let song, let from, let to):
      let origin = try Self.occurrence(of: song, at: from, in: list)
      let target = try Self.place(to, upTo: list.count)
      list.insert(list.remove(at: origin), at: target)
    }
    return list
  }

  private static func place(_ position: Int, upTo count: Int) throws(Refusal) -> Int {
    guard (1...max(1, count)).contains(position) else { throw .beyondEnd(position, count: count) }
    return position - 1
  }

  private static func occurrence(of song: String, at place: Int?, in list: [ListElement]) throws(Refusal) -> Int {
    let places = list.indices.filter { list[$0] == .song(song) }
    guard let first = places.first else { throw .absent(song) }
    if let place {
      guard places.contains(place - 1) else { throw .notThere(song, place: place) }
      return place - 1
    }
    guard places.count == 1 else { throw .ambiguous(song, places: places.map { $0 + 1 }) }
    return first
  }
}
