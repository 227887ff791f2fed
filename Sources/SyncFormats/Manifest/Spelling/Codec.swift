// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// One way to spell a value in a manifest, in both directions.
struct Codec<Value>: Sendable {
  let expected: Expectation
  /// The schema of the values that it reads.
  let schema: @Sendable () -> Schema
  /// Returns nil after having reported the problem.
  let read: @Sendable (Field, ReadingContext) -> Value?
  let write: @Sendable (Value) -> ManifestText

  /// - Parameter schema: that of the expectation by default.
  init(
    _ expected: Expectation, schema: (@Sendable () -> Schema)? = nil,
    read: @escaping @Sendable (Field, ReadingContext) -> Value?, write: @escaping @Sendable (Value) -> ManifestText
  ) {
    self.expected = expected
    self.schema = schema ?? { Schema(expected) }
    self.read = read
    self.write = write
  }

  /// A value that is written as one scalar. `parse` returns nil for text that does not have the expected form at all.
  static func scalar(
    _ expected: Expectation, schema: (@Sendable () -> Schema)? = nil,
    parse: @escaping @Sendable (ScalarText) throws(ValueProblem) -> Value?,
    write: @escaping @Sendable (Value) -> ManifestText
  ) -> Codec {
    Codec(
      expected, schema: schema,
      read: { field, context in
        guard let scalar = context.scalar(field, expecting: expected) else { return nil }
        do throws(ValueProblem) {
          if let value = try parse(scalar) { return value }
          context.report(.wrongType(expected: expected, found: scalar.found), of: field)
        } catch {
          context.report(error, of: field)
        }
        return nil
      }, write: write)
  }

  /// `none` for nil.
  static func orNone<Wrapped: Sendable>(_ codec: Codec<Wrapped>) -> Codec where Value == Wrapped? {
    codec.or("none")
  }

  /// `never` for nil.
  static func orNever<Wrapped: Sendable>(_ codec: Codec<Wrapped>) -> Codec where Value == Wrapped? {
    codec.or("never")
  }
}

extension Codec where Value: Sendable {
  fileprivate func or(_ word: String) -> Codec<Value?> {
    // A key that accepts any text also accepts these words as text.
    let others = [.text, .path].contains(expected) ? [] : ["none", "never", "off", "no"].filter { $0 != word }
    return Codec<Value?>(
      expected, schema: { .any([.constant(.string(word)), schema()]) },
      read: { field, context in
        if field.node.holds(word) { return .some(nil) }
        if let other = others.first(where: field.node.holds) {
          context.report(.otherWord(other, meant: word), of: field)
          return nil
        }
        var field = field
        if expected == .integer { field.alternative = word }
        return read(field, context).map(Optional.some)
      },
      write: { $0.map(write) ?? .word(word) })
  }
}

extension Codec where Value == AddressPolicy {
  /// `true`, `false`, or a list of hosts that may have private addresses.
  static let addresses = Codec(
    .privateAccess,
    read: { field, context in
      guard case .sequence(let nodes) = field.node.content else {
        return Codec<Bool>.boolean.read(field, context).map { $0 ? .allowAll : .forbidPrivate }
      }
      return .allow(
        nodes.compactMap {
          Codec<PrivateGrant>.grant.read(Field(section: field.section, key: field.key, node: $0), context)
        })
    },
    write: { policy in
      switch policy {
      case .forbidPrivate: .word("false")
      case .allowAll: .word("true")
      case .allow(let grants): .list(grants.map(Codec<PrivateGrant>.grant.write))
      }
    })
}

extension Codec where Value == PrivateGrant {
  fileprivate static let grant = Codec.scalar(
    .privateAccess, parse: { scalar throws(ValueProblem) in PrivateGrant(scalar.text) }, write: { .string($0.text) })
}
