// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

/// The options that a run has in addition to its manifest.
struct RunOptions: ParsableArguments {
  @OptionGroup var playlists: PlaylistOption

  @Option(
    name: .customLong("max-delete"), parsing: .unconditional,
    help: ArgumentHelp(
      "The most items that may be removed, except to make room: a number or a percentage.", valueName: "n"))
  var maxDelete: Word?

  @Flag(name: .customLong("no-evict"), help: "Evict nothing; items that do not fit are deferred.")
  var noEvict = false

  @Flag(name: .customLong("no-download"), help: "Fetch nothing; adopt, remove and evict only.")
  var noDownload = false

  @OptionGroup var transfers: TransferOptions

  /// - Parameter manifest: changed by the flags that override its keys.
  func resolved(_ manifest: inout Manifest, lockWait: Duration) throws -> JobOptions {
    var options = try transfers.resolved(&manifest, lockWait: lockWait)
    if let limit = try maxDelete?.value(of: "--max-delete", .deleteLimit) {
      options.plan.maxDelete = limit
      options.plan.maxDeleteOrigin = Call.limitOrigin("--max-delete")
    }
    options.plan.mayEvict = manifest.features.eviction && !noEvict
    options.plan.mayDownload = !noDownload
    options.scope = try playlists.scope(manifest)
    return options
  }
}

/// The time to wait for the lock, for every command that may change something.
struct LockOptions: ParsableArguments {
  @Option(
    name: .customLong("lock-wait"), parsing: .unconditional,
    help: ArgumentHelp("Time to wait for another run to end, e.g. 5m. Default: none.", valueName: "time"))
  var lockWait: Word?

  func resolved() throws -> Duration {
    try lockWait?.value(of: "--lock-wait", .duration) ?? .zero
  }
}
