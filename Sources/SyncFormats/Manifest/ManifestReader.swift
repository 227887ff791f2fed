// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import YAML

/// The result of reading a manifest.
package struct ManifestReading: Equatable, Sendable {
  /// Nil when any finding is an error.
  package let manifest: Manifest?
  /// All findings, in the order of their places.
  package let findings: [Finding]
}

/// The environment that a manifest may refer to.
package struct ManifestEnvironment: Sendable {
  /// The values for `${NAME}`.
  package var variables: [String: String]
  /// The directory for `~`; nil when it is not known.
  package var home: String?
  /// Variables whose values are not UTF-8.
  package var unreadable: Set<String>
  /// Returns true if this machine knows a time zone, as far as it can tell.
  package var knows: @Sendable (ZoneName) -> Bool

  package init(
    variables: [String: String] = [:], home: String? = nil, unreadable: Set<String> = [],
    knows: @escaping @Sendable (ZoneName) -> Bool = { _ in true }
  ) {
    self.variables = variables
    self.home = home
    self.unreadable = unreadable
    self.knows = knows
  }
}

/// Reads a manifest: YAML in, a checked and complete manifest or every problem out.
package enum ManifestReader {
  /// The version of the format that this program reads.
  package static let knownVersion = 1

  /// The size in bytes above which a manifest is refused.
  package static let maximumSize = YAMLLimits().documentSize

  /// - Parameters:
  ///   - directory: the manifest's absolute directory: relative paths begin there.
  ///   - fileStem: the name of a manifest that does not name itself.
  package static func read(
    _ bytes: [UInt8], directory: String, fileStem: String, environment: ManifestEnvironment
  ) -> ManifestReading {
    let context = ReadingContext(directory: directory, environment: environment)
    let draft = read(bytes, in: context)
    let findings = context.sortedFindings
    guard let draft, !findings.contains(where: { $0.severity == .error }) else {
      return ManifestReading(manifest: nil, findings: findings)
    }
    return ManifestReading(manifest: draft.manifest(fileStem: fileStem), findings: findings)
  }

  private static func read(_ bytes: [UInt8], in context: ReadingContext) -> ManifestDraft? {
    let document: YAMLDocument
    do throws(YAMLError) {
      document = try YAMLDocument(bytes)
    } catch {
      context.report(error)
      return nil
    }
    for problem in document.problems { context.report(problem) }
    guard let root = document.root, !root.isNothing else {
      context.report(.document(.empty), at: YAMLMark(line: 1, column: 1))
      return nil
    }
    guard case .mapping = root.content else {
      context.report(.document(.notAMapping), at: root.mark)
      return nil
    }
    guard hasKnownVersion(root, in: context) else { return nil }
    var draft = ManifestDraft()
    ManifestDraft.section.read(Field(section: "", key: "", node: root), into: &draft, context)
    return draft
  }

  /// True if the rest can be read by the rules of this version.
  private static func hasKnownVersion(_ root: YAMLNode, in context: ReadingContext) -> Bool {
    guard let node = root["version"] else {
      context.report(.key(.missing("version", section: "")), at: root.mark)
      return true
    }
    let field = Field(section: "", key: "version", node: node)
    guard let scalar = context.scalar(field, expecting: .integer) else { return true }
    guard scalar.isPlain, !scalar.text.isEmpty else {
      context.report(.wrongType(expected: .integer, found: scalar.found), of: field)
      return true
    }
    guard scalar.text != String(knownVersion) else { return true }
    context.report(.version(scalar.text, known: knownVersion), of: field)
    return false
  }
}
