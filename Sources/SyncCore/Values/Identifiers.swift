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

/// The name of a playlist: `[a-z0-9][a-z0-9._-]*`. A playlist that comes from a source which lists others has two such
/// names with a slash between them, first that of the playlist in the manifest: `everything/world-brief`.
package struct PlaylistName: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  /// The longest part in bytes. Files are named after playlists, and have endings.
  private static let longest = 128
  private static let longestLast = 100

  /// Returns nil if `text` is not a legal name.
  package init?(_ text: String) {
    var start = 0
    var end = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "/") {
        guard start == 0, end > 0, end <= Self.longest else { return nil }
        start = end + 1
      } else {
        guard Self.isAlphanumeric(byte) || end > start && "._-".utf8.contains(byte) else { return nil }
      }
      end += 1
    }
    guard end > start, end - start <= (start == 0 ? Self.longest : Self.longestLast) else { return nil }
    self.text = text
  }

  /// A name that a manifest may declare. Returns nil for others.
  package init?(declared text: String) {
    guard !text.utf8.contains(UInt8(ascii: "/")) else { return nil }
    self.init(text)
  }

  /// The name of a playlist that comes from the source of a declared one. Returns nil if `last` is not a legal name.
  package init?(_ last: String, below declared: PlaylistName) { self.init("\(declared.text)/\(last)") }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private var slash: String.Index? { text.utf8.firstIndex(of: UInt8(ascii: "/")) }

  /// True if the playlist comes from a source and not from the manifest itself.
  package var isFromSource: Bool { slash != nil }

  /// The name of the playlist in the manifest from which this one comes. The name itself for that playlist.
  package var declared: PlaylistName {
    guard let slash, let name = PlaylistName(String(text[..<slash])) else { return self }
    return name
  }

  /// The part after the slash, or all of it.
  package var last: String { slash.map { String(text[text.utf8.index(after: $0)...]) } ?? text }

  /// The name as a part of a file name. Equal only for equal names.
  package var fileText: String { isFromSource ? text.replacing("/", with: "+") : text }

  package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  package var description: String { text }
}

extension Set<PlaylistName> {
  /// True if it has the playlist, or the one in the manifest from which it comes.
  package func includes(_ name: PlaylistName) -> Bool { contains(name) || name.isFromSource && contains(name.declared) }

  /// True if it includes a playlist of the manifest, or one that comes from its source.
  package func includesAny(of declared: PlaylistName) -> Bool {
    contains(declared) || contains { $0.isFromSource && $0.declared == declared }
  }
}

extension String {
  /// True if the text contains a C0 or C1 control character or DEL.
  package var hasControlCharacters: Bool { unicodeScalars.contains(where: \.isControl) }

  /// The text with a space for each control character.
  package var withoutControls: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
  }
}

extension Unicode.Scalar {
  /// True for C0, DEL and C1, which a terminal might obey.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
