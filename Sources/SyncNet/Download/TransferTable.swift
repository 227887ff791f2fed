// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The active transfers by item. The table lends a transfer where it is. A dictionary would copy the whole value for
/// each look at one of its fields, and move it out and back for each change.
struct TransferTable {
  /// The place of the slot that stays empty, for items without a transfer.
  private static let nowhere = 0

  private var places: [ItemID: Int] = [:]
  private var slots: [Transfer?] = [nil]
  private var freePlaces: [Int] = []

  var isEmpty: Bool { places.isEmpty }
  var count: Int { places.count }
  /// The items of the transfers, in no particular order.
  var ids: some Collection<ItemID> { places.keys }

  func contains(_ id: ItemID) -> Bool { places[id] != nil }

  subscript(id: ItemID) -> Transfer? {
    _read { yield slots[places[id] ?? Self.nowhere] }
    _modify { yield &slots[places[id] ?? Self.nowhere] }
    set {
      let place = places.removeValue(forKey: id) ?? freePlaces.popLast() ?? slots.endIndex
      if place == slots.endIndex { slots.append(nil) }
      slots[place] = newValue
      if newValue == nil { freePlaces.append(place) } else { places[id] = place }
    }
  }
}
