// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The whole manifest while it is read.
struct ManifestDraft: Sendable {
  var name: String?
  var library = LibraryDraft()
  var storage = StoragePolicy()
  var downloads = DownloadPolicy()
  var alternatives = AlternativePolicy()
  var checks = CheckPolicy()
  var tags = TagPolicy()
  var features = Features()
  var defaults = PlaylistSettings.undeclared
  var servers: [MediaServer] = []
  var playlists: [Playlist] = []
  var report = ReportSettings()
  var hooks = HookSettings()
  var history: [HistorySource] = []
  var historyServers: [HistoryServer] = []
  var protect = ProtectDraft()
  var licenses = LicensesDraft()
  var power = PowerPolicy()
  var player = PlayerSettings()

  /// `defaults` comes before `playlists`, which start with its values, and so does `servers`, which they name.
  static let section = Section<ManifestDraft>(
    [
      .version, .optional("name", \.name, .manifestName),
      .section("library", \.library, LibraryDraft.section),
      .section("storage", \.storage, StoragePolicy.section),
      .section("downloads", \.downloads, DownloadPolicy.section),
      .section("alternatives", \.alternatives, AlternativePolicy.section),
      .section("checks", \.checks, CheckPolicy.section),
      .section("tags", \.tags, TagPolicy.section),
      .section("features", \.features, Features.section),
      .defaults, .servers, .playlists,
      .history,
      .section("protect", \.protect, ProtectDraft.section),
      .section("licenses", \.licenses, LicensesDraft.section),
      .section("power", \.power, PowerPolicy.section),
      .section("player", \.player, PlayerSettings.section),
      .section("report", \.report, ReportSettings.section),
      .section("hooks", \.hooks, HookSettings.section),
    ], isOrdered: true, rules: [.required(["version", "library"])],
    check: { field, draft, context in
      if field.lacks("library") { context.report(.key(.missing("library", section: "")), at: field.node.mark) }
      if draft.playlists.isEmpty, !field.misspelt.contains("playlists"),
        field.node["playlists"].map(\.declaresNothing) ?? true
      {
        context.report(.rule(.nothingDeclared), at: field.node["playlists"]?.mark ?? field.node.mark)
      }
      draft.checkShares(field, context)
      draft.hintAtIdleKeepRules(field, context)
      draft.checkProtection(field, context)
      let copies = [("json", draft.report.json), ("html", draft.report.html), ("metrics", draft.report.metrics)]
      for (key, path) in copies where draft.isInState(path) {
        if let node = field.node["report"]?[key] { context.report(.rule(.reportInState(key: key)), at: node.mark) }
      }
      if let node = field.node["report"]?["metrics"], draft.report.metrics?.hasSuffix(".prom") == false {
        context.report(.rule(.metricsNotRead), at: node.mark)
      }
    })

  private func isInState(_ path: String?) -> Bool {
    guard let path, library.path != nil else { return false }
    let inside = LibraryDraft(path: library.path).settings.state
    return [library.settings.state, inside].contains { path.isPath(in: $0) }
  }

  /// The dotted paths of the keys below a section, by their names; if several keys have one name, the first of them.
  static let pathsByName = Dictionary(
    section.paths.filter { $0.contains(".") }.map { (String($0.split(separator: ".").last ?? ""), $0) },
    uniquingKeysWith: { first, _ in first })

  func manifest(fileStem: String) -> Manifest {
    var settings = library.settings
    settings.partials = protect.partials
    return Manifest(
      name: name ?? fileStem, library: settings, storage: storage, downloads: downloads,
      alternatives: alternatives, checks: checks, tags: tags, features: features, servers: servers,
      playlists: playlists, report: report, hooks: hooks, history: history, historyServers: historyServers,
      protect: protect.policy, licenses: licenses.settings, power: power, player: player)
  }
}

extension ManifestDraft {
  init(_ manifest: Manifest) {
    name = manifest.name
    library = LibraryDraft(manifest.library)
    storage = manifest.storage
    downloads = manifest.downloads
    alternatives = manifest.alternatives
    checks = manifest.checks
    tags = manifest.tags
    features = manifest.features
    servers = manifest.servers
    playlists = manifest.playlists
    report = manifest.report
    hooks = manifest.hooks
    history = manifest.history
    historyServers = manifest.historyServers
    protect = ProtectDraft(manifest.protect)
    licenses = LicensesDraft(manifest.licenses)
    power = manifest.power
    player = manifest.player
  }
}

extension ManifestKey where Root == ManifestDraft {
  /// Checked before anything else is read.
  fileprivate static let version = ManifestKey(
    name: "version", schema: { _ in .constant(.integer(Int64(ManifestReader.knownVersion))) }, read: { _, _, _ in },
    write: { _ in .word(String(ManifestReader.knownVersion)) })

  /// Not written: every playlist is written with the values that it takes from here.
  fileprivate static let defaults = ManifestKey(
    name: "defaults", paths: PlaylistSettings.defaultsSection.paths,
    schema: { PlaylistSettings.defaultsSection.schema(at: $0.path, defaults: .undeclared) },
    read: { field, root, context in PlaylistSettings.defaultsSection.read(field, into: &root.defaults, context) })

  fileprivate static let playlists = ManifestKey(
    name: "playlists", paths: PlaylistDraft.section.paths.map { "NAME.\($0)" },
    schema: { place in
      let playlist = PlaylistDraft.section.schema(at: "\(place.path).NAME", isElement: true)
      return .named(playlist, names: "^[a-z0-9][a-z0-9._-]{0,127}$")
    },
    read: { field, root, context in
      root.playlists = PlaylistDraft.readAll(field, defaults: root.defaults, servers: root.servers, context)
    },
    write: { draft in
      .mapping(draft.playlists.map { .init(key: $0.name.text, value: PlaylistDraft.section.write(PlaylistDraft($0))) })
    })
}

extension YAMLNode {
  /// True for `{}` and for a missing value.
  fileprivate var declaresNothing: Bool {
    if case .mapping(let pairs) = content { pairs.isEmpty } else { isNothing }
  }
}

extension String {
  /// True for the path of that folder, and for a path below it.
  func isPath(in folder: String) -> Bool { self == folder || hasPrefix(folder == "/" ? folder : "\(folder)/") }
}
