// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension PlaylistSettings {
  /// The keys that a playlist and `defaults:` share.
  static let keys: [ManifestKey<PlaylistSettings>] = [
    .value("quality", \.quality, .choice), .value("priority", \.priority, .choice), .value("pin", \.pin, .boolean),
    .optional("layout", \.layout, .layout), .section("select", \.select, Selection.section),
    .section("retain", \.retain, RetentionPolicy.section), .value("budget", \.budget, .orNone(.playlistBudget)),
    .value("mirror", \.mirror, .boolean), .auth,
  ]

  static let defaultsSection = Section<PlaylistSettings>(keys)

  /// The settings before anything is read: `select.initial` depends on the kind of source.
  static var undeclared: PlaylistSettings {
    var settings = PlaylistSettings()
    settings.select.initial = nil
    return settings
  }
}

extension Selection {
  static let section = Section<Selection>([
    .optional("initial", \.initial, .initial),
    .value("latest", \.latest, .orNone(.integer(1...1_000_000))),
    .value("since", \.since, .orNone(.since)), .filter("match", \.match), .filter("exclude", \.exclude),
    .value("order", \.order, .choice),
  ])

  /// True if it may leave out items.
  var isSelective: Bool {
    latest != nil || since != nil || !match.isEmpty || !exclude.isEmpty || order != .newest
      || (initial.map { $0 != .all } ?? false)
  }
}
