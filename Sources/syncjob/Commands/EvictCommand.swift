// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct EvictCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evict", abstract: "Make room now: empty the trash, then delete the least used files.",
    discussion: """
      Deletes files in the order of the manifest's score, as a run does when it needs room. Files stay if they are \
      pinned, in progress, protected by a keep rule of retain, or younger than storage.evict.min_age. Without \
      --bytes and --to, frees room down to storage.evict.target. An evicted file is deleted, not moved to the trash, \
      and is not fetched again for a week. After that, it is fetched when there is room below the target; sooner if \
      it was played elsewhere, is pinned, or is named by `syncjob retry`. Exit status: 0; 4 if less was freed than \
      was asked for.
      """)

  @OptionGroup var manifest: ManifestArgument
  @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Free this much, e.g. 2GiB.", valueName: "size"))
  var bytes: Word?
  @Option(
    name: .customLong("to"), parsing: .unconditional,
    help: ArgumentHelp("Free room down to this share of the budget, e.g. 70%.", valueName: "percentage"))
  var share: Word?
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var events: EventOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: lock, clock: clock, output: output)
    let goal = try goal(session)
    let asJSON = result.json
    let resolved = try events.resolved(session.environment, asJSON: asJSON, besides: session.protected)
    let room = try await rehearsal.dryRun ? rehearse(goal, session) : evict(goal, session, resolved)
    if asJSON {
      Terminal.standardOutput.write(room.json())
    } else if !session.isQuiet || room.status != .ok {
      let place: Terminal = session.isQuiet || resolved.takesStdout ? .standardError : .standardOutput
      var style = output.style(place, environment: session.environment)
      style.units = session.style.units
      place.show(room.text(session.manifest.storage, style: style), LogLevel(room.status))
    }
    if room.status != .ok { throw CommandExit.silent(room.status) }
  }

  private func goal(_ session: Session) throws -> RoomGoal {
    guard session.manifest.features.eviction else { throw CommandExit(EvictionWords.switchedOff, .usage) }
    guard !session.environment.isOn("no-evict") else { throw CommandExit(EvictionWords.forbidden, .usage) }
    guard bytes == nil || share == nil else {
      throw CommandExit(EvictionWords.twoGoals(Call.name(of: "--bytes"), Call.name(of: "--to")), .usage)
    }
    if let size = try bytes?.value(of: "--bytes", .size) { return .bytes(size) }
    let given = try share?.value(of: "--to", .percentage)
    guard session.manifest.storage.budget != nil else {
      throw CommandExit(
        given == nil ? EvictionWords.noBudgetAndNoGoal : EvictionWords.noBudget(Call.name(of: "--to")), .usage)
    }
    return .share(given ?? session.manifest.storage.evict.target)
  }

  private func rehearse(_ goal: RoomGoal, _ session: Session) async throws -> EvictResult {
    try await session.stopping { () async throws(JobError) in try QueueRehearsal.evict(goal, session.context) }
  }

  private func evict(
    _ goal: RoomGoal, _ session: Session, _ resolved: EventOptions.Resolved
  ) async throws -> EvictResult {
    let editor = try await session.beginEdit(.makeRoom)
    let context = session.context
    let log = resolved.log(
      finishedFiles: editor.queue.items.count { $0.state.name == .completed }, now: { context.now },
      warn: { Log.say(.warning, $0) })
    do {
      let (room, warnings) = try await session.stopping { () async throws(JobError) in
        let made = try editor.evict(goal, now: context.now) { log?.emit($0) }
        try await editor.end()
        return made
      }
      await log?.end(nil)
      session.emit(warnings)
      return room
    } catch {
      await log?.end(nil)
      throw error
    }
  }
}
