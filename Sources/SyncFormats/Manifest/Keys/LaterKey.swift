// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension ManifestKey {
  /// A key that the format has and that this version does not implement. It is accepted with its default, which changes
  /// nothing, and refused otherwise: a key without any effect would be a trap.
  static func later(_ name: String, _ value: String) -> ManifestKey {
    ManifestKey(
      name: name,
      // Quotes make no difference.
      schema: { _ in value == "true" ? .choice([.bool(true), .string("true")]) : .constant(.string(value)) },
      read: { field, _, context in
        if case .scalar(let scalar) = field.node.content, scalar.text == value { return }
        context.report(.key(.notYet(field.path, allowed: value)), at: field.node.mark)
      })
  }

  /// A key with one legal value.
  static func only(_ name: String, _ value: String) -> ManifestKey {
    ManifestKey(
      name: name, schema: { _ in Schema.choice([.string(value)]).with(default: .word(value)) },
      read: { field, _, context in
        let expected = Expectation.choice([value])
        guard let scalar = context.scalar(field, expecting: expected), scalar.text != value else { return }
        context.report(.wrongType(expected: expected, found: scalar.found), of: field)
      })
  }
}
