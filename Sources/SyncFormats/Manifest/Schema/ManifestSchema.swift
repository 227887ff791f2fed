// SPDX-License-Identifier: Apache-2.0

/// The JSON Schema of the manifest, from the tables that its reader uses.
package enum ManifestSchema {
  /// The name of the file in which it is installed.
  package static let fileName = "syncjob.schema.json"

  /// The line by which editors with yaml-language-server find the schema of a manifest.
  package static func modeline(_ location: String) -> String { "# yaml-language-server: $schema=\(location)\n" }

  /// The schema as a document, two spaces for each level.
  package static func text() -> String {
    let root = ManifestDraft.section.schema(at: "", defaults: ManifestDraft())
    let definitions = SharedSchema.allCases.map { JSONValue.Member($0.rawValue, $0.schema.json) }
    let document = JSONValue.object(
      [
        .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        .init("title", .string("A manifest of syncjob")),
        .init("description", .string(SchemaWords.manifest)),
      ] + root.members + [.init("$defs", .object(definitions))])
    return IndentedJSON.text(of: document) + "\n"
  }
}

/// JSON for people: one member a line. Lists of simple values stay on theirs.
enum IndentedJSON {
  static func text(of value: JSONValue, indent: String = "") -> String {
    let deeper = indent + "  "
    switch value {
    case .object(let members) where !members.isEmpty && !isShort(value):
      let lines = members.map { "\(deeper)\(compact(.string($0.name))): \(text(of: $0.value, indent: deeper))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .array(let elements) where !isShort(value):
      let lines = elements.map { deeper + text(of: $0, indent: deeper) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    default: return spaced(value)
    }
  }

  /// True for a value that fits a line and holds nothing nested.
  private static func isShort(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let members): members.allSatisfy { isShort($0.value) && !isContainer($0.value) } && fits(value)
    case .array(let elements): elements.allSatisfy { !isContainer($0) } && fits(value)
    default: true
    }
  }

  private static func isContainer(_ value: JSONValue) -> Bool {
    switch value {
    case .object, .array: true
    default: false
    }
  }

  private static func fits(_ value: JSONValue) -> Bool { compact(value).utf8.count <= 72 }

  private static func spaced(_ value: JSONValue) -> String {
    switch value {
    case .object(let members) where !members.isEmpty:
      "{ " + members.map { "\(compact(.string($0.name))): \(spaced($0.value))" }.joined(separator: ", ") + " }"
    case .array(let elements): "[" + elements.map(spaced).joined(separator: ", ") + "]"
    default: compact(value)
    }
  }

  private static func compact(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
