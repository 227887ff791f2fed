// SPDX-License-Identifier: Apache-2.0
import SyncFormats

/// The part of JSON Schema 2020-12 that the schema of the manifest uses. A scenario test compares the schema with a
/// complete validator.
struct SchemaCheck {
  let root: JSONValue
  private let patterns: [String: Regex<AnyRegexOutput>]

  init(_ text: String) throws {
    root = try JSONValue(parsing: Array(text.utf8))
    var patterns: [String: Regex<AnyRegexOutput>] = [:]
    try Self.collect(root, into: &patterns)
    self.patterns = patterns
  }

  private static func collect(_ value: JSONValue, into patterns: inout [String: Regex<AnyRegexOutput>]) throws {
    switch value {
    case .array(let elements): for element in elements { try collect(element, into: &patterns) }
    case .object(let members):
      for member in members {
        if member.name == "pattern", let text = member.value.string { patterns[text] = try Regex(text) }
        try collect(member.value, into: &patterns)
      }
    default: break
    }
  }

  func accepts(_ value: JSONValue) -> Bool { accepts(value, root) }

  /// The schema that a reference means, or the schema itself.
  func resolved(_ schema: JSONValue) -> JSONValue {
    guard let name = schema["$ref"]?.string?.split(separator: "/").last else { return schema }
    return root["$defs"]?[String(name)] ?? .null
  }

  func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard case .object(let rules) = schema else { return schema != .bool(false) }
    return rules.allSatisfy { holds($0, for: value, schema) }
  }

  private func holds(_ rule: JSONValue.Member, for value: JSONValue, _ schema: JSONValue) -> Bool {
    let parts = rule.value.array ?? []
    switch rule.name {
    case "$ref": return accepts(value, resolved(schema))
    case "type": return (rule.value.string.map { [$0] } ?? parts.compactMap(\.string)).contains { isA($0, value) }
    case "const": return equal(value, rule.value)
    case "enum": return parts.contains { equal(value, $0) }
    case "anyOf": return parts.contains { accepts(value, $0) }
    case "allOf": return parts.allSatisfy { accepts(value, $0) }
    case "oneOf": return parts.count { accepts(value, $0) } == 1
    case "not": return !accepts(value, rule.value)
    case "minimum": return value.double.map { $0 >= rule.value.double ?? 0 } ?? true
    case "maximum": return value.double.map { $0 <= rule.value.double ?? 0 } ?? true
    case "minLength": return value.string.map { $0.unicodeScalars.count >= Int(rule.value.integer ?? 0) } ?? true
    case "maxLength": return value.string.map { $0.unicodeScalars.count <= Int(rule.value.integer ?? 0) } ?? true
    case "pattern": return value.string.map { matches($0, rule.value.string ?? "") } ?? true
    case "items": return value.array.map { $0.allSatisfy { accepts($0, rule.value) } } ?? true
    case "prefixItems": return value.array.map { zip($0, parts).allSatisfy { accepts($0, $1) } } ?? true
    case "minItems": return value.array.map { $0.count >= Int(rule.value.integer ?? 0) } ?? true
    case "maxItems": return value.array.map { $0.count <= Int(rule.value.integer ?? 0) } ?? true
    default: return holdsForMembers(rule, value, schema)
    }
  }

  private func holdsForMembers(_ rule: JSONValue.Member, _ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard case .object(let members) = value else { return true }
    func isIgnored(_ name: String) -> Bool { schema["patternProperties"] != nil && name.hasPrefix("x-") }
    switch rule.name {
    case "required": return (rule.value.array ?? []).compactMap(\.string).allSatisfy { value[$0] != nil }
    case "properties":
      return members.allSatisfy { member in rule.value[member.name].map { accepts(member.value, $0) } ?? true }
    case "propertyNames": return members.allSatisfy { accepts(.string($0.name), rule.value) }
    case "additionalProperties":
      return members.allSatisfy { member in
        schema["properties"]?[member.name] != nil || isIgnored(member.name) || accepts(member.value, rule.value)
      }
    case "dependentSchemas":
      guard case .object(let rules) = rule.value else { return true }
      return rules.allSatisfy { value[$0.name] == nil || accepts(value, $0.value) }
    default: return true
    }
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    guard let regex = patterns[pattern] else { return false }
    return text.firstMatch(of: regex) != nil
  }

  private func isA(_ type: String, _ value: JSONValue) -> Bool {
    switch value {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .integer: type == "integer" || type == "number"
    case .double: type == "number"
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }

  private func equal(_ a: JSONValue, _ b: JSONValue) -> Bool { a.double.map { $0 == b.double } ?? (a == b) }
}

/// Makes random manifests from the schema.
struct SchemaDraw {
  let check: SchemaCheck
  var random: SplitMix

  mutating func manifest() -> JSONValue { value(check.root, key: "") }

  private mutating func value(_ schema: JSONValue, key: String) -> JSONValue {
    // A section may have the name of a key with a value of its own.
    if let samples = Self.samplesOfKeys[key], schema["properties"] == nil,
      key == "since" || random.number(below: 10) > 0
    {
      return random.element(of: samples)
    }
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      let minimum = schema["minimum"]?.double ?? 0
      // The schema does not know how long a text such as "250ms" is.
      let samples = (Self.samples[String(name)] ?? []).filter { sample in
        (sample.double.map { $0 >= minimum } ?? (minimum == 0 || sample != .string("250ms")))
          && check.accepts(sample, schema)
      }
      return random.element(of: samples)
    }
    if let constant = schema["const"] { return constant }
    if let values = schema["enum"]?.array { return random.element(of: values) }
    if let parts = schema["anyOf"]?.array, schema["properties"] == nil {
      // A variable fits if its value does, which the schema cannot know.
      let known = parts.filter { $0["$ref"]?.string != "#/$defs/variable" }
      return value(random.element(of: known), key: key)
    }
    if schema["properties"] != nil { return mapping(schema) }
    if let named = schema["additionalProperties"] { return names(named, key: key) }
    if let element = schema["items"] {
      let least = Int(schema["minItems"]?.integer ?? 0)
      return .array((0..<Int.random(in: least...(least + 2), using: &random)).map { _ in value(element, key: "") })
    }
    return .integer(number(schema))
  }

  private mutating func number(_ schema: JSONValue) -> Int64 {
    let least = schema["minimum"]?.integer ?? 0
    return Int64.random(in: least...max(least, min(schema["maximum"]?.integer ?? 5000, 5000)), using: &random)
  }

  private mutating func names(_ schema: JSONValue, key: String) -> JSONValue {
    let names = ["headers": ["Accept", "X-Lab"], "servers": ["home"]][key] ?? ["commute", "news.2", "0-a_b"]
    return .object(names.prefix(random.number(below: names.count + 1)).map { .init($0, value(schema, key: "")) })
  }

  /// Some of the keys, until the rules between them hold.
  private mutating func mapping(_ schema: JSONValue) -> JSONValue {
    guard case .object(let properties)? = schema["properties"] else { return .object([]) }
    let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
    for _ in 0..<400 {
      let share = random.number(below: 8)
      let chosen = properties.filter { required.contains($0.name) || random.number(below: 10) < share }
      // The rules are about keys, not values.
      let keys = JSONValue.object(chosen.map { .init($0.name, .null) })
      let rules = JSONValue.object(
        ["allOf", "anyOf", "oneOf", "dependentSchemas"].compactMap { name in schema[name].map { .init(name, $0) } })
      guard check.accepts(keys, rules) else { continue }
      var members = chosen.map { JSONValue.Member($0.name, value($0.value, key: $0.name)) }
      if random.number(below: 8) == 0 { members.append(.init("x-mine", .array([.string("anything")]))) }
      return .object(members)
    }
    return .object([])
  }

  private static let samplesOfKeys: [String: [JSONValue]] = [
    "layout": [.string("{playlist}/{title}.{ext}"), .string("{id}.{ext}")],
    "search": [.string("none"), .string("night drive")],
    "proxy": [.string("env"), .string("http://proxy.example.net:3128")],
    "timezone": [.string("Europe/Berlin"), .string("+01:00")], "prefix": [.string("music/")],
    "pins": [.array([.string("sha256//\(String(repeating: "A", count: 43))=")]), .array([])],
    "scope": [.array([.string("media.example.net")]), .array([])], "type": [.string("subsonic")],
    "allow_private": [.bool(false), .array([.string("nas.local"), .string("192.168.1.0/24")])],
    "since": [.string("none"), .string("2026-01-05"), .string("30d")], "user": [.string("anna")],
    "server": [.string("home")], "device": [.string("car"), .string("Car_1.x-y"), .integer(2024)],
  ]

  private static let samples: [String: [JSONValue]] = [
    "boolean": [.bool(true), .bool(false)],
    "text": [.string("Night Drive"), .string("${SET}"), .string("no"), .integer(1999), .bool(true), .double(1.5)],
    "size": [.integer(1_048_576), .string("8.6MB"), .string("10GiB"), .string("512 KB"), .string("7")],
    "duration": [.integer(90), .double(1.5), .string("1h30m"), .string("3:45"), .string("1:02:03"), .string("250ms")],
    "age": [.integer(0), .string("7d"), .string("1.5h"), .string("0"), .string("1:00")],
    "date": [.string("2026-01-05"), .string("2026-01-05T06:00:00+01:00"), .string("2026-01-05 06:00:00.5z")],
    "percentage": [.string("85%"), .string("99.5%"), .string("0%"), .string("100%"), .string("007.50%")],
    "rate": [
      .integer(4096), .string("off"), .string("512K"), .string("1.5MiB"), .string("08:00,512K 23:00,off Sat-08:00,2M"),
    ],
    "checksum": [.string("md5:d41d8cd98f00b204e9800998ecf8427e")],
    "url": [.string("https://media.example.net/a.mp3"), .string("HTTP://example.org")],
    "path": [.string("./library"), .string("~/Music"), .string("~"), .integer(2024)],
    "location": [.string("lists/road.m3u"), .string("https://feeds.example.org/world.rss")],
  ]
}
