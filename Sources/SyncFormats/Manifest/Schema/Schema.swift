// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A JSON Schema (2020-12) of a part of the manifest.
///
/// From the tables of keys come schemas, by way of `SchemaPlace` and `SectionRule`. Nothing is read or written.
struct Schema: Hashable, Sendable {
  private(set) var members: [JSONValue.Member]

  init(_ members: [JSONValue.Member]) { self.members = members }

  var json: JSONValue { .object(members) }

  // MARK: Simple values

  /// A reference to a value that many keys share.
  static func shared(_ value: SharedSchema) -> Schema {
    Schema([.init("$ref", .string("#/$defs/\(value.rawValue)"))])
  }

  static func constant(_ value: JSONValue) -> Schema { Schema([.init("const", value)]) }

  static func choice(_ values: [JSONValue]) -> Schema { Schema([.init("enum", .array(values))]) }

  static func pattern(_ pattern: String) -> Schema {
    Schema([.init("type", .string("string")), .init("pattern", .string(pattern))])
  }

  /// Everything that fits one of the schemas. Those without a choice of their own keep their place.
  static func any(_ schemas: [Schema]) -> Schema {
    let flat = schemas.flatMap { schema -> [JSONValue] in
      schema.members.count == 1 && schema.members[0].name == "anyOf"
        ? schema.members[0].value.array ?? [] : [schema.json]
    }
    var known: Set<JSONValue> = []
    return Schema([.init("anyOf", .array(flat.filter { known.insert($0).inserted }))])
  }

  static func integer(_ range: ClosedRange<Int>) -> Schema {
    any([
      Schema([
        .init("type", .string("integer")), .init("minimum", .integer(Int64(range.lowerBound))),
        .init("maximum", .integer(Int64(range.upperBound))),
      ]), .shared(.variable),
    ])
  }

  static func list(of elements: Schema, atLeast count: Int = 0) -> Schema {
    // A key without a value is an empty list.
    let type: JSONValue = count > 0 ? .string("array") : .array([.string("array"), .string("null")])
    var members: [JSONValue.Member] = [.init("type", type), .init("items", elements.json)]
    if count > 0 { members.append(.init("minItems", .integer(Int64(count)))) }
    return Schema(members)
  }

  /// A program and its arguments, which may be empty. A path of the program is not below the home of another user.
  static let command = Schema(
    list(of: Schema([.init("type", .array([.string("string"), .string("number"), .string("boolean")]))]), atLeast: 1)
      .members + [
        .init(
          "allOf",
          .array([
            .object([
              .init(
                "prefixItems",
                .array([.object([.init("minLength", .integer(1)), .init("not", Schema.pattern("^~[^/]+/").json)])]))
            ])
          ]))
      ])

  /// One value, or a list of such values.
  static func oneOrMore(_ element: Schema, atLeast count: Int = 0) -> Schema {
    any([
      element,
      Schema([
        .init("type", .string("array")), .init("items", element.json), .init("minItems", .integer(Int64(count))),
      ]),
    ])
  }

  /// A mapping from names that the user chooses.
  static func named(_ value: Schema, names: String) -> Schema {
    Schema([
      .init("type", .array([.string("object"), .string("null")])),
      .init("propertyNames", Schema.pattern("^x-|\(names)").json),
      .init("patternProperties", .object([.init("^x-", .bool(true))])),
      .init("additionalProperties", value.json),
    ])
  }

  // MARK: Additions

  /// The same schema with a rule beside it.
  func with(_ name: String, _ value: JSONValue) -> Schema { Schema(members + [.init(name, value)]) }

  /// The same schema with a sentence about it. A sentence of its own stays.
  func described(_ sentence: String?) -> Schema {
    guard let sentence, !members.contains(where: { $0.name == "description" }) else { return self }
    return Schema([.init("description", .string(sentence))] + members)
  }

  /// The same schema with the value that applies without the key.
  func with(default value: ManifestText?) -> Schema {
    guard let value else { return self }
    return with("default", value.json)
  }
}

extension ManifestText {
  /// The value as the core schema of YAML 1.2 reads it.
  var json: JSONValue {
    switch self {
    case .word("true"): .bool(true)
    case .word("false"): .bool(false)
    case .word(let text): Int64(text).map { .integer($0) } ?? .string(text.filter { $0 != "\"" })
    case .string(let text): .string(text)
    case .list(let elements): .array(elements.map(\.json))
    case .mapping(let entries): .object(entries.map { JSONValue.Member($0.key, $0.value.json) })
    }
  }
}

/// A key of the manifest for which a schema is made.
struct SchemaPlace<Root> {
  /// The dotted path of the key.
  let path: String
  /// The values that apply when nothing is declared. Nil if the key has none.
  let defaults: Root?
}
