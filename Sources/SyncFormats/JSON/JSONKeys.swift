// SPDX-License-Identifier: Apache-2.0

/// A name in an object, as looked up in a table of known names.
package enum JSONKey<Key: Sendable>: Sendable {
  case known(Key)
  case unknown(String)
}

/// A table of the names that a reader knows, so that a name costs one lookup instead of a series of comparisons.
package struct JSONKeys<Key: Sendable>: Sendable {
  private let keys: [Key]
  /// All names one after another; key `n` ends at `ends[n]`.
  private let names: [UInt8]
  private let ends: [Int]
  /// Open addressing: an index into `keys`, or -1. At most a quarter is used.
  private let slots: [Int]

  /// - Precondition: no two keys have the same name.
  package init(_ keys: [Key], name: (Key) -> String) {
    var names: [UInt8] = []
    var ends: [Int] = []
    for key in keys {
      names.append(contentsOf: name(key).utf8)
      ends.append(names.count)
    }
    var size = 4
    while size < keys.count * 4 { size *= 2 }
    var slots = Array(repeating: -1, count: size)
    for index in keys.indices {
      let bytes = names[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
      var slot = hash(bytes.span) & (size - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = index
    }
    (self.keys, self.names, self.ends, self.slots) = (keys, names, ends, slots)
    precondition(Set(keys.map(name)).count == keys.count, "a name stands for one key")
  }

  func find(_ name: Span<UInt8>) -> Key? { index(of: name).map { keys[$0] } }

  subscript(index: Int) -> Key { keys[index] }

  /// The key's index among the keys.
  func index(of name: Span<UInt8>) -> Int? {
    var slot = hash(name) & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = slots[slot]
      if isName(of: index, equalTo: name) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func isName(of index: Int, equalTo name: Span<UInt8>) -> Bool {
    let start = index == 0 ? 0 : ends[index - 1]
    guard ends[index] - start == name.count else { return false }
    for position in 0..<name.count where names[start + position] != name[position] { return false }
    return true
  }
}

/// The names that one object had so far, to detect one that occurs twice.
package struct JSONNames: Sendable {
  private var known: (UInt64, UInt64) = (0, 0)
  private var unknown: [String] = []

  package init() {}

  /// - Parameter index: the index among the keys of a table of at most 128.
  /// - Returns: false when the name was there before.
  mutating func insert(_ index: Int) -> Bool {
    precondition(index < 128, "a table of keys has at most 128")
    let bit = UInt64(1) << UInt64(index & 63)
    let before = index < 64 ? known.0 : known.1
    if index < 64 { known.0 |= bit } else { known.1 |= bit }
    return before & bit == 0
  }

  /// The same for a name that no table contains.
  mutating func insert(_ name: String) -> Bool {
    guard !unknown.contains(name) else { return false }
    unknown.append(name)
    return true
  }
}

extension JSONKeys where Key: CaseIterable & RawRepresentable<String> {
  /// A table of all cases by their raw values.
  package init() { self.init(Array(Key.allCases), name: \.rawValue) }
}

/// FNV-1a, 64 bits.
private func hash(_ bytes: Span<UInt8>) -> Int {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for position in 0..<bytes.count { hash = (hash ^ UInt64(bytes[position])) &* 0x100_0000_01B3 }
  return Int(truncatingIfNeeded: hash ^ hash >> 32)
}
