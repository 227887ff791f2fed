// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The default of a key that the format has, but that this version does not implement.
indirect enum LaterDefault: Sendable {
  case text(String)
  case emptyMapping, emptyList
  case mapping([(name: String, value: LaterDefault)])
  /// No default: the key has an effect whenever it is there.
  case never
}

extension ManifestKey {
  /// A key that is accepted when its value changes nothing, and refused otherwise: a key without any effect would be a
  /// trap.
  static func later(_ name: String, _ value: LaterDefault) -> ManifestKey {
    ManifestKey(
      name: name, paths: value.paths, schema: { value.schema(at: $0.path) },
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
    case (.emptyMapping, .mapping(let pairs)) where pairs.isEmpty: break
    case (.emptyList, .sequence(let nodes)) where nodes.isEmpty: break
    case (.mapping(let known), .mapping(let pairs)): check(pairs, known, in: field.path, context)
    case (.emptyMapping, _) where field.node.isNothing, (.emptyList, _) where field.node.isNothing,
      (.mapping, _) where field.node.isNothing:
      break
    default: context.report(.key(.notYet(field.path, allowed: spelled)), at: field.node.mark)
    }
  }

  private func check(
    _ pairs: [YAMLPair], _ known: [(name: String, value: LaterDefault)], in section: String, _ context: ReadingContext
  ) {
    for pair in pairs where !pair.key.hasPrefix("x-") {
      if let entry = known.first(where: { $0.name == pair.key }) {
        entry.value.check(Field(section: section, key: pair.key, node: pair.value), context)
      } else {
        context.reportUnknown(pair, in: section, known: known.map(\.name))
      }
    }
  }

  fileprivate var paths: [String] {
    if case .mapping(let entries) = self { entries.map(\.name) } else { [] }
  }

  /// Nil without a legal value.
  fileprivate func schema(at path: String) -> Schema? {
    switch self {
    // Quotes make no difference.
    case .text("true"): .choice([.bool(true), .string("true")])
    case .text(let text): .constant(.string(text))
    case .emptyMapping: Section<Void>([]).schema(at: path)
    case .emptyList: Schema.list(of: Schema([])).with("maxItems", .integer(0))
    case .mapping(let entries):
      Section<Void>(
        entries.map { entry in
          ManifestKey(name: entry.name, schema: { entry.value.schema(at: $0.path) }, read: { _, _, _ in })
        }
      ).schema(at: path)
    case .never: nil
    }
  }

  private var spelled: String? {
    switch self {
    case .text(let text): text
    case .emptyMapping: "{}"
    case .emptyList: "[]"
    case .mapping, .never: nil
    }
  }
}
