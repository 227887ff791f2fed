// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct CleanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean", abstract: "Delete expired trash, old partial downloads and left-over files.",
    discussion: """
      Does not touch finished files. Deletes partial downloads that no item continues or that are older than \
      downloads.partials.keep, trash older than storage.trash.keep, and damaged files that were set aside more than \
      30 days ago.
      """)

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var lock: LockOptions
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: lock, clock: clock, output: output)
    let (cleaning, warnings) = try await session.stopping { () async throws(JobError) in
      try await Clean(session.context).perform(isDryRun: rehearsal.dryRun)
    }
    session.emit(warnings)
    if result.json {
      Terminal.standardOutput.write(cleaning.json())
    } else if !session.isQuiet {
      Terminal.standardOutput.write(cleaning.text(style: session.style))
    }
  }
}

struct UndoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Bring back what the last run or command moved to the trash.",
    discussion: """
      Restores the newest removals in the trash, made by a run or by `syncjob remove`. Called again, it restores the \
      removals before those. Evicted files are gone. Nothing is overwritten: a file whose place is taken stays in \
      the trash (exit 3).
      """)

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var lock: LockOptions
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: lock, clock: clock, output: output)
    guard !rehearsal.dryRun else { return try await rehearse(session) }
    let editor = try await session.beginEdit(.undo)
    let undoing = try await session.stopping { () async throws(JobError) in try editor.undo() }
    show(undoing, session)
    try await session.stopping { () async throws(JobError) in
      if let failure = undoing.unrecorded { throw .failed(failure) }
      try await editor.end()
      if let failure = undoing.stopped { throw .failed(failure) }
    }
    if !undoing.kept.isEmpty { throw CommandExit.silent(.partial) }
  }

  private func rehearse(_ session: Session) async throws {
    let undoing = try await session.stopping { () async throws(JobError) in try QueueRehearsal.undo(session.context) }
    show(undoing, session)
    if !undoing.kept.isEmpty { throw CommandExit.silent(.partial) }
  }

  private func show(_ undoing: UndoResult, _ session: Session) {
    if result.json {
      Terminal.standardOutput.write(undoing.json())
    } else if !session.isQuiet || !undoing.kept.isEmpty {
      let place = session.isQuiet ? Terminal.standardError : Terminal.standardOutput
      place.show(
        undoing.text(style: session.style, isRehearsal: rehearsal.dryRun), undoing.kept.isEmpty ? .info : .error)
    }
  }
}

struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Compare the finished files with the queue file.",
    discussion: """
      Looks for missing files under other names. Exit status: 0 if all is well or --repair put it right; 3 if a file \
      is damaged, missing or not in its place.
      """)

  @OptionGroup var manifest: ManifestArgument
  @Flag(name: .long, help: "Read every file and compare its SHA-256, not only its size; open each part of sealed ones.")
  var deep = false
  @Flag(
    name: .long,
    help: """
      Put damaged and missing items back into the queue, so that the next run fetches them. Damaged files go to the \
      trash. A file that was moved by hand is recorded where it is, and the next run moves it to its place.
      """)
  var repair = false
  @OptionGroup var playlists: PlaylistOption
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var lock: LockOptions
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: lock, clock: clock, output: output)
    let scope = try playlists.scope(session.manifest)
    let display = CheckDisplay(
      .standardError, isWanted: !session.isQuiet && Terminal.standardError.isInteractive && Log.format == .text)
    let verification: Verification
    do {
      verification =
        try await repair && !rehearsal.dryRun
        ? repaired(session, scope, display) : verified(session, scope, display)
    } catch {
      display.end()
      throw error
    }
    display.end()
    if result.json {
      Terminal.standardOutput.write(verification.json())
    } else if !session.isQuiet {
      Terminal.standardOutput.show(verification.text(style: session.style), LogLevel(verification.status))
    } else if verification.status != .ok {
      Terminal.standardError.show(verification.text(style: session.style), LogLevel(verification.status))
    }
    if verification.status != .ok { throw CommandExit.silent(verification.status) }
  }

  private func verified(
    _ session: Session, _ scope: Set<PlaylistName>?, _ display: CheckDisplay
  ) async throws -> Verification {
    let (verification, damage) = try await session.stopping { () async throws(JobError) in
      try await Verify(session.context).perform(scope, isDeep: deep) { display.show($0) }
    }
    display.end()
    session.emit(damage)
    return verification
  }

  private func repaired(
    _ session: Session, _ scope: Set<PlaylistName>?, _ display: CheckDisplay
  ) async throws -> Verification {
    let editor = try await session.beginEdit(opensFiles: deep)
    return try await session.stopping { () async throws(JobError) in
      let found = try await editor.verify(scope, isDeep: deep) { display.show($0) }
      let repaired = try editor.repair(found)
      try await editor.end()
      return repaired
    }
  }
}
