// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

/// What a run may be told on top of its manifest. Each flag can also be set as `SYNCJOB_<FLAG>`.
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
  func settled(_ manifest: inout Manifest, environment: ProcessEnvironment, lockWait: Duration) throws -> JobOptions {
    var options = try transfers.settled(&manifest, environment: environment, lockWait: lockWait)
    if let limit = try environment.value(maxDelete, "max-delete", .deleteLimit) {
      options.plan.maxDelete = limit
      options.plan.maxDeleteOrigin = maxDelete == nil ? .environment : .flag
    }
    options.plan.mayEvict = manifest.features.eviction && !environment.isSet(noEvict, "no-evict")
    options.plan.mayDownload = !environment.isSet(noDownload, "no-download")
    options.scope = try scope(of: manifest, environment: environment)
    return options
  }

  private func scope(of manifest: Manifest, environment: ProcessEnvironment) throws -> Set<PlaylistName>? {
    let given = playlist.isEmpty ? environment.value(nil, "playlist").map { [$0] } ?? [] : playlist
    guard !given.isEmpty else { return nil }
    var scope: Set<PlaylistName> = []
    for pattern in given {
      let names = manifest.playlists.map(\.name).filter { Glob(pattern).matches($0.text) }
      guard !names.isEmpty else {
        let known = manifest.playlists.map(\.name.text.quoted).joined(separator: ", ")
        throw Stop("no playlist fits \(pattern.quoted); the manifest has \(known)", .usage)
      }
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

  func settled(_ environment: ProcessEnvironment) throws -> Duration {
    try environment.value(lockWait, "lock-wait", .duration) ?? .zero
  }
}
