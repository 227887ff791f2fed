// SPDX-License-Identifier: Apache-2.0

/// The list that `play` works through. A person changes it, also while it is played.
package struct PlayList: Equatable, Sendable {
  /// Tells one list from the next one, which may have the same items.
  package var id: String
  package var items: [ItemID]
  /// Nil if the list is not shuffled.
  package var seed: UInt64?
  package var repeats: PlayOrder.Repeat

  package init(id: String, items: [ItemID] = [], seed: UInt64? = nil, repeats: PlayOrder.Repeat = .off) {
    (self.id, self.items, self.seed, self.repeats) = (id, items, seed, repeats)
  }
}

/// The place that `play` has reached in a list. Only the command that plays changes it.
package struct PlayPlace: Equatable, Sendable {
  /// The list to which it belongs.
  package var list: String
  package var round: Int
  package var place: Int
  package var known: Int
  /// The playback that goes on.
  package var playback: Playback?
  /// Nil until the playback ends.
  package var ending: Playback.Ending?
  /// The time of the last report of the playback.
  package var seenAt: Timestamp

  package init(
    list: String, round: Int = 0, place: Int = 0, known: Int = 0, playback: Playback? = nil, seenAt: Timestamp
  ) {
    (self.list, self.round, self.place, self.known) = (list, round, place, known)
    (self.playback, self.seenAt) = (playback, seenAt)
  }

  /// The place of an order.
  package init(_ order: PlayOrder, in list: String, playback: Playback?, seenAt: Timestamp) {
    self.init(
      list: list, round: order.round, place: order.place, known: order.known, playback: playback, seenAt: seenAt)
  }
}

extension PlayOrder {
  /// The order of a list, at its place if that belongs to it.
  package init(_ list: PlayList, at place: PlayPlace?) {
    guard let place, place.list == list.id else {
      self.init(list.items, seed: list.seed, repeats: list.repeats)
      return
    }
    self.init(
      list.items, seed: list.seed, repeats: list.repeats, round: place.round, place: place.place, known: place.known)
  }
}
