// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet
import Synchronization

/// Works through the list with a player, and records what is played.
struct PlaySession {
  /// A track that the player has, and the place of its item in the list.
  private struct Given {
    var track: PlayerTrack
    var order: PlayOrder
    var id: ItemID
  }

  /// The present playback.
  private struct Current {
    var number: Int
    var playback: Playback
    /// The time since which the player has not told anything.
    var since: ContinuousClock.Instant
    var isPaused = false
    var elapsed: Duration { isPaused ? .zero : ContinuousClock.now - since }
  }

  private let player: any Player
  private let store: PlayStore
  private let clock: any WallClock
  private let overlap: Duration
  private let emit: (PlayEvent) -> Void
  private var tracks: PlayTracks
  private var list: PlayList
  /// The file of the list, as it was when it was read.
  private var listMark: FileStatus?
  /// True once the list was cleared or replaced.
  private var isListGone = false
  /// The place of the present item.
  private var order: PlayOrder
  /// The place of the item that the player gets next.
  private var ahead: PlayOrder
  /// The present track, and those that follow it.
  private var given: [Given] = []
  private var current: Current?
  /// True from the command to play until the player plays.
  private var isStarting = false
  /// The number of items in a row that cannot be played.
  private var failures = 0
  private var lastBegun: [ItemID: Timestamp] = [:]
  private var savedAt = ContinuousClock.now
  /// The number of reports in a row in which nothing plays.
  private var idleReports = 0
  private(set) var result = PlayResult()
  /// The playbacks whose records cannot be written, on a full disk.
  private var unrecorded: [PlaybackNote] = []

  /// The number of tracks that the player has beyond the present one.
  private static let lookahead = 2
  /// The time between two records of the place.
  private static let saving = Duration.seconds(5)
  private static let pause = Duration.milliseconds(250)
  private static let step = Duration.seconds(10)

  init(
    _ player: any Player, _ store: PlayStore, _ tracks: PlayTracks, _ list: PlayList, at place: PlayPlace?,
    emit: @escaping (PlayEvent) -> Void
  ) {
    (self.player, self.store, self.tracks, self.list, self.emit) = (player, store, tracks, list, emit)
    clock = tracks.context.clock
    overlap = player.kind == .mpd ? tracks.context.manifest.player.crossfade : .zero
    let reached = PlayOrder(list, at: place)
    order = reached.current == nil ? PlayOrder(list, at: nil) : reached
    ahead = order
  }

  /// Plays until the list ends, a person stops it, or the task is cancelled.
  mutating func run(_ keys: PlayKeys) async throws(PlayerProblem) {
    do throws(PlayerProblem) {
      while !Task.isCancelled, try await fill() {
        guard take(try await player.report(within: Self.pause)), try await obey(keys) else { break }
      }
    } catch {
      finish(.stopped)
      throw error
    }
    finish(.stopped)
  }

  /// Tries once more to record what could not be recorded.
  mutating func end() {
    tracks.end()
    do throws(FileError) { for note in unrecorded { try store.add(note) } } catch { result.lost = error }
  }

  // MARK: Giving tracks

  /// Gives the player the tracks that come next.
  /// - Returns: False at the end of the list.
  private mutating func fill() async throws(PlayerProblem) -> Bool {
    readList()
    // The first track begins before the next one is looked for.
    while !isListGone, given.count <= Self.lookahead, given.isEmpty || !isStarting, let id = ahead.current {
      guard failures <= ahead.items.count else { break }
      switch try await give(id) {
      case nil:
        ahead.advance(.ended)
      case let problem?:
        fail(id, problem)
        ahead.advance(.next)
      }
    }
    guard given.isEmpty, current == nil else { return true }
    result.isAtEnd = true
    order = ahead
    save()
    return false
  }

  /// - Returns: Nil if the player has the item's track.
  private mutating func give(_ id: ItemID) async throws(PlayerProblem) -> TrackProblem? {
    let track: PlayerTrack
    switch await tracks.track(id) {
    case .failure(let problem): return problem
    case .success(let found): track = found
    }
    let isFirst = given.isEmpty
    if let problem = try await isFirst ? player.play(track) : player.enqueue(track) { return problem }
    if isFirst { (isStarting, idleReports) = (true, 0) }
    given.append(Given(track: track, order: ahead, id: id))
    return nil
  }

  /// Takes items that were added, also by another process.
  private mutating func readList() {
    do throws(FileError) {
      let mark = try store.listStatus()
      guard mark != listMark else { return }
      listMark = mark
      guard let read = try store.list(), read.id == list.id else {
        isListGone = true
        return
      }
      list = read
      for more in [read.items.dropFirst(ahead.items.count)] where !more.isEmpty { ahead.add(more) }
    } catch { emit(.notRecorded(error)) }
  }

  private mutating func fail(_ id: ItemID, _ problem: TrackProblem) {
    failures += 1
    if !result.failed.contains(id) { result.failed.append(id) }
    emit(.notPlayed(id, problem))
  }

  // MARK: Reports

  /// - Returns: False if the player was stopped, or plays something else.
  private mutating func take(_ report: PlayerReport) -> Bool {
    var wasStopped = false
    for ended in report.ended { take(ended, &wasStopped, isFollowed: report.current != nil) }
    if let number = report.current, number != current?.number,
      let index = given.firstIndex(where: { $0.track.number == number })
    {
      given.removeFirst(index)
      finish(current.map { $0.playback.isOver(after: $0.elapsed, overlap: overlap) } ?? true ? .end : .skipped)
      if isListGone, !isStarting { return false }
      begin(given[0])
    }
    if report.current != nil { idleReports = 0 } else { idleReports += 1 }
    note(report)
    guard report.current == nil, !isStarting else { return true }
    if wasStopped { return false }
    if idleReports > 1, !given.isEmpty {
      // The player stopped before it had the next track.
      ahead = given[0].order
      given = []
    }
    return true
  }

  /// Goes back to an item whose file was moved or removed since the player got it.
  /// - Returns: False if its file is there.
  private mutating func lookAgain(for one: Given) -> Bool {
    guard PlayTracks.isGone(one.track) else { return false }
    (ahead, given) = (one.order, [])
    return true
  }

  private mutating func take(_ ended: PlayerReport.Ended, _ wasStopped: inout Bool, isFollowed: Bool) {
    guard let index = given.firstIndex(where: { $0.track.number == ended.number }) else { return }
    let one = given[index]
    if current?.number != ended.number, ended.ending == .end { begin(one) }
    given.removeFirst(index + 1)
    isStarting = false
    guard let present = current, present.number == ended.number else {
      if case .failed(let detail) = ended.ending, !lookAgain(for: one) { fail(one.id, .refused(detail)) }
      return
    }
    switch ended.ending {
    case .end: finish(.end)
    case .unknown where present.playback.isOver(after: present.elapsed, overlap: overlap): finish(.end)
    case .failed(let detail):
      if !lookAgain(for: one) { fail(one.id, .refused(detail)) }
      finish(.skipped)
    case .unknown, .left:
      wasStopped = !isFollowed
      finish(isFollowed ? .skipped : .stopped)
    }
  }

  /// Notes the position that the player tells.
  private mutating func note(_ report: PlayerReport) {
    guard var present = current, present.number == report.current, let position = report.position else { return }
    let didCount = present.playback.counts
    present.playback.note(position, duration: report.duration, elapsed: present.elapsed)
    (present.since, present.isPaused) = (.now, report.isPaused)
    current = present
    emit(.progressed(position: position, duration: present.playback.duration, isPaused: report.isPaused))
    // A play is durable as soon as it counts.
    if present.playback.counts != didCount || ContinuousClock.now - savedAt >= Self.saving { save() }
  }

  // MARK: Playbacks

  private mutating func begin(_ one: Given) {
    (isStarting, failures, order) = (false, 0, one.order)
    // The time identifies the playback.
    let now = max(clock.now(), lastBegun[one.id].map { $0 + .seconds(1) } ?? clock.now())
    lastBegun[one.id] = now
    current = Current(
      number: one.track.number,
      playback: Playback(one.id, began: now, player: player.kind, position: one.track.start), since: .now)
    save()
    guard let item = tracks.item(one.id) else { return }
    emit(
      .began(item, number: order.place + 1, of: list.items.count, at: one.track.start, player.kind))
  }

  /// Ends the present playback, if there is one, and records it: first that it has ended, then its effect, then the place
  /// without it. After a kill in between, the rest is done once.
  private mutating func finish(_ ending: Playback.Ending) {
    guard var present = current else { return }
    current = nil
    if ending == .end { present.playback.noteEnd(elapsed: present.elapsed) }
    let (id, playback, now) = (present.playback.item, present.playback, clock.now())
    let following = given.first { $0.track.number != present.number }?.order ?? ahead
    var place = PlayPlace(ending == .stopped ? order : following, in: list.id, playback: playback, seenAt: now)
    place.ending = ending
    let known = tracks.item(id)?.item.duration
    let note = playback.note(ending, ended: now, duration: known)
    do throws(FileError) {
      try store.replace(place)
      if let note { try store.add(note) }
      (place.playback, place.ending) = (nil, nil)
      try store.replace(place)
    } catch {
      if let note { unrecorded.append(note) }
      emit(.notRecorded(error))
    }
    let verdict = note?.verdict ?? PlayVerdict(counts: false, mark: .none)
    tracks.left(id, verdict.mark)
    result.played += 1
    if verdict.counts { result.counted += 1 }
    if let item = tracks.item(id) { emit(.ended(item, playback, ending, verdict)) }
  }

  /// Makes the place durable.
  private mutating func save() {
    savedAt = .now
    let place = PlayPlace(order, in: list.id, playback: current?.playback, seenAt: clock.now())
    do throws(FileError) { try store.replace(place) } catch { emit(.notRecorded(error)) }
  }

  // MARK: Keys

  /// Does what a person has asked for.
  /// - Returns: False to end.
  private mutating func obey(_ keys: PlayKeys) async throws(PlayerProblem) -> Bool {
    for key in keys.take() {
      switch key {
      case .quit: return false
      case .pause: if let current { try await player.setPaused(!current.isPaused) }
      case .forward: try await player.seek(by: Self.step)
      case .back: try await player.seek(by: .zero - Self.step)
      case .next: go { $0.advance(.next) }
      case .previous: go { $0.goBack() }
      }
    }
    return true
  }

  /// Goes to another item, which the next call of `fill` plays.
  private mutating func go(_ move: (inout PlayOrder) -> Void) {
    var target = order
    target.add(list.items.dropFirst(target.items.count))
    move(&target)
    (ahead, given) = (target, [])
    finish(.skipped)
    order = target
  }
}

/// The keys that a person has pressed and that were not obeyed yet.
package final class PlayKeys: Sendable {
  private let keys = Mutex<[PlayKey]>([])

  package init() {}

  package func press(_ key: PlayKey) { keys.withLock { $0.append(key) } }

  func take() -> [PlayKey] {
    keys.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }
}
