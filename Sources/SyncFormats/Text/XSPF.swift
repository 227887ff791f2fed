// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// XSPF 1: the playlist file at the library's root, and an exported playlist. A path is a relative reference in
/// percent-encoding, so that every path can be written.
package enum XSPF {
  /// The file's text, with lines ended by LF.
  package static func text(title: String?, entries: [PlaylistFileEntry]) -> String {
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\">",
    ]
    if let title = title?.displayed { lines.append("  " + element("title", title)) }
    lines.append("  <trackList>")
    for entry in entries {
      lines.append("    <track>")
      for part in parts(of: entry) { lines.append("      " + part) }
      lines.append("    </track>")
    }
    lines += ["  </trackList>", "</playlist>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func parts(of entry: PlaylistFileEntry) -> [String] {
    var parts = locations(of: entry.place).map { element("location", $0) }
    for (name, text) in [("title", entry.title), ("creator", entry.artist), ("album", entry.album)] {
      if let text = text?.displayed { parts.append(element(name, text)) }
    }
    if let duration = entry.duration, duration > .zero {
      parts.append(element("duration", "\(milliseconds(duration))"))
    }
    return parts
  }

  /// The references to the places of an entry, for XSPF and JSPF.
  static func locations(of place: PlaylistFileEntry.Place) -> [String] {
    switch place {
    case .path(let path): [reference(to: path)]
    case .file(let url): [url.text]
    case .urls(let urls): urls.map(\.text)
    // It need not be a reference.
    case .line: []
    }
  }

  static func milliseconds(_ duration: Duration) -> Int64 { Int64((duration.inSeconds * 1000).rounded()) }

  private static func element(_ name: String, _ text: String) -> String { "<\(name)>\(escaped(text))</\(name)>" }

  /// Two code points that XML does not allow become spaces. `displayed` has removed all others (XML 1.0, 2.2).
  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\u{FFFE}", "\u{FFFF}": escaped.append(" ")
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// Everything but unreserved characters and slashes is percent-encoded (RFC 3986 §2.3), so that no name looks like a
  /// scheme, a query or a fragment.
  private static func reference(to path: LibraryPath) -> String {
    path.text.utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.utf8.count < 2 ? "%0\(digits)" : "%\(digits)"
      }
    }
  }
}
