// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what is here, waiting and failed, and how much room it takes.")

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var playlists: PlaylistOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: nil, clock: clock, output: output)
    let scope = try playlists.scope(session.manifest)
    let (status, damage) = try await session.stopping { () async throws(JobError) in
      try Status(session.context).library(scope)
    }
    session.emit(damage)
    let lastRun = session.lastRun()
    if result.json {
      Terminal.standardOutput.write(status.json(lastRun: lastRun))
    } else {
      Terminal.standardOutput.write(StatusText(status, lastRun: lastRun, style: session.style).text)
    }
  }
}

struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items in the queue file, one per line.")

  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only items in this state: \(ItemState.Name.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "state"), completion: .words(of: ItemState.Name.self))
  var state: Word?
  @OptionGroup var playlists: PlaylistOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: nil, clock: clock, output: output)
    let scope = try playlists.scope(session.manifest)
    let wanted = try state?.value(of: "--state", ArgumentSpelling<ItemState.Name>.choice)
    let (queue, orphans, damage) = try await session.stopping { () async throws(JobError) in
      try Status(session.context).queue()
    }
    session.emit(damage)
    let items = queue.items.filter { item in
      (wanted.map { item.state.name == $0 || $0 == .failed && item.upgradeFailure != nil } ?? true)
        && (scope.map { item.isMember(ofAny: $0) } ?? true)
    }
    let list = ItemList(items, of: queue, orphans: orphans, manifest: session.manifest, now: session.context.now)
    if result.json {
      Terminal.standardOutput.write(list.jsonLines())
    } else {
      Terminal.standardOutput.write(list.text(style: session.style))
    }
  }
}
