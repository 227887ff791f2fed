// SPDX-License-Identifier: Apache-2.0

/// A path below the library's root that cannot leave it: relative, `/` between components, none of them empty, `.` or `..`.
///
/// Taken apart by bytes, as the system does: a `/` before a combining mark is one `Character` with it, and separates.
package struct LibraryPath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The path with `/`, e.g. `Commute mix/Night Drive.mp3`.
  package let text: String

  /// Nil when `text` is absolute, empty, leaves the library, or has a NUL.
  package init?(_ text: some StringProtocol) {
    let components = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard components.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }),
      !text.utf8.contains(0)
    else { return nil }
    self.text = String(text)
  }

  package var components: [Substring] { text.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) }

  /// The folder that holds the file; nil at the library's root.
  package var parent: LibraryPath? {
    lastSeparator.flatMap { LibraryPath(text[..<$0]) }
  }

  package var name: Substring {
    lastSeparator.map { text[text.utf8.index(after: $0)...] } ?? text[...]
  }

  private var lastSeparator: String.Index? { text.utf8.lastIndex(of: UInt8(ascii: "/")) }

  package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  package var description: String { text }
}
