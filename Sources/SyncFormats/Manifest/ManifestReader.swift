// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import YAML

/// What a manifest may refer to from outside.
package struct ManifestEnvironment: Sendable {
  package var variables: [String: String]
  /// What `~` stands for; nil leaves it as it is.
  package var home: String?
  package init(variables: [String: String] = [:], home: String? = nil) {
    self.variables = variables
    self.home = home
  }
}

/// A manifest as far as it could be read: whole, or with all that is wrong in it.
package struct ManifestReading: Equatable, Sendable {
  /// Nil when there are findings.
  package var manifest: Manifest?
  /// In the order of the text.
  package var findings: [Finding]
}

package enum ManifestReader {
  /// - Parameters:
  ///   - directory: absolute; what relative paths are relative to.
  ///   - fileStem: the default of `name`.
  package static func read(
    _ bytes: [UInt8], directory: String, fileStem: String, environment: ManifestEnvironment
  ) -> ManifestReading {
    let root: YAMLNode
    do throws(YAMLProblem) { root = try YAMLDocument.read(bytes) } catch {
      return ManifestReading(
        manifest: nil,
        findings: [Finding(ManifestProblem(error.kind), line: error.mark.line, column: error.mark.column)])
    }
    let context = ReadingContext(directory: directory, environment: environment)
    let manifest = read(root, fileStem: fileStem, context)
    let findings = context.findings.enumerated().sorted {
      ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
    }.map(\.element)
    return ManifestReading(manifest: findings.isEmpty ? manifest : nil, findings: findings)
  }

  private static func read(_ root: YAMLNode, fileStem: String, _ context: ReadingContext) -> Manifest? {
    if root.found == .nothing {
      context.report(.empty, at: root)
      return nil
    }
    guard case .mapping = root.value, var top = MappingReader(root, place: "", context: context) else {
      context.report(.notAMapping, at: root)
      return nil
    }
    // A manifest of another version may mean anything: its other keys are not judged.
    guard hasKnownVersion(&top) else { return nil }
    let name = top.text("name") ?? fileStem
    var manifest = Manifest(name: name, library: library(&top) ?? LibrarySettings(path: "/"))
    manifest.storage = storage(&top)
    manifest.downloads = downloads(&top)
    manifest.alternatives = alternatives(&top)
    manifest.checks = checks(&top)
    manifest.features = features(&top)
    manifest.report = report(&top)
    let defaults = PlaylistDefaults(&top)
    manifest.playlists = PlaylistsReader(context: context, defaults: defaults).read(&top)
    top.refuse("tags", unless: "{}")
    top.refuse("servers", unless: "{}")
    top.refuse("history", unless: "[]")
    top.refuse("protect", unless: "{}")
    top.refuse("hooks", unless: "{}")
    top.finish()
    return manifest
  }

  private static func hasKnownVersion(_ top: inout MappingReader) -> Bool {
    guard let node = top.take("version") else {
      top.context.report(.missingVersion, at: top.node)
      return false
    }
    guard case .scalar(let scalar) = node.value, scalar.isPlain, scalar.text == "1" else {
      top.context.report(.unsupportedVersion(found: node.scalarText ?? "…"), at: node)
      return false
    }
    return true
  }

  private static func library(_ top: inout MappingReader) -> LibrarySettings? {
    guard let node = top.take("library") else {
      top.context.report(.missingKey("library", place: ""), at: top.node)
      return nil
    }
    guard var map = MappingReader(node, place: "library", context: top.context) else { return nil }
    defer { map.finish() }
    let hasPath = map.peek("path") != nil
    let path = map.filePath("path")
    if !hasPath { top.context.report(.missingKey("path", place: "library"), at: top.keyNode("library") ?? node) }
    var settings = LibrarySettings(path: path ?? "/")
    if let state = map.statePath(library: settings.path) { settings.state = state }
    if settings.state == settings.path, path != nil {
      top.context.report(.stateIsLibrary, at: map.peek("state") ?? node)
    }
    settings.layout = map.layout("layout")
    settings.profile = map.choice("profile") ?? settings.profile
    settings.requireMount = map.truth("require_mount") ?? settings.requireMount
    return settings
  }
}

extension MappingReader {
  /// Unlike other paths, a relative state folder lies in the library.
  fileprivate mutating func statePath(library: String) -> String? {
    guard let node = peek("state"), let text = node.scalarText, !text.hasPrefix("/"), !text.hasPrefix("~") else {
      return filePath("state")
    }
    _ = take("state")
    return context.text(node, path("state"), .path).map { context.absolute(library + "/" + $0) }
  }
}

extension ManifestProblem {
  init(_ kind: YAMLProblem.Kind) {
    switch kind {
    case .empty: self = .empty
    case .syntax(let detail): self = .notYAML(detail)
    case .notUTF8: self = .notUTF8
    case .nul: self = .nul
    case .secondDocument: self = .secondDocument
    case .tag(let tag): self = .customTag(tag)
    case .unknownAnchor(let name): self = .unknownAnchor(name)
    case .recursiveAlias(let name): self = .recursiveAlias(name)
    case .badMerge: self = .badMerge
    case .tooDeep(let limit): self = .tooDeep(limit: limit)
    case .documentTooLarge(let limit): self = .documentTooLarge(limit: limit)
    case .scalarTooLarge(let limit): self = .scalarTooLarge(limit: limit)
    case .tooManyNodesByAlias(let limit): self = .tooManyAliases(limit: limit)
    case .outOfMemory: self = .outOfMemory
    }
  }
}
