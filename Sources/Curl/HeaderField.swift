// SPDX-License-Identifier: Apache-2.0

/// One header field, either received or to be sent (RFC 9110 §5).
package struct HeaderField: Hashable, Sendable {
  /// The reason why a field must not be sent.
  package enum Problem: Error, Hashable, Sendable {
    /// The name is not a token (RFC 9110 §5.1).
    case badName(String)
    /// The value contains CR, LF or NUL and could start another field.
    /// The value is left out because it may be a secret.
    case badValue(ofField: String)
  }

  package let name: String
  package let value: String
  /// True if the value was received in bytes that are not UTF-8. Each of its characters is then one byte.
  private let isLatin1: Bool

  /// Creates a field to send.
  package init(sending name: String, _ value: String) throws(Problem) {
    guard Self.isToken(name) else { throw .badName(name) }
    guard value.utf8.allSatisfy({ $0 != 0x0D && $0 != 0x0A && $0 != 0 }) else { throw .badValue(ofField: name) }
    self.init(received: name, value)
  }

  init(received name: String, _ value: String) { (self.name, self.value, isLatin1) = (name, value, false) }

  /// Decodes a value as UTF-8 if its bytes are valid, otherwise as Latin-1 (RFC 9110 §5.5).
  init(received name: String, octets: [UInt8]) {
    self.name = name
    let text = String(validating: octets, as: UTF8.self)
    value = text ?? String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
    isLatin1 = text == nil
  }

  /// The bytes of the value as received.
  var octets: [UInt8] {
    isLatin1 ? value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(value.utf8)
  }

  /// Compares ASCII letters without regard to case (RFC 9110 §5.1).
  func isNamed(_ other: String) -> Bool {
    name.utf8.elementsEqual(other.utf8) { lowercase($0) == lowercase($1) }
  }

  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
