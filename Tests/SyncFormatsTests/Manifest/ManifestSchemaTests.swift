// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncTestSupport
import Testing

@Suite("the schema says what the reader accepts")
struct ManifestSchemaTests {
  @Test("every key has a sentence, and every sentence a key")
  func sentences() throws {
    var used: Set<String> = []
    var paths: [String] = []
    func walk(_ schema: JSONValue, _ path: String) {
      if case .object(let properties)? = schema["properties"] {
        for property in properties {
          let below = path.isEmpty ? property.name : "\(path).\(property.name)"
          paths.append(below)
          #expect(property.value["description"]?.string?.hasSuffix(".") == true, "\(below) has no sentence")
          if let name = SchemaWords.name(of: below) { used.insert(name) }
          walk(property.value, below)
        }
      } else if let named = schema["additionalProperties"] {
        walk(named, "\(path).NAME")
      }
      if let element = schema["items"] { walk(element, path) }
      for part in schema["anyOf"]?.array ?? [] { walk(part, path) }
    }
    walk(try SchemaCheck(ManifestSchema.text()).root, "")
    #expect(paths.count > 150)
    #expect(SchemaWords.names.subtracting(used) == [], "sentences without a key")
  }

  @Test("the reader accepts manifests that are made from the schema", arguments: 1...6)
  func generated(seed: UInt64) throws {
    var draw = SchemaDraw(check: try SchemaCheck(ManifestSchema.text()), random: SplitMix(state: seed))
    var accepted = 0
    for _ in 0..<60 {
      let manifest = draw.manifest()
      let isAccepted = draw.check.accepts(manifest)
      #expect(isAccepted, "\(text(manifest))")
      let errors = errors(manifest)
      if errors.isEmpty { accepted += 1 }
      #expect(errors.filter { !isBeyondSchema($0) } == [], "\(text(manifest))")
    }
    #expect(accepted > 10, "most would break a rule between values")
  }

  @Test("the schema refuses what the reader refuses, and nothing else", arguments: 1...6)
  func mutants(seed: UInt64) throws {
    var draw = SchemaDraw(check: try SchemaCheck(ManifestSchema.text()), random: SplitMix(state: seed &+ 1000))
    var refused = 0
    for _ in 0..<60 {
      let manifest = draw.manifest()
      guard errors(manifest).isEmpty else { continue }
      for _ in 0..<15 {
        let mutant = ManifestMutation.of(manifest, &draw.random)
        let errors = errors(mutant)
        let isAccepted = draw.check.accepts(mutant)
        if errors.isEmpty {
          #expect(isAccepted, "the reader accepts \(text(mutant))")
        } else if !errors.allSatisfy(isBeyondSchema) {
          refused += 1
          #expect(!isAccepted, "\(errors) in \(text(mutant))")
        }
      }
    }
    #expect(refused > 100)
  }

  /// True for the problems that a schema cannot express: rules between values, and languages of their own.
  private func isBeyondSchema(_ fact: Finding.Fact) -> Bool {
    switch fact {
    case .rule: true
    // The shortest duration, whatever its unit.
    case .value("licenses.valid_for", .outOfRange): true
    case .value(_, let problem):
      switch problem {
      case .layout, .titlePattern, .itemType, .search, .timezone, .unknownTimezone, .pathPrefix, .scope, .pin, .proxy,
        .header, .extractionTarget, .extractionArgument, .mergedFormat, .unsendable, .serverURL, .providerURL,
        .oauthScope, .itemID:
        true
      default: false
      }
    default: false
    }
  }

  private func errors(_ manifest: JSONValue) -> [Finding.Fact] {
    let environment = ManifestEnvironment(variables: ["SET": "set"], home: "/home/u")
    let reading = ManifestReader.read(
      Array(text(manifest).utf8), directory: "/m", fileStem: "x", environment: environment)
    return reading.findings.filter { $0.severity == .error }.map(\.fact)
  }

  /// JSON is YAML.
  private func text(_ manifest: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(manifest)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// One random mistake in a manifest.
enum ManifestMutation {
  static func of(_ value: JSONValue, _ random: inout SplitMix) -> JSONValue {
    switch value {
    case .object(var members) where !members.isEmpty && random.number(below: 5) > 0:
      let position = random.number(below: members.count)
      switch random.number(below: 8) {
      case 0: members.remove(at: position)
      case 1: members.append(.init("nonsense", .string("a")))
      default: members[position].value = of(members[position].value, &random)
      }
      return .object(members)
    case .array(var elements) where !elements.isEmpty && random.number(below: 5) > 0:
      let position = random.number(below: elements.count)
      elements[position] = of(elements[position], &random)
      return .array(elements)
    default: return random.element(of: wrong)
    }
  }

  private static let wrong: [JSONValue] = [
    .array([]), .object([]), .string(""), .string("a b"), .string("10G"), .integer(-1), .integer(0), .double(1.5),
    .integer(1_000_000_000), .bool(true), .array([.array([])]), .array([.string("a")]), .string("101%"),
    .string("~anna/x"), .string("ftp://example.net/a"), .string("none"), .string("-5s"), .string("7"), .string("1h"),
    .object([.init("min", .string("3"))]), .object([.init("x-only", .bool(true))]), .string("2026-13-01"),
  ]
}
