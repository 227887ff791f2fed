// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension Codec where Value == String {
  /// Any text that is not empty.
  static let text = Codec.scalar(
    .text, parse: { scalar throws(ValueProblem) in scalar.text.isEmpty ? nil : scalar.text },
    write: { .string($0) })

  /// The name of lock, metrics and reports, so it must be a valid file name.
  static let manifestName = Codec.scalar(
    .text,
    schema: { Schema.shared(.text).with("maxLength", .integer(128)).with("pattern", .string("^(?!\\.{1,2}$)[^/]+$")) },
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      let isFileName =
        scalar.text.utf8.count <= 128 && !scalar.text.contains("/") && !scalar.text.hasControlCharacters
        && scalar.text != "." && scalar.text != ".."
      guard isFileName else { throw .manifestName(scalar.text) }
      return scalar.text
    }, write: { .string($0) })

  /// A value that may be sent in a header field.
  static let headerValue = Codec.scalar(
    .text,
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      guard HeaderSyntax.isValue(scalar.text) else { throw .header(.badValue) }
      return scalar.text
    }, write: { .string($0) })
}

extension Codec where Value == Bool {
  static let boolean = Codec.scalar(
    .boolean,
    parse: { scalar throws(ValueProblem) in
      switch scalar.text {
      case _ where !scalar.isPlain: nil
      case "true": true
      case "false": false
      default: nil
      }
    }, write: { .word(String($0)) })
}

extension Codec where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of the names of an enumeration.
  static var choice: Codec {
    .scalar(
      .choice(Value.allCases.map(\.rawValue)),
      parse: { scalar throws(ValueProblem) in Value(rawValue: scalar.text) }, write: { .word($0.rawValue) })
  }
}

extension Codec where Value == TLSPolicy.Version {
  /// Written in quotes, since to YAML a bare one is a number.
  static let tlsVersion = Codec.scalar(
    choice.expected,
    // A bare one is a number to an editor, but not to the reader.
    schema: { .any([.choice([.string("1.2"), .string("1.3"), .double(1.2), .double(1.3)]), .shared(.variable)]) },
    parse: { scalar throws(ValueProblem) in Value(rawValue: scalar.text) },
    write: { .word("\"\($0.rawValue)\"") })
}

extension Codec where Value == ItemID {
  static let itemID = Codec.scalar(
    .text, schema: { Schema.shared(.text).with("maxLength", .integer(512)) },
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      guard let id = ItemID(scalar.text) else { throw .itemID(scalar.text) }
      return id
    }, write: { .string($0.text) })
}

extension Codec where Value == LayoutTemplate {
  static let layout = Codec.scalar(
    .text,
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      do throws(LayoutTemplate.Problem) {
        return try LayoutTemplate(scalar.text)
      } catch {
        throw .layout(error)
      }
    }, write: { .string($0.text) })
}

extension Codec where Value == Checksum {
  static let checksum = Codec.scalar(
    .checksum, parse: { scalar throws(ValueProblem) in Checksum(scalar.text) }, write: { .word($0.text) })
}
