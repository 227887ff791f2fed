// SPDX-License-Identifier: Apache-2.0

/// A path below the library's root that cannot leave it: relative, with `/`
/// between components, none of them empty, `.` or `..`.
///
/// The path is split by bytes, as the system does it: a `/` before a combining mark
/// forms one `Character` with it but still separates.
package struct LibraryPath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The path with `/`, for example `Commute mix/Night Drive.mp3`.
  package let text: String

  /// Returns nil if `text` is absolute or empty, leaves the library or contains a NUL.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    // A queue file has a path for each item, so this makes one pass over the bytes and no array of components.
    var length = 0
    var dots = 0
    for byte in text.utf8 {
      switch byte {
      case 0: return nil
      case UInt8(ascii: "/"):
        if length == 0 || length == dots && dots <= 2 { return nil }
        (length, dots) = (0, 0)
      default:
        length += 1
        if byte == UInt8(ascii: ".") { dots += 1 }
      }
    }
    if length == 0 || length == dots && dots <= 2 { return nil }
    self.text = text
  }

  package var components: [Substring] { text.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) }

  /// The folder that contains the file. Nil at the library's root.
  package var parent: LibraryPath? {
    lastSeparator.flatMap { LibraryPath(text[..<$0]) }
  }

  /// The path of the folder that contains the file. Empty at the library's root.
  package var folderText: Substring { lastSeparator.map { text[..<$0] } ?? "" }

  package var name: Substring {
    lastSeparator.map { text[text.utf8.index(after: $0)...] } ?? text[...]
  }

  private var lastSeparator: String.Index? { text.utf8.lastIndex(of: UInt8(ascii: "/")) }

  package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  package var description: String { text }
}
