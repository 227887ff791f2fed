// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play playlists or items with mpv or MPD, and record what was played.",
    discussion: """
      Items begin where they were left. A play counts after half of the item or four minutes. Without a playlist or an \
      item, it goes on with its list where it was. The library is not locked meanwhile. On a terminal, space pauses, n \
      and p go to the next and the previous item, the left and the right arrow move by ten seconds, and q ends.
      """)

  /// The actions of `--queue`.
  enum QueueAction: String, CaseIterable, ExpressibleByArgument {
    case add, list, clear
  }

  @Argument(
    help: "Playlists, by name or pattern, and items, by id, by the beginning of an id, or by title.",
    completion: .items)
  var names: [String] = []
  @Flag(name: .long, help: "Play in another order.")
  var shuffle = false
  @Option(name: .long, help: ArgumentHelp("The number that the other order follows from.", valueName: "number"))
  var seed: Word?
  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("off (the default), all for the whole list, or one for one item.", valueName: "mode"),
    completion: .words(of: PlayOrder.Repeat.self))
  var repeats: Word?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Play nothing: add the playlists and items to the list, also while it is played, show it, or empty it.",
      valueName: "action"), completion: .words(of: QueueAction.self))
  var queue: Word?
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let repeats = try repeats?.value(of: "--repeat", ArgumentSpelling<PlayOrder.Repeat>.choice)
    let seed = try seed?.value(of: "--seed", .seed)
    let action = try queue?.value(of: "--queue", ArgumentSpelling<QueueAction>.choice)
    if seed != nil, !shuffle { throw CommandExit(PlayWords.seedNeedsShuffle, .usage) }
    try manifest.check(names)
    let session = try Session(.read(manifest.path(besides: nil)), lock: nil, clock: clock, output: output)
    if let action { return try await edit(action, session) }
    let player = Play.findPlayer(session.manifest.player, session.environment.all)
    let play = try await begin(session)
    let items = names.isEmpty ? nil : try chosen(play, session)
    let request = Play.Request(items, isShuffled: shuffle, seed: seed, repeats: repeats)
    if session.manifest.player.crossfade > .zero, session.manifest.player.program == .mpv {
      session.warn(PlayWords.noCrossfade)
    }
    let display = PlayDisplay(session, isJSON: result.json)
    let (keys, stops) = (PlayKeys(), StopSignals.stops)
    let terminal = display.isLive ? PlayTerminal(keys) : nil
    defer { terminal?.restore() }
    let end = try await session.stopping { () async throws(JobError) in
      try await play.perform(request, player, keys, stopping: stops) { display.show($0) }
    }
    display.end()
    if let stop = end.stop { throw CommandExit.silent(stop) }
    if !end.result.failed.isEmpty { throw CommandExit.silent(.partial) }
  }

  private func begin(_ session: Session) async throws -> Play {
    let (play, warnings) = try await session.stopping { () async throws(JobError) in
      try await Play.begin(session.context)
    }
    session.emit(warnings)
    return play
  }

  private func chosen(_ play: Play, _ session: Session) throws -> [ItemID] {
    do throws(ItemSelector.Problem) { return try play.items(named: names) } catch {
      throw CommandExit(error.words(session.invocation), .usage)
    }
  }

  private func edit(_ action: QueueAction, _ session: Session) async throws {
    guard action == .add || names.isEmpty else { throw CommandExit(PlayWords.queueAndItems, .usage) }
    guard action != .add || !names.isEmpty else { throw CommandExit(PlayWords.queueNeedsItems, .usage) }
    let play = try await begin(session)
    let before = try await session.stopping { () async throws(JobError) in try play.list()?.items ?? [] }
    var line: String
    switch action {
    case .list: return try await show(play, before, session)
    case .add:
      let items = try chosen(play, session)
      try await session.stopping { () async throws(JobError) in try await play.add(items) }
      line = PlayWords.added(items.count, total: before.count + items.count)
    case .clear:
      try await session.stopping { () async throws(JobError) in try await play.clear() }
      line = PlayWords.cleared(before.count)
    }
    if !session.isQuiet, !result.json { Terminal.standardOutput.write(line + "\n") }
  }

  private func show(_ play: Play, _ items: [ItemID], _ session: Session) async throws {
    let place = try await session.stopping { () async throws(JobError) in try play.nextPlace() }
    for (index, id) in items.enumerated() {
      let item = play.queue[id]
      if result.json {
        Terminal.standardOutput.write(PlayLines.listed(id, item, isNext: index == place))
      } else {
        Terminal.standardOutput.write(PlayWords.listed(id, item, isNext: index == place) + "\n")
      }
    }
    if items.isEmpty, !result.json { Terminal.standardOutput.write(PlayWords.emptyList + "\n") }
  }
}

extension ManifestOption {
  /// Refuses a manifest in the place of an item, if there is no manifest.
  fileprivate func check(_ names: [String]) throws {
    guard manifest == nil, let name = names.first(where: ManifestText.looksLikeManifest) else { return }
    throw UsageProblem.manifestForItem(name)
  }
}
