// SPDX-License-Identifier: Apache-2.0

/// The positions of elements in an array, found by the hash of a key that each element holds itself. An element costs
/// eight to sixteen bytes, however long its key is, and no key is copied.
package struct PositionTable: Sendable {
  private struct Slot: Sendable {
    var hash: UInt32
    /// -1 if the slot is free.
    var position: Int32
  }

  /// Open addressing; at most half of the slots are used.
  private var slots: [Slot]
  private var count = 0

  /// - Parameter capacity: The number of elements for which the table need not grow.
  package init(capacity: Int = 0) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: Slot(hash: 0, position: -1), count: size)
  }

  /// The position of an element.
  /// - Parameters:
  ///   - hash: The `hashValue` of its key.
  ///   - isMatch: Returns true if the element at a position has that key.
  package func position(hash: Int, where isMatch: (Int) -> Bool) -> Int? {
    var index = hash & (slots.count - 1)
    while slots[index].position >= 0 {
      let slot = slots[index]
      if slot.hash == UInt32(truncatingIfNeeded: hash), isMatch(Int(slot.position)) { return Int(slot.position) }
      index = (index + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds an element whose key the table does not have.
  package mutating func insert(hash: Int, position: Int) {
    if (count + 1) * 2 > slots.count { grow() }
    place(Slot(hash: UInt32(truncatingIfNeeded: hash), position: Int32(position)))
    count += 1
  }

  // A slot has 32 bits of the hash, and a table has at most 2^32 slots, so that growing needs no keys.
  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(hash: 0, position: -1), count: old.count * 2)
    for slot in old where slot.position >= 0 { place(slot) }
  }

  private mutating func place(_ slot: Slot) {
    var index = Int(slot.hash) & (slots.count - 1)
    while slots[index].position >= 0 { index = (index + 1) & (slots.count - 1) }
    slots[index] = slot
  }
}
