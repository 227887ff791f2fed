// SPDX-License-Identifier: Apache-2.0

/// Feeds a text to libyaml, and stops if one token is longer than a scalar may be.
struct YAMLInput {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let tokenLimit: Int
  private var offset: Int
  private var offsetOfLastEvent: Int
  /// Set when feeding was stopped. libyaml itself then reports only an input error.
  private(set) var stop: Stop?

  enum Stop {
    case tokenTooLarge
    case lineSeparator(UInt32, offset: Int)
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, scalarSize: Int) {
    self.bytes = bytes
    // An escape takes up to ten bytes of text for one byte of a scalar. Comments and indentation count as well.
    tokenLimit = scalarSize + scalarSize / 8 + 65_536
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    offsetOfLastEvent = offset
  }

  mutating func noteEvent() { offsetOfLastEvent = offset }

  /// The next bytes to hand over. Nil if feeding must stop.
  mutating func next(atMost size: Int) -> UnsafeBufferPointer<UInt8>? {
    guard offset - offsetOfLastEvent <= tokenLimit else {
      stop = .tokenTooLarge
      return nil
    }
    let chunk = UnsafeBufferPointer(rebasing: bytes[offset..<min(bytes.count, offset + size)])
    if let (character, position) = lineSeparator(in: chunk) {
      stop = .lineSeparator(character, offset: offset + position)
      return nil
    }
    offset += chunk.count
    return chunk
  }

  /// Looks beyond the end of `chunk` for a character that begins in it.
  private func lineSeparator(in chunk: UnsafeBufferPointer<UInt8>) -> (UInt32, Int)? {
    var position = 0
    while position < chunk.count {
      let byte = chunk[position]
      if byte >= 0xC2 {
        let rest = bytes[(offset + position + 1)...].prefix(2)
        if byte == 0xC2, rest.first == 0x85 { return (0x85, position) }
        if byte == 0xE2, rest.first == 0x80, let last = rest.last, last == 0xA8 || last == 0xA9 {
          return (0x2000 + UInt32(last & 0x3F), position)
        }
      }
      position += 1
    }
    return nil
  }
}

/// The limits beyond which a document is refused.
package struct YAMLLimits: Equatable, Sendable {
  /// The size of the whole text in bytes.
  package var documentSize = 256 << 20
  /// The size of one scalar in bytes. libyaml reads a scalar whole before it reports it.
  package var scalarSize = 1 << 20
  /// The nesting depth of sequences and mappings, including the targets of aliases. libyaml takes quadratic time in the
  /// depth of flow collections.
  package var depth = 64
  /// The number of nodes that aliases may repeat, however small the document is.
  package var repeatedNodes = 100_000
  /// The number of additional repeated nodes for each node that is written out, so that a large document may use
  /// aliases as freely as a small one.
  package var repeatedNodesPerNode = 10

  package init() {}
}
