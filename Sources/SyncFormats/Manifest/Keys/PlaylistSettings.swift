// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The settings that a playlist may take from `defaults:`.
struct PlaylistSettings: Sendable {
  var quality: Quality = .source
  var priority: Priority = .normal
  var pin = false
  var layout: LayoutTemplate?
  /// Nil for the default of the kind of source.
  var initial: Selection.Initial?
  var latest: Int?
  var since: Selection.Since?
  var match = ItemFilter()
  var exclude = ItemFilter()
  var order: Selection.Order = .newest
  var retain = RetentionPolicy()
  var budget: PlaylistBudget?
  var mirror = false
  var auth: AuthSettings?

  /// True if some items may not be wanted.
  var isSelective: Bool {
    latest != nil || since != nil || !match.isEmpty || !exclude.isEmpty || order != .newest
      || (initial.map { $0 != .all } ?? false)
  }

  static let keys: [ManifestKey<PlaylistSettings>] = [
    .value("quality", \.quality, .choice), .value("priority", \.priority, .choice), .value("pin", \.pin, .boolean),
    .optional("layout", \.layout, .layout), .section("select", \.self, select),
    .section("retain", \.retain, RetentionPolicy.section), .value("budget", \.budget, .orNone(.playlistBudget)),
    .value("mirror", \.mirror, .boolean), .auth,
  ]

  static let defaultsSection = Section<PlaylistSettings>(keys)

  private static let select = Section<PlaylistSettings>([
    .optional("initial", \.initial, .initial),
    .value("latest", \.latest, .orNone(.integer(1...1_000_000))),
    .value("since", \.since, .orNone(.since)), .filter("match", \.match), .filter("exclude", \.exclude),
    .value("order", \.order, .choice),
  ])
}
