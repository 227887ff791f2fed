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

struct PrioritizeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prioritize", abstract: "Give an item another priority than the manifest does.")

  @Argument(help: "An item, by id, by the beginning of an id, or by title.", completion: .items)
  var item: String
  @Argument(
    help: "high, normal or low, or auto for what the manifest says.", completion: .list(Choice.allCases.map(\.rawValue))
  )
  var priority: Word
  @OptionGroup var edit: EditOptions

  private enum Choice: String, CaseIterable { case high, normal, low, auto }

  func run() async throws {
    let choice: Choice = try priority.value(of: "<priority>", .choice)
    let session = try edit.session([item])
    let order = session.manifest.downloads.order
    try await edit.apply(.prioritize(Priority(rawValue: choice.rawValue)), in: session) { view, session in
      [try EditOptions.find(item, for: nil, view, session)]
    }
    if order != .priority { session.warn(EditWords.priorityWithoutEffect(order)) }
  }
}

struct ChooseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choose", abstract: "Use one candidate of an item, and no other.",
    discussion: """
      The numbers of the candidates are those that `syncjob explain` shows. A finished file from another candidate is \
      replaced when the new one is whole.
      """)

  @Argument(help: "An item, by id, by the beginning of an id, or by title.", completion: .items)
  var item: String
  @Argument(help: "The number of the candidate, or auto for what the rules say.")
  var number: Word
  @OptionGroup var edit: EditOptions

  func run() async throws {
    let number = number.text == "auto" ? nil : try number.value(of: "<number>", .number(1...1_000_000))
    try await edit.apply(in: try edit.session([item])) { view, session in
      let id = try EditOptions.find(item, for: nil, view, session)
      guard let number else { return EditOptions.EditOrder(.choose(nil), [id]) }
      do throws(CandidateChoice.Problem) {
        guard let (declared, choice) = try view.candidate(number, of: id, now: session.context.now) else {
          preconditionFailure("the queue knows the item that was found")
        }
        var order = EditOptions.EditOrder(.choose(choice), [id])
        order.notes[id] = EditWords.note(choice, declared, view.queue[id], now: session.context.now)
        return order
      } catch { throw CommandExit(error.words(number, of: id, session.invocation), .usage) }
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
