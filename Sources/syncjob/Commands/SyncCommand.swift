// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Exchange the changes of playlists with their servers, and do nothing else.",
    discussion: """
      Reads each playlist with sync: both, merges it with the list here, and tells the server the result. Songs are \
      fetched and removed by the next run. Exit status: 0; 3 if a server refuses a change; 5 if changes wait.
      """)

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var playlists: PlaylistOption
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var events: EventOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(
      .read(manifest.path()), importing: playlists, lock: lock, clock: clock, output: output)
    let context = session.context
    guard let sync = SyncLists(context) else { throw CommandExit(ListEditWords.nothingSynced, .usage) }
    let resolved = try events.resolved(session.environment, asJSON: result.json, besides: session.protected)
    let log = resolved.log(now: { context.now }, warn: { Log.say(.warning, $0) })
    let report: RunReport
    do {
      report = try await session.stopping { () async throws(JobError) in
        if rehearsal.dryRun { return try await sync.preview { log?.emit($0) } }
        return try await sync.perform { log?.emit($0) }
      }
    } catch {
      await log?.end(nil)
      throw error
    }
    await log?.end(nil)
    let shown = ListSyncReport(report, isDryRun: rehearsal.dryRun)
    if result.json {
      Terminal.standardOutput.write(shown.json())
    } else if !session.isQuiet || report.status != .ok {
      let place: Terminal = session.isQuiet || resolved.takesStdout ? .standardError : .standardOutput
      place.show(shown.text(style: session.style(on: place)), LogLevel(report.status))
    }
    if report.status != .ok { throw CommandExit.silent(report.status) }
  }
}
