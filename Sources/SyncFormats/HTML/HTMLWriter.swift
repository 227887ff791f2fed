// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Writes a document of HTML (WHATWG HTML, "Serializing HTML fragments"). All text is escaped.
struct HTMLWriter {
  private(set) var text = ""

  /// Writes an element with its contents.
  mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ contents: (inout HTMLWriter) -> Void
  ) {
    open(name, attributes)
    contents(&self)
    text += "</\(name)>"
  }

  /// Writes an element that holds text.
  mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String>, _ text: String) {
    element(name, attributes) { $0.write(text) }
  }

  mutating func element(_ name: String, _ text: String) { element(name, [:], text) }

  /// Writes the beginning of an element; the only part of one without contents, such as `meta`.
  mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
    text += ">"
  }

  mutating func write(_ text: String) { self.text += Self.escaped(text) }

  /// Writes text that is HTML already, or the contents of a script or a style.
  mutating func verbatim(_ html: String) { text += html }

  /// Control characters and those that turn the direction of text are shown as `\u{202E}`.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x7F || $0 < 0x20 || $0 == 0x22 || $0 == 0x26 || $0 == 0x3C || $0 == 0x3E })
    else { return text }
    var escaped = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
