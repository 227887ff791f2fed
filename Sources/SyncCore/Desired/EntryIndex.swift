// SPDX-License-Identifier: Apache-2.0

/// Which entry of a document has a text first, such as a guid. Only the hashes of the texts are held, because a document may
/// have half a million of them; the texts themselves are compared where hashes agree.
struct EntryIndex {
  private var places: [Int: Int32] = [:]
  private let text: (Int) -> String?

  /// - Parameter text: of the entry at that place in the document.
  init(_ text: @escaping (Int) -> String?) { self.text = text }

  /// Takes the entry at `place` in, unless one with its text is there already.
  /// - Returns: the one that is there; nil also for an entry without the text.
  mutating func insert(_ place: Int) -> Int? {
    guard let own = text(place) else { return nil }
    var hash = own.hashValue
    while let other = places[hash] {
      if text(Int(other)) == own { return Int(other) }
      hash &+= 1
    }
    places[hash] = Int32(truncatingIfNeeded: place)
    return nil
  }
}
