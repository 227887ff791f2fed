// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259) of the licence protocol, read from a request or written into an answer.
indirect enum LicenseJSON: Equatable, Sendable {
  case null
  case bool(Bool)
  /// The number as it is written.
  case number(String)
  case string(String)
  case array([LicenseJSON])
  case object([Member])

  struct Member: Equatable, Sendable {
    let name: String
    let value: LicenseJSON

    init(_ name: String, _ value: LicenseJSON) {
      self.name = name
      self.value = value
    }
  }

  static func integer(_ value: Int) -> LicenseJSON { .number("\(value)") }

  /// The value of the member with that name.
  subscript(name: String) -> LicenseJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

  /// The texts of an array that has nothing but texts.
  var strings: [String]? {
    guard case .array(let elements) = self else { return nil }
    let texts = elements.compactMap(\.string)
    return texts.count == elements.count ? texts : nil
  }

  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.name)):\($0.value.text)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension LicenseJSON {
  /// Nil when the bytes are not one JSON value in UTF-8, when an object names a member twice, or when it is deeper than
  /// 32 levels.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var reader = Reader(rest: text.unicodeScalars[...])
    guard let value = reader.value(depth: 0), reader.isAtEnd() else { return nil }
    self = value
  }
}

/// Reads a JSON value from the front of a text. Each method returns nil for what is not JSON.
private struct Reader {
  var rest: Substring.UnicodeScalarView
  private static let deepest = 32

  mutating func isAtEnd() -> Bool {
    skipSpace()
    return rest.isEmpty
  }

  mutating func value(depth: Int) -> LicenseJSON? {
    skipSpace()
    guard depth < Self.deepest, let first = rest.first else { return nil }
    switch first {
    case "{": return object(depth)
    case "[": return array(depth)
    case "\"": return string().map { .string($0) }
    case "t": return word("true", .bool(true))
    case "f": return word("false", .bool(false))
    case "n": return word("null", .null)
    default: return number()
    }
  }

  private mutating func object(_ depth: Int) -> LicenseJSON? {
    var members: [LicenseJSON.Member] = []
    let complete = list(until: "}") { reader in
      guard let name = reader.string(), reader.take(":"), let value = reader.value(depth: depth + 1) else {
        return false
      }
      guard !members.contains(where: { $0.name == name }) else { return false }
      members.append(LicenseJSON.Member(name, value))
      return true
    }
    return complete ? .object(members) : nil
  }

  private mutating func array(_ depth: Int) -> LicenseJSON? {
    var elements: [LicenseJSON] = []
    let complete = list(until: "]") { reader in
      guard let value = reader.value(depth: depth + 1) else { return false }
      elements.append(value)
      return true
    }
    return complete ? .array(elements) : nil
  }

  /// Reads what stands between two brackets, with commas between; false when it is not complete.
  private mutating func list(until end: Unicode.Scalar, _ element: (inout Reader) -> Bool) -> Bool {
    rest.removeFirst()
    if take(end) { return true }
    repeat { guard element(&self) else { return false } } while take(",")
    return take(end)
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(text)
      case "\\":
        guard let escaped = escape() else { return nil }
        text.append(escaped)
      default:
        guard scalar.value >= 0x20 else { return nil }
        text.append(scalar)
      }
    }
    return nil
  }

  /// The scalar that an escape stands for, which begins behind its backslash.
  private mutating func escape() -> Unicode.Scalar? {
    let short: [Unicode.Scalar: Unicode.Scalar] = [
      "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t",
    ]
    guard let kind = rest.popFirst() else { return nil }
    guard kind == "u" else { return short[kind] }
    guard let first = codeUnit() else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
    // The second half of a surrogate pair (RFC 8259 §7).
    guard rest.popFirst() == "\\", rest.popFirst() == "u", let second = codeUnit(), (0xDC00..<0xE000).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func codeUnit() -> UInt32? {
    let digits = rest.prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
    rest.removeFirst(4)
    return UInt32(String(digits), radix: 16)
  }

  private mutating func word(_ text: String, _ value: LicenseJSON) -> LicenseJSON? {
    guard rest.starts(with: text.unicodeScalars) else { return nil }
    rest.removeFirst(text.unicodeScalars.count)
    return value
  }

  private mutating func number() -> LicenseJSON? {
    let scalars = rest.prefix { "+-.eE0123456789".unicodeScalars.contains($0) }
    let text = String(scalars)
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil else { return nil }
    rest.removeFirst(scalars.count)
    return .number(text)
  }

  /// Takes that sign if it is the next; space before it is skipped.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == sign else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpace() {
    while let first = rest.first, [" ", "\t", "\n", "\r"].contains(first) { rest.removeFirst() }
  }
}
