// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct RetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Put failed, cancelled or removed items back into the queue.")

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String] = []
  @Flag(name: .long, help: "Every item that failed.")
  var all = false
  @OptionGroup var edit: EditOptions

  func run() async throws {
    guard all else {
      guard !items.isEmpty else { throw CommandExit(EditWords.nothingToRetryNamed, .usage) }
      return try await edit.apply(.retry, to: items)
    }
    try await edit.apply(.retry, in: try edit.sessionForAll(items)) { view, session in
      let failed = view.queue.items.filter { $0.state.name == .failed || $0.hasFailedUpgrade }.map(\.id)
      let objections = view.objectionsToRetry(failed, now: session.context.now)
      for id in failed {
        if let objection = objections[id] { session.warn(EditWords.leftOut(id, objection, session.invocation)) }
      }
      return failed.filter { objections[$0] == nil }
    }
  }
}

struct CancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Give up unfinished items and delete their partial downloads.")

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String]
  @OptionGroup var edit: EditOptions

  func run() async throws { try await edit.apply(.cancel, to: items) }
}

struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Do not fetch items until they are resumed; their partial downloads stay.")

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String] = []
  @Flag(name: .long, help: "Every item that waits to be fetched or tried again.")
  var all = false
  @OptionGroup var edit: EditOptions

  func run() async throws {
    try await edit.apply(.pause, to: items, orAll: all, nothingNamed: EditWords.nothingToPauseNamed) { item in
      var paused = item
      return item.state.name != .paused && paused.pauseIfToCome()
    }
  }
}

struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Let the next run fetch paused items.")

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String] = []
  @Flag(name: .long, help: "Every paused item.")
  var all = false
  @OptionGroup var edit: EditOptions

  func run() async throws {
    try await edit.apply(.resume, to: items, orAll: all, nothingNamed: EditWords.nothingToResumeNamed) {
      $0.state.name == .paused
    }
  }
}

struct PinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Protect items from every removal.")

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String]
  @OptionGroup var edit: EditOptions

  func run() async throws { try await edit.apply(.pin, to: items) }
}

struct UnpinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin", abstract: "Remove a pin set by command; pins in the manifest stay.")

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String]
  @OptionGroup var edit: EditOptions

  func run() async throws { try await edit.apply(.unpin, to: items) }
}

struct PlayedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "played", abstract: "Record that items were played, for eviction.")

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String]
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The time of the play, as RFC 3339. Default: now.", valueName: "time"))
  var at: Word?
  @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Number of plays. Default: 1.", valueName: "n"))
  var count: Word?
  @OptionGroup var edit: EditOptions

  func run() async throws {
    let count = try count?.value(of: "--count", .number(1...100_000)) ?? 1
    let at = try at?.value(of: "--at", .time)
    let now = try at ?? edit.session(items).context.now
    try await edit.apply(.played(at: now, count: count), to: items)
  }
}
