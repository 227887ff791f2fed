// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import YAML

/// The result of reading a manifest.
package struct ManifestReading: Equatable, Sendable {
  /// Nil when any finding is an error.
  package let manifest: Manifest?
  /// All findings, in the order of their places.
  package let findings: [Finding]
  /// True if secrets were left open because their variables are not set.
  package let hasOpenSecrets: Bool
}

/// The environment that a manifest may refer to.
package struct ManifestEnvironment: Sendable {
  /// The values for `${NAME}`.
  package var variables: [String: String]
  /// The directory for `~`; nil when it is not known.
  package var home: String?
  /// Variables whose values are not UTF-8.
  package var unreadable: Set<String>
  /// True for a command that uses no network: a secret whose variable is not set is no error then.
  package var leavesSecretsOpen = false
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
      return ManifestReading(manifest: nil, findings: findings, hasOpenSecrets: context.hasOpenSecrets)
    }
    return ManifestReading(
      manifest: draft.manifest(fileStem: fileStem), findings: findings, hasOpenSecrets: context.hasOpenSecrets)
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
    context.declared = Declarations(root)
    var draft = ManifestDraft()
    ManifestDraft.section.read(Field(section: "", key: "", node: root), into: &draft, context)
    return draft
  }

  private static func isVersionMisspelt(_ root: YAMLNode) -> Bool {
    guard case .mapping(let pairs) = root.content else { return false }
    let known = ManifestDraft.section.keys.map(\.name)
    return pairs.contains { !known.contains($0.key) && NearestName.of($0.key, among: known) == "version" }
  }

  /// True if the rest can be read by the rules of this version.
  private static func hasKnownVersion(_ root: YAMLNode, in context: ReadingContext) -> Bool {
    guard let node = root["version"] else {
      if !isVersionMisspelt(root) { context.report(.key(.missing("version", section: "")), at: root.mark) }
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

/// A manifest without its playlists: enough to find the library, however long the manifest is.
package enum ManifestHead {
  /// The text without the lines of the top-level key `playlists`; nil when it has no such line.
  ///
  /// Only the beginnings of lines are checked. Where YAML reads them differently, the result is another document: the
  /// caller has to compare its contents with those of the whole.
  package static func bytes(of manifest: [UInt8]) -> [UInt8]? {
    let text = manifest.span
    guard let start = text.lineStart(from: 0, where: { text.begins(with: "playlists:", at: $0) }) else { return nil }
    let end = text.lineStart(from: start + 1) { text.beginsKey(at: $0) } ?? text.count
    return Array(manifest[..<start]) + manifest[end...]
  }
}

extension Span<UInt8> {
  /// The first beginning of a line at `position` or later that is wanted.
  fileprivate func lineStart(from position: Int, where isWanted: (Int) -> Bool) -> Int? {
    var position = position
    while position < count {
      if position == 0 || self[position - 1] == UInt8(ascii: "\n"), isWanted(position) { return position }
      position += 1
    }
    return nil
  }

  fileprivate func begins(with word: StaticString, at position: Int) -> Bool {
    guard count - position >= word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in word.indices.allSatisfy { self[position + $0] == word[$0] } }
  }

  /// True if the line is neither indented nor empty nor a comment.
  fileprivate func beginsKey(at position: Int) -> Bool {
    switch self[position] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "#"): false
    default: true
    }
  }
}

/// Detects, while a manifest is read from its file, a run of blank lines and comments that is longer than the YAML
/// reader accepts. The rest of the file then changes nothing, because even inside a scalar so many lines exceed its
/// limit.
package struct CommentRun {
  /// Several times `YAMLLimits.scalarSize` with its escapes, so that the YAML reader refuses the part read so far.
  package static let limit = 4 << 20

  private enum Line { case blank, comment }

  /// The kind of the last line so far. Nil if it is neither.
  private var line: Line? = .blank
  private var length = 0
  /// True if the reader refuses the manifest, whatever follows.
  package private(set) var isEndless = false

  private let limit: Int

  package init(limit: Int = Self.limit) { self.limit = limit }

  /// Takes the next piece of the file. In most pieces only two lines are inspected: the first, because a line with
  /// other content ends the run, and the last, where another run may begin.
  package mutating func take(_ piece: [UInt8]) {
    var rest = piece[...]
    if line == nil {
      guard let end = rest.firstIndex(where: isLineEnd) else { return }
      rest = rest[end...]
    }
    if let line = Self.line(endingWith: rest, after: line ?? .blank) {
      self.line = line
      length += rest.count
    } else {
      let last = rest.lastIndex(where: isLineEnd).map { rest[$0...] } ?? []
      line = last.isEmpty ? nil : Self.line(endingWith: last, after: .blank)
      length = line == nil ? 0 : last.count
    }
    if length > limit { isEndless = true }
  }

  /// Nil if there is anything but blank lines and comments.
  private static func line(endingWith bytes: ArraySlice<UInt8>, after start: Line) -> Line? {
    var line = start
    for byte in bytes {
      if isLineEnd(byte) {
        line = .blank
      } else if line == .blank, byte == UInt8(ascii: "#") {
        line = .comment
      } else if line == .blank, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") {
        return nil
      }
    }
    return line
  }
}

private func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
