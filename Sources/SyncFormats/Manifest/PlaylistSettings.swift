// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// What a playlist may take from `defaults:`.
struct PlaylistSettings: Sendable {
  var quality: Quality = .source
  var priority: Priority = .normal
  var pin = false
  var layout: LayoutTemplate?
  /// Nil: by the kind of source.
  var initial: Selection.Initial?
  var latest: Int?
  var mirror = false
  var auth: AuthSettings?

  /// Not everything is wanted.
  var isSelective: Bool { latest != nil || (initial.map { $0 != .all } ?? false) }

  static let keys: [ManifestKey<PlaylistSettings>] = [
    .value("quality", \.quality, .choice), .value("priority", \.priority, .choice), .value("pin", \.pin, .boolean),
    .optional("layout", \.layout, .layout), .section("select", \.self, select), .later("retain", retain),
    .later("budget", .text("none")), .value("mirror", \.mirror, .boolean), .auth,
  ]

  static let defaultsSection = Section<PlaylistSettings>(keys)

  private static let select = Section<PlaylistSettings>([
    .optional("initial", \.initial, .initial),
    .value("latest", \.latest, .orNone(.integer(1...1_000_000))),
    .later("since", .text("none")), .later("match", .emptyMapping), .later("exclude", .emptyMapping),
    .later("order", .text("newest")),
  ])

  private static let retain = LaterDefault.mapping([
    ("keep_last", .text("none")), ("keep_within", .text("none")), ("keep_unplayed", .text("false")),
    ("drop_played_after", .text("never")), ("drop_after", .text("never")), ("age_basis", .text("published")),
  ])
}
