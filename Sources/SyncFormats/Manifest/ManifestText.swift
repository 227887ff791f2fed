// SPDX-License-Identifier: Apache-2.0

/// A value to be written into a manifest.
enum ManifestText: Equatable, Sendable {
  /// Spelled by the program: needs no quotes.
  case word(String)
  /// Text from outside: quoted where YAML, or the replacing of variables, would read it as something else.
  case string(String)
  case list([ManifestText])
  case mapping([Entry])

  struct Entry: Equatable, Sendable {
    let key: String
    let value: ManifestText
  }

  /// The lines of a mapping in block style.
  static func lines(of entries: [Entry], indent: String = "") -> String {
    entries.map { indent + quoted($0.key) + ":" + $0.value.behindKey(indent: indent) }.joined()
  }

  /// The text after `key:`, with the line end.
  private func behindKey(indent: String) -> String {
    switch self {
    case .word(let text): " \(text)\n"
    case .string(let text): " \(Self.quoted(text.replacing("$", with: "$$")))\n"
    case .list([]): " []\n"
    case .mapping([]): " {}\n"
    case .list(let elements): "\n" + elements.map { $0.asElement(indent: indent + "  ") }.joined()
    case .mapping(let entries): "\n" + Self.lines(of: entries, indent: indent + "  ")
    }
  }

  private func asElement(indent: String) -> String {
    switch self {
    case .mapping(let entries) where !entries.isEmpty:
      indent + "- " + Self.lines(of: entries, indent: indent + "  ").dropFirst(indent.count + 2)
    default: indent + "-" + behindKey(indent: indent)
    }
  }

  /// The text as it is if nothing in it has a meaning to YAML, otherwise in double quotes (YAML 1.2 §5.7).
  private static func quoted(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.isWrittenAsEscape: result += "\\U" + padded(hex: scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func padded(hex value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetterOrDigit(first) || first == UInt8(ascii: "/"), text.utf8.last != 0x20,
      text.utf8.last != UInt8(ascii: ":")
    else { return false }
    return text.utf8.allSatisfy { isLetterOrDigit($0) || " ._/-+%:".utf8.contains($0) } && !text.contains(": ")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

extension Unicode.Scalar {
  /// True for characters that YAML does not allow unescaped, that break a line for some readers, or that change the
  /// direction of text.
  var isWrittenAsEscape: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE,
      0xFFFF:
      true
    default: false
    }
  }
}
