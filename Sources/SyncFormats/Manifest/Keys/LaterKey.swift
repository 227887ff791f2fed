// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The default of a key that the format has, but that this version does not implement.
enum LaterDefault: Sendable {
  case text(String)
  /// No default: the key has an effect whenever it is there.
  case never
}

extension ManifestKey {
  /// A key that is accepted when its value changes nothing, and refused otherwise: a key without any effect would be a
  /// trap.
  static func later(_ name: String, _ value: LaterDefault) -> ManifestKey {
    ManifestKey(
      name: name, schema: { _ in value.schema },
      read: { field, _, context in value.check(field, context) })
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

extension LaterDefault {
  func check(_ field: Field, _ context: ReadingContext) {
    switch (self, field.node.content) {
    case (.text(let text), .scalar(let scalar)) where scalar.text == text: break
    default: context.report(.key(.notYet(field.path, allowed: spelled)), at: field.node.mark)
    }
  }

  /// Nil without a legal value.
  fileprivate var schema: Schema? {
    switch self {
    // Quotes make no difference.
    case .text("true"): .choice([.bool(true), .string("true")])
    case .text(let text): .constant(.string(text))
    case .never: nil
    }
  }

  private var spelled: String? {
    switch self {
    case .text(let text): text
    case .never: nil
    }
  }
}
