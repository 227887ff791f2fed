// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats

struct Syncjob: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "syncjob",
    abstract: "Keeps a media library in step with a YAML manifest.",
    usage: """
      syncjob [run] [MANIFEST] [OPTIONS]
      syncjob COMMAND …
      """,
    discussion: """
      One invocation is one run: read the manifest, compare it with the queue file and the library, download missing \
      items, evict the least used files to stay within the storage budget, report, exit.

      Without MANIFEST, $SYNCJOB_MANIFEST or ./syncjob.yaml is read. Begin with `syncjob init`.

      Exit status: 0 done, 1 fatal, 2 changes pending (plan --detailed-exitcode), 3 some items failed for good, \
      4 storage, 5 temporary failures remain, 8 and 10 a limit of the run was reached, 11 another run holds the lock, \
      12 safety stop, 64 usage, 78 manifest invalid, 129, 130 and 143 stopped by a signal.
      """,
    version: Version.text,
    subcommands: [
      RunCommand.self, PlanCommand.self, ApplyCommand.self, ExplainCommand.self, StatusCommand.self, ListCommand.self,
      ReportCommand.self, HealthCommand.self,
      RetryCommand.self, CancelCommand.self, PauseCommand.self, ResumeCommand.self, PrioritizeCommand.self,
      ChooseCommand.self,
      PinCommand.self, UnpinCommand.self, PlayedCommand.self, RemoveCommand.self, UndoCommand.self, EvictCommand.self,
      SimulateCommand.self, CleanCommand.self,
      PlaylistCommand.self, SyncCommand.self,
      VerifyCommand.self, PlayCommand.self, CatCommand.self, DecryptCommand.self, KeyCommand.self,
      LicensesCommand.self, LoginCommand.self, LogoutCommand.self,
      StateCommand.self, ImportCommand.self, ExportCommand.self, InitCommand.self,
      ValidateCommand.self, SchemaCommand.self, ManualPageCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  /// The command that is meant when none is named.
  static let runCommand = RunCommand.self

  /// Runs in the caller's isolation until the command itself runs.
  nonisolated(nonsending) static func run() async {
    let logFormat = Call.logFormat
    Log.format = (logFormat ?? Call.logFormatVariable).flatMap(Log.Format.init) ?? .text
    do {
      let call = try Call.current.get()
      if let run = try call.plainRun() {
        prepareForSignals(stopsRun: true)
        return try await run.perform()
      }
      let command = try call.command()
      _ = try logFormat.map(Word.init)?.value(of: Call.logFormatFlag, ArgumentSpelling<Log.Format>.choice)
      let isRun = (command as? RunCommand).map { !$0.rehearsal.dryRun } ?? (command is ApplyCommand)
      prepareForSignals(stopsRun: isRun || command is PlayCommand)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
    } catch let stop as CommandExit {
      stop.endProcess()
    } catch let answer as Answer {
      Terminal.standardOutput.write(answer.text)
    } catch let problem as UsageProblem {
      CommandExit(problem.words, .usage).endProcess()
    } catch { exit(withError: error) }
  }

  /// - Parameter stopsRun: true for a command that ends in order on a signal.
  nonisolated private static func prepareForSignals(stopsRun: Bool) {
    Terminal.ignoreWriteSignals()
    if stopsRun { _ = StopSignals.stops }
  }
}

@main
enum EntryPoint {
  /// Runs on the first thread, and needs no other for errors about missing resources of the process, the version, help
  /// and usage errors. The argument parser needs up to 60 KiB of stack; where the limit is low, another thread has it.
  @MainActor static func main() async {
    do throws(ProcessProblem) { try ProcessNeeds.check() } catch { CommandExit(error.words, error.status).endProcess() }
    if ProcessNeeds.isFirstStackNarrow {
      await Task.detached { await Syncjob.run() }.value
    } else {
      await Syncjob.run()
    }
  }
}

/// The program's version information.
enum Version {
  static let number = "0.1.0"
  static let text = "syncjob \(number)"
}
