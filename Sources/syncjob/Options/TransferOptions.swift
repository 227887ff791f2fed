// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

/// The options for transfers, whatever the plan of a run.
struct TransferOptions: ParsableArguments {
  @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Number of transfers at once.", valueName: "n"))
  var concurrency: Word?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Retries per candidate after temporary failures.", valueName: "n"))
  var retries: Word?

  @Option(
    name: .customLong("bwlimit"), parsing: .unconditional,
    help: ArgumentHelp(
      "Bytes per second for all transfers together, e.g. 512K; or a timetable; or off.", valueName: "rate"))
  var bandwidth: Word?

  @Option(
    name: .customLong("max-transfer"), parsing: .unconditional,
    help: ArgumentHelp("Fetch no more than this, e.g. 500MB; the rest waits for the next run.", valueName: "size"))
  var maxTransfer: Word?

  @Option(
    name: .customLong("max-duration"), parsing: .unconditional,
    help: ArgumentHelp("Fetch no longer than this, e.g. 2h; the rest waits for the next run.", valueName: "time"))
  var maxDuration: Word?

  @Option(
    name: .customLong("wait-for-network"), parsing: .unconditional,
    help: ArgumentHelp("Time to wait for a network, e.g. 2m. Default: none.", valueName: "time"))
  var waitForNetwork: Word?

  @OptionGroup var clock: ClockOptions

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Seed for the jitter of retries, for repeatable runs.", valueName: "n"))
  var seed: Word?

  /// - Parameter manifest: changed by the flags that override its keys.
  func resolved(_ manifest: inout Manifest, lockWait: Duration) throws -> JobOptions {
    if let count = try concurrency?.value(of: "--concurrency", .number(1...64)) {
      manifest.downloads.concurrency = count
    }
    if let count = try retries?.value(of: "--retries", .number(0...100)) { manifest.downloads.retries = count }
    if let rate = try bandwidth?.value(of: "--bwlimit", .bandwidth) { manifest.downloads.bandwidth = rate }
    // The values may be nil, for `none`: in a chain that would look like a missing flag.
    if let maxTransfer {
      manifest.downloads.maxTransfer = try maxTransfer.value(of: "--max-transfer", .sizeLimit)
      manifest.downloads.maxTransferOrigin = Call.limitOrigin("--max-transfer")
    }
    if let maxDuration {
      manifest.downloads.maxDuration = try maxDuration.value(of: "--max-duration", .durationLimit)
      manifest.downloads.maxDurationOrigin = Call.limitOrigin("--max-duration")
    }
    return JobOptions(
      plan: PlanOptions(maxDelete: manifest.storage.maxDelete), now: try clock.resolved(),
      seed: try seed?.value(of: "--seed", .seed), lockWait: lockWait,
      networkWait: try waitForNetwork?.value(of: "--wait-for-network", .duration) ?? .zero)
  }
}
