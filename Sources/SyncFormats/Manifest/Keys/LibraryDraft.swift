// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The `library:` section while it is read: its path may still be missing.
struct LibraryDraft: Sendable {
  /// A path inside the library.
  static let defaultState = ".syncjob"

  var path: String?
  /// An absolute path, or `defaultState`.
  var state: String = defaultState
  var layout: LayoutTemplate?
  var profile: LibrarySettings.Profile = .auto
  var requireMount = false

  static let section = Section<LibraryDraft>(
    [
      .optional("path", \.path, .path), .value("state", \.state, .statePath), .optional("layout", \.layout, .layout),
      .value("profile", \.profile, .choice), .value("require_mount", \.requireMount, .boolean),
    ], rules: [.required(["path"])],
    check: { field, library, context in
      if field.lacks("path") {
        context.report(.key(.missing("path", section: field.path)), at: field.node.mark)
      } else if library.path == library.state, let state = field.node["state"] {
        context.report(.rule(.stateIsLibrary), at: state.mark)
      }
    })

  /// - Precondition: the section was read without an error, so there is a path.
  var settings: LibrarySettings {
    let path = path ?? "/"
    let inside = path == "/" ? "/\(Self.defaultState)" : "\(path)/\(Self.defaultState)"
    var settings = LibrarySettings(path: path, state: state == Self.defaultState ? inside : state)
    settings.layout = layout
    settings.profile = profile
    settings.requireMount = requireMount
    return settings
  }
}

extension LibraryDraft {
  init(_ settings: LibrarySettings) {
    path = settings.path
    state = settings.state
    layout = settings.layout
    profile = settings.profile
    requireMount = settings.requireMount
  }
}
