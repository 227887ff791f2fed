// SPDX-License-Identifier: Apache-2.0

/// A rule about the keys of one mapping, for the schema. The section's check reports the same in its own words.
enum SectionRule: Hashable, Sendable {
  case required([String])
  /// Exactly one of the keys.
  case oneOf([String])
  case atMostOneOf([String])
  case anyOf([String])
  /// With the key, one of the others.
  case needs(String, anyOf: [String])
  /// With the key, none of the others.
  case excludes(String, [String])

  /// True if a mapping without keys breaks it.
  var needsKeys: Bool {
    switch self {
    case .required, .oneOf, .anyOf: true
    case .atMostOneOf, .needs, .excludes: false
    }
  }

  /// A schema of its own.
  var schema: Schema {
    switch self {
    case .required(let keys): Schema([.init("required", .array(keys.map { .string($0) }))])
    case .oneOf(let keys): Schema([.init("oneOf", .array(keys.map { Self.has($0).json }))])
    case .atMostOneOf(let keys):
      Schema([.init("oneOf", .array((keys.map { Self.has($0) } + [Self.hasNone(of: keys)]).map(\.json)))])
    case .anyOf(let keys): Self.hasAny(of: keys)
    case .needs(let key, let others):
      Schema([.init("dependentSchemas", .object([.init(key, Self.hasAny(of: others).json)]))])
    case .excludes(let key, let others):
      Schema([.init("dependentSchemas", .object([.init(key, Self.hasNone(of: others).json)]))])
    }
  }

  private static func has(_ key: String) -> Schema { Schema([.init("required", .array([.string(key)]))]) }

  private static func hasAny(of keys: [String]) -> Schema {
    keys.count == 1 ? has(keys[0]) : Schema([.init("anyOf", .array(keys.map { has($0).json }))])
  }

  private static func hasNone(of keys: [String]) -> Schema { Schema([.init("not", hasAny(of: keys).json)]) }
}

extension Section {
  /// The schema of a mapping with these keys, and no others but those that begin with `x-`.
  /// - Parameters:
  ///   - path: the dotted path of the mapping; empty for the manifest itself.
  ///   - isElement: true for an element of a list, which must be a mapping.
  func schema(at path: String, defaults: Root? = nil, isElement: Bool = false) -> Schema {
    let properties = keys.compactMap { key -> JSONValue.Member? in
      let below = path.isEmpty ? key.name : "\(path).\(key.name)"
      guard let schema = key.schema(SchemaPlace(path: below, defaults: defaults)) else { return nil }
      return JSONValue.Member(key.name, schema.described(SchemaWords.sentence(below)).json)
    }
    // An empty mapping declares nothing.
    let isNeeded = isElement || rules.contains(where: \.needsKeys)
    var members: [JSONValue.Member] = [
      .init("type", isNeeded ? .string("object") : .array([.string("object"), .string("null")])),
      .init("properties", .object(properties)),
      .init("patternProperties", .object([.init("^x-", .bool(true))])),
      .init("additionalProperties", .bool(false)),
    ]
    if rules.count == 1 {
      members += rules[0].schema.members
    } else if !rules.isEmpty {
      members.append(.init("allOf", .array(rules.map(\.schema.json))))
    }
    return Schema(members)
  }
}
