// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "What is here, what waits, what failed, and how much room it takes.")

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(manifest.manifest, lock: nil, output: output)
    let (status, damage) = try await session.stopping { () async throws(JobError) in try session.job.status() }
    session.tell(damage)
    if result.isJSON(session.environment) {
      Terminal.standardOutput.write(status.json())
    } else {
      Terminal.standardOutput.write(StatusText(status, style: session.style).text)
    }
  }
}

struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "The items that the queue file knows, one a line.")

  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this state: \(ItemState.Name.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "state"))
  var state: String?
  @Option(name: .long, help: ArgumentHelp("Only playlists whose name fits.", valueName: "glob"))
  var playlist: String?
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(manifest.manifest, lock: nil, output: output)
    let wanted = try state.map { text in
      guard let name = ItemState.Name(rawValue: text) else {
        throw Stop("there is no state \(text.quoted); see `syncjob list --help`", .usage)
      }
      return name
    }
    let (queue, damage) = try await session.stopping { () async throws(JobError) in try session.job.queue() }
    session.tell(damage)
    let glob = playlist.map { Glob($0) }
    let items = queue.items.filter { item in
      (wanted.map { item.state.name == $0 } ?? true)
        && (glob.map { glob in item.memberships.contains { glob.matches($0.playlist.text) } } ?? true)
    }
    let list = ItemList(items, of: queue, manifest: session.manifest, now: session.job.now)
    if result.isJSON(session.environment) {
      Terminal.standardOutput.write(list.jsonLines())
    } else {
      Terminal.standardOutput.write(list.text(style: session.style))
    }
  }
}
