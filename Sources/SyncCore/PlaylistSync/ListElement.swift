// SPDX-License-Identifier: Apache-2.0

/// An entry of a synced playlist. A song may occur several times.
package enum ListElement: Hashable, Sendable {
  /// A song of the server, by its id there.
  case song(String)
  /// A line of an edited playlist file that is not a song of the server. It stays on this device.
  case foreign(String)

  /// Nil for a line that the server cannot have.
  package var song: String? { if case .song(let id) = self { id } else { nil } }
  package var isForeign: Bool { song == nil }
}

extension ListElement: Comparable {
  /// Songs before lines, and each by its bytes, so that the order is the same at each device.
  package static func < (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.song(let a), .song(let b)), (.foreign(let a), .foreign(let b)):
      a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.song, .foreign): true
    case (.foreign, .song): false
    }
  }
}

extension Sequence<ListElement> {
  /// The songs, each as often as it occurs.
  package var songs: [String] { compactMap(\.song) }
}
