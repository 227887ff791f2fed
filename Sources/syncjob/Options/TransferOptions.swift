// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

/// How a run fetches, whatever its plan is.
struct TransferOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("How many transfers at once.", valueName: "n"))
  var concurrency: Int?

  @Option(name: .long, help: ArgumentHelp("Retries of one candidate after transient failures.", valueName: "n"))
  var retries: Int?

  @Option(
    name: .customLong("bwlimit"),
    help: ArgumentHelp(
      "Bytes a second of all transfers together, e.g. 512K; or a timetable, or off.", valueName: "rate"))
  var bandwidth: BandwidthArgument?

  @Option(
    name: .customLong("max-transfer"),
    help: ArgumentHelp("Fetch no more than this, e.g. 500MB; the rest waits for the next run.", valueName: "size"))
  var maxTransfer: SizeLimitArgument?

  @Option(
    name: .customLong("max-duration"),
    help: ArgumentHelp("Fetch no longer than this, e.g. 2h; the rest waits for the next run.", valueName: "time"))
  var maxDuration: DurationLimitArgument?

  @Option(
    name: .customLong("wait-for-network"),
    help: ArgumentHelp("How long to wait for a network, e.g. 2m. Default: not at all.", valueName: "time"))
  var waitForNetwork: DurationArgument?

  @Option(name: .long, help: ArgumentHelp("Take this for the current time (RFC 3339).", valueName: "time"))
  var now: TimestampArgument?

  @Option(name: .long, help: ArgumentHelp("Seed of the jitter of waits, for repeatable runs.", valueName: "n"))
  var seed: UInt64?

  /// - Parameter manifest: takes the flags that override its keys.
  func settled(_ manifest: inout Manifest, environment: ProcessEnvironment, lockWait: Duration) throws -> JobOptions {
    if let concurrency = try environment.value(concurrency, "concurrency") {
      guard (1...64).contains(concurrency) else { throw Stop("--concurrency takes 1 to 64", .usage) }
      manifest.downloads.concurrency = concurrency
    }
    if let retries = try environment.value(retries, "retries") {
      guard (0...100).contains(retries) else { throw Stop("--retries takes 0 to 100", .usage) }
      manifest.downloads.retries = retries
    }
    if let bandwidth = try environment.value(bandwidth, "bwlimit") {
      manifest.downloads.bandwidth = bandwidth.bandwidth
    }
    if let most = try environment.value(maxTransfer, "max-transfer") { manifest.downloads.maxTransfer = most.size }
    if let longest = try environment.value(maxDuration, "max-duration") {
      manifest.downloads.maxDuration = longest.duration
    }
    return JobOptions(
      plan: PlanOptions(maxDelete: manifest.storage.maxDelete), now: try environment.value(now, "now")?.timestamp,
      seed: try environment.value(seed, "seed"), lockWait: lockWait,
      networkWait: try environment.value(waitForNetwork, "wait-for-network")?.duration ?? .zero)
  }
}
