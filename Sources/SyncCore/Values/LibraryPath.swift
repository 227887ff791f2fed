// SPDX-License-Identifier: Apache-2.0

/// A path below the library's root that cannot leave it: relative, `/` between components, none of them empty, `.` or `..`.
package struct LibraryPath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The path with `/`, e.g. `Commute mix/Night Drive.mp3`.
  package let text: String

  /// Nil when `text` is absolute, empty, leaves the library, or has a NUL.
  package init?(_ text: some StringProtocol) {
    let components = text.split(separator: "/", omittingEmptySubsequences: false)
    guard components.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !text.unicodeScalars.contains("\0")
    else { return nil }
    self.text = String(text)
  }

  package var components: [Substring] { text.split(separator: "/") }

  /// The folder that holds the file; nil at the library's root.
  package var parent: LibraryPath? {
    text.lastIndex(of: "/").flatMap { LibraryPath(text[..<$0]) }
  }

  package var name: Substring {
    text.lastIndex(of: "/").map { text[text.index(after: $0)...] } ?? text[...]
  }

  package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  package var description: String { text }
}
