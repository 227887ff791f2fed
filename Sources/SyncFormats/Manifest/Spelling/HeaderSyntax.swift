// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The header fields that a manifest may ask to send (RFC 9110 §5).
enum HeaderSyntax {
  /// Fields that the transfer itself writes: a second one would break resuming, framing or routing.
  private static let reserved: Set<String> = [
    "host", "content-length", "range", "if-range", "accept-encoding", "transfer-encoding", "connection",
  ]

  static func isReserved(_ name: String) -> Bool { reserved.contains(name.lowercased()) }

  /// A token (RFC 9110 §5.6.2).
  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Visible ASCII with blanks between.
  static func isValue(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) }
      && value.utf8.first != 0x20 && value.utf8.last != 0x20 && value.utf8.first != 0x09 && value.utf8.last != 0x09
  }
}

extension ManifestKey where Root == DownloadPolicy {
  /// Header fields of any name; their values are never shown.
  static let headers = ManifestKey(
    name: "headers", schema: { _ in .named(.shared(.text), names: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$") },
    read: { field, root, context in
      guard let pairs = context.pairs(of: field) else { return }
      var known: [String: YAMLMark] = [:]
      for pair in pairs where !pair.key.hasPrefix("x-") {
        let header = Field(section: field.path, key: pair.key, node: pair.value)
        let first = known.updateValue(pair.keyMark, forKey: pair.key.lowercased())
        if let problem = problem(ofName: pair.key, first: first) {
          context.report(.value(key: field.path, .header(problem)), at: pair.keyMark, hidesValue: true)
        } else if let value = headerValue(header, context) {
          root.headers.append(HTTPField(name: pair.key, value: value))
        }
      }
    },
    write: { policy in
      .mapping(policy.headers.map { .init(key: $0.name, value: .string(EffectiveManifest.shownValue(of: $0))) })
    })

  private static func problem(ofName name: String, first: YAMLMark?) -> ValueProblem.HeaderProblem? {
    if let first { return .duplicate(name, firstLine: Int(first.line)) }
    if !HeaderSyntax.isName(name) { return .badName(name) }
    return HeaderSyntax.isReserved(name) ? .reserved(name) : nil
  }

  private static func headerValue(_ field: Field, _ context: ReadingContext) -> String? {
    guard let scalar = context.credential(field) else { return nil }
    guard !scalar.text.isEmpty else {
      context.report(.wrongType(expected: .text, found: scalar.found), of: field)
      return nil
    }
    guard HeaderSyntax.isValue(scalar.text) else {
      context.report(.header(.badValue), of: field, hidesValue: true)
      return nil
    }
    return scalar.text
  }
}
