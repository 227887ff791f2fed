// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
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
    options.scope = try playlists.scope(manifest.withKnownPlaylists())
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

/// The destination of events for a program that follows the command.
struct EventOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Append events to this file, one JSON object per line. - is stdout.", valueName: "file"),
    completion: .file())
  var events: String?

  struct Resolved {
    var sink: EventSink?
    /// The reason why there is no log. A temporary problem with it must not stop the command.
    var problem: String?
    var takesStdout = false

    /// Nil when no events are wanted.
    func log(
      finishedFiles: Int? = nil, now: @escaping @Sendable () -> Timestamp, warn: @escaping @Sendable (String) -> Void
    ) -> EventLog? {
      if let problem { warn(problem) }
      return sink.map { EventLog($0, finishedFiles: finishedFiles, now: now, warn: warn) }
    }
  }

  /// - Parameter protected: the files that events are not added to.
  func resolved(_ environment: ProcessEnvironment, asJSON: Bool, besides protected: ProtectedFiles) throws -> Resolved {
    guard let path = events else { return Resolved() }
    guard path != "-" else {
      guard !asJSON else {
        throw CommandExit(
          OptionWords.bothWantStdout(events: Call.name(of: "--events"), json: Call.name(of: "--json")), .usage)
      }
      return Resolved(sink: .standardOutput, takesStdout: true)
    }
    try check(environment, besides: protected)
    do throws(EventSink.Problem) { return Resolved(sink: try EventSink(path: path)) } catch {
      guard error.isTransient else { throw CommandExit(EventLogWords.cannotOpen(path, error.code ?? .eio), .usage) }
      return Resolved(problem: EventLogWords.gaveUp(path, error.code))
    }
  }

  func check(_ environment: ProcessEnvironment, besides protected: ProtectedFiles) throws {
    guard let path = events, path != "-" else { return }
    do throws(FileError) { try OutputFile(path, of: .events, besides: protected).check() } catch {
      throw CommandExit(error.words, .usage)
    }
  }
}

/// The options for following a run.
struct ProgressOptions: ParsableArguments {
  /// The condition for live progress.
  enum Mode: String, CaseIterable {
    case auto, always, never
  }

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Live progress on stderr: auto (the default, only on a terminal), always or never.", valueName: "when"),
    completion: .list(["auto", "always", "never"]))
  var progress: Word?

  @OptionGroup var events: EventOptions

  /// The resolved options of an audience.
  struct Resolved {
    var isLive: Bool
    var events: EventOptions.Resolved
  }

  /// - Parameter protected: the files that events are not added to.
  func resolved(
    _ environment: ProcessEnvironment, isQuiet: Bool, asJSON: Bool, besides protected: ProtectedFiles
  ) throws -> Resolved {
    let events = try events.resolved(environment, asJSON: asJSON, besides: protected)
    let mode = try progress?.value(of: "--progress", ArgumentSpelling<Mode>.choice) ?? .auto
    let isTerminal = Terminal.standardError.isInteractive && environment["TERM"] != "dumb"
    // Both would be on the same screen.
    let wouldMix = events.takesStdout && Terminal.standardOutput.isInteractive
    let isWanted = Log.format == .text && (mode == .always || mode == .auto && isTerminal && !wouldMix)
    return Resolved(isLive: isWanted && !isQuiet, events: events)
  }
}
