// SPDX-License-Identifier: Apache-2.0

/// The stable name of one item in manifest, queue file, plan and report: not
/// empty, without control characters, at most 512 bytes.
package struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  /// Returns nil if `text` is not a legal id.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 512, !text.hasControlCharacters else { return nil }
    self.text = text
  }

  /// Compares bytes, so that an order never depends on a locale.
  package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  package var description: String { text }
}

/// The name of a playlist: `[a-z0-9][a-z0-9._-]*`.
package struct PlaylistName: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  /// Returns nil if `text` is not a legal name.
  package init?(_ text: String) {
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= 128,
      text.utf8.allSatisfy({ isAlphanumeric($0) || "._-".utf8.contains($0) })
    else { return nil }
    self.text = text
  }

  package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  package var description: String { text }
}

extension String {
  /// True if the text contains a C0 or C1 control character or DEL.
  package var hasControlCharacters: Bool { unicodeScalars.contains(where: \.isControl) }
}

extension Unicode.Scalar {
  /// True for C0, DEL and C1, which a terminal might obey.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
