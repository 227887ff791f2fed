// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

/// What a run may be told on top of its manifest.
struct RunOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Only playlists whose name fits; may be repeated.", valueName: "glob"))
  var playlist: [String] = []

  @Option(
    name: .customLong("max-delete"), parsing: .unconditional,
    help: ArgumentHelp("Items that may be removed for any cause but room: a number or a percentage.", valueName: "n"))
  var maxDelete: Word?

  @Flag(name: .customLong("no-evict"), help: "Evict nothing; what does not fit is deferred.")
  var noEvict = false

  @Flag(name: .customLong("no-download"), help: "Fetch nothing; adopt, remove and evict only.")
  var noDownload = false

  @OptionGroup var transfers: TransferOptions

  /// - Parameter manifest: takes the flags that override its keys.
  func settled(_ manifest: inout Manifest, lockWait: Duration) throws -> JobOptions {
    var options = try transfers.settled(&manifest, lockWait: lockWait)
    if let limit = try maxDelete?.value(of: "--max-delete", .deleteLimit) {
      options.plan.maxDelete = limit
      options.plan.maxDeleteOrigin = Call.isFromVariable("--max-delete") ? .environment : .flag
    }
    options.plan.mayEvict = manifest.features.eviction && !noEvict
    options.plan.mayDownload = !noDownload
    options.scope = try scope(of: manifest)
    return options
  }

  private func scope(of manifest: Manifest) throws -> Set<PlaylistName>? {
    playlist.isEmpty ? nil : try manifest.playlists(fitting: playlist)
  }
}

extension Manifest {
  /// The playlists whose names fit one of the patterns, each of which must fit one.
  func playlists(fitting patterns: [String]) throws -> Set<PlaylistName> {
    var scope: Set<PlaylistName> = []
    for pattern in patterns {
      let names = playlists.map(\.name).filter { Glob(pattern).matches($0.text) }
      guard !names.isEmpty else { throw Stop(PlaylistWords.noneFits(pattern, playlists.map(\.name)), .usage) }
      scope.formUnion(names)
    }
    return scope
  }
}

/// How long to wait for the lock, for every command that may change something.
struct LockOptions: ParsableArguments {
  @Option(
    name: .customLong("lock-wait"), parsing: .unconditional,
    help: ArgumentHelp("How long to wait for another run to end, e.g. 5m. Default: not at all.", valueName: "time"))
  var lockWait: Word?

  func settled() throws -> Duration {
    try lockWait?.value(of: "--lock-wait", .duration) ?? .zero
  }
}
