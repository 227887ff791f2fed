// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats

/// Limits a command to some playlists.
struct PlaylistOption: ParsableArguments {
  @Option(
    name: .customLong("playlist"),
    help: ArgumentHelp("Only playlists whose name matches; may be repeated.", valueName: "glob"))
  var globs: [String] = []

  /// Nil without the option, for all playlists. A pattern that matches none is an error.
  func scope(_ manifest: Manifest) throws -> Set<PlaylistName>? {
    globs.isEmpty ? nil : try manifest.playlists(matching: globs)
  }
}

extension Manifest {
  /// The playlists whose names match one of the patterns. Each pattern must match at least one playlist.
  func playlists(matching patterns: [String]) throws -> Set<PlaylistName> {
    var scope: Set<PlaylistName> = []
    for pattern in patterns {
      let names = playlists.map(\.name).filter { Glob(pattern).matches($0.text) }
      guard !names.isEmpty else {
        let variable = Call.isFromVariable("--playlist") ? Call.name(of: "--playlist") : nil
        throw CommandExit(PlaylistWords.noneFits(pattern, of: variable, playlists.map(\.name)), .usage)
      }
      scope.formUnion(names)
    }
    return scope
  }
}
