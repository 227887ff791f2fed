// SPDX-License-Identifier: Apache-2.0

/// The results of importing the records of one source.
package struct HistoryCounts: Hashable, Sendable {
  /// Records that could be parsed.
  package var read = 0
  /// Records that belong to an item of the library.
  package var matched = 0
  /// New plays.
  package var counted = 0
  /// Plays that were imported before.
  package var known = 0
  /// Records of an item that do not count as a play: skipped, or played too briefly.
  package var unheard = 0
  package var unmatched = 0
  /// Records that match more than one item.
  package var ambiguous = 0
  /// Records with a time in the future or before the year 2000.
  package var refused = 0
  /// Lines that are not a record.
  package var passedOver = 0
  package init() {}
}

/// Adds recorded plays to the play counts of a queue, each play once.
package struct HistoryMerge: Sendable {
  package private(set) var counts = HistoryCounts()
  /// The lines to be added to the log.
  package private(set) var lines: [PlayLog.Line] = []
  package private(set) var log: PlayLog
  private var plays: [ItemID: PlayHistory] = [:]
  private let before: [ItemID: PlayHistory]
  private let durations: [ItemID: Duration]
  private var matcher: ListeningMatcher
  private let now: Timestamp
  private var source = PlaySource.listens
  private var place = ""
  private var mapping = PathMapping()
  private var own = OwnPlays()

  /// - Parameters:
  ///   - isLogWhole: False if plays may be missing from the log, so that their times are unknown.
  ///   - roots: The absolute paths of the library.
  package init(_ queue: Queue, log: PlayLog, isLogWhole: Bool, roots: [String], now: Timestamp) {
    self.log = log
    self.now = now
    matcher = ListeningMatcher(queue, roots: roots)
    before = Dictionary(queue.items.map { ($0.id, $0.plays) }, uniquingKeysWith: { first, _ in first })
    durations = Dictionary(
      queue.items.compactMap { item in item.item.duration.map { (item.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    for item in queue.items { settle(item, isLogWhole: isLogWhole) }
  }

  /// Completes an interrupted import.
  /// The log is written before the counts, so a count that is behind the log is raised here.
  private mutating func settle(_ item: QueueItem, isLogWhole: Bool) {
    if let entry = log.entries[item.id], entry.total > item.plays.count {
      var history = item.plays
      history.count = entry.total
      if let last = entry.lastAt { history.lastPlayedAt = max(history.lastPlayedAt ?? last, last) }
      plays[item.id] = history
    }
    if !isLogWhole, item.plays.count > 0, let last = item.plays.lastPlayedAt {
      lines.append(log.distrust(item.id, until: last, total: item.plays.count))
    }
  }

  /// Sets the source of the records that follow.
  /// - Parameter own: The plays in a server's counters that come from here.
  package mutating func begin(
    _ source: PlaySource, place: String, mapping: PathMapping = .init(), own: OwnPlays = .init()
  ) {
    (self.source, self.place, self.mapping, self.own) = (source, place, mapping, own)
    counts = HistoryCounts()
  }

  package mutating func passOver(_ lines: Int) { counts.passedOver += lines }

  /// - Parameter isOwn: True for an item of which the record is known to come from here.
  /// - Returns: The item that was played. Nil if none can be found.
  @discardableResult
  package mutating func take(_ record: HeardRecord, unless isOwn: (ItemID) -> Bool = { _ in false }) -> ItemID? {
    counts.read += 1
    switch record {
    case .listening(let listening):
      guard let id = item(listening.track, at: listening.at) else { return nil }
      if isOwn(id) { counts.known += 1 } else { take(listening, of: id) }
      return id
    case .counter(let counter):
      guard let id = item(counter.track, at: counter.lastAt) else { return nil }
      take(counter, of: id)
      return id
    case .renewal(let track, let at):
      guard let id = item(track, at: at) else { return nil }
      counts.unheard += 1
      importPlays(PlayVerdict(counts: false, mark: .renewed), of: id, nil, at: at)
      return id
    }
  }

  /// The item with that media file, for a record that is counted nowhere.
  package mutating func owner(ofFileAt url: String) -> ItemID? {
    if case .item(let id) = matcher.match(TrackReference(url: url), through: mapping) { id } else { nil }
  }

  private mutating func item(_ track: TrackReference, at: Timestamp) -> ItemID? {
    guard PlayRule.isPossible(at, now: now) else {
      counts.refused += 1
      return nil
    }
    switch matcher.match(track, through: mapping) {
    case .item(let id):
      counts.matched += 1
      return id
    case .unknown: counts.unmatched += 1
    case .ambiguous: counts.ambiguous += 1
    }
    return nil
  }

  private mutating func take(_ listening: Listening, of id: ItemID) {
    let verdict = PlayRule.verdict(on: listening, duration: durations[id])
    var isNew = false
    if verdict.counts {
      isNew =
        !log.knows(id, at: listening.at, resolution: listening.resolution) && !isContinuation(listening, of: id)
        && !(!source.isServer && log.isOwnPlayback(id, at: listening.at))
      if isNew { counts.counted += 1 } else { counts.known += 1 }
    } else {
      counts.unheard += 1
    }
    let play = PlayLog.Play(at: listening.at, source: source, resolution: listening.resolution)
    importPlays(verdict, of: id, isNew ? play : nil, at: listening.at)
  }

  /// True if the record is a further part, or the progress, of a playback that is counted already.
  private func isContinuation(_ listening: Listening, of id: ItemID) -> Bool {
    guard source == .gpodder, let position = listening.position else { return false }
    if let started = listening.started, started > PlayRule.begun {
      let (start, end) = (listening.at - PlayRule.continuation, listening.at + PlayRule.continuation)
      return log.plays(of: id, after: start, through: end) > 0
    }
    // Any play counted after this playback began is the same one.
    let begin = listening.at - position + PlayRule.begun
    return log.plays(of: id, after: begin, through: listening.at) > 0
  }

  /// Takes a playback of the `play` command. Taking it again changes nothing.
  package mutating func take(_ note: PlaybackNote) {
    counts.read += 1
    guard PlayRule.isPossible(note.began, now: now), note.ended <= now + .days(1) else {
      counts.refused += 1
      return
    }
    counts.matched += 1
    let isNew =
      note.verdict.counts && !log.knows(note.item, at: note.began, resolution: .second)
      && !log.hasRecord(of: note.item, from: note.began, to: note.ended)
    if isNew { counts.counted += 1 } else if note.verdict.counts { counts.known += 1 } else { counts.unheard += 1 }
    var history =
      plays[note.item] ?? before[note.item] ?? PlayHistory(count: log.entries[note.item]?.total ?? 0)
    if note.verdict.counts {
      history.importPlays(PlayVerdict(counts: true, mark: .none), at: min(note.began, now), plays: isNew ? 1 : 0)
    }
    history.importPlays(PlayVerdict(counts: false, mark: note.verdict.mark), at: min(note.ended, now), plays: 0)
    plays[note.item] = history
    guard isNew else { return }
    let play = PlayLog.Play(at: note.began, source: note.player, ended: note.ended)
    add(.play(note.item, play, total: history.count))
  }

  private mutating func take(_ counter: PlayCounter, of id: ItemID) {
    // A server may give a song another id.
    let uri = source.isServer ? id.text : counter.uri
    let key = PlayLog.CounterKey(source: source, place: place, uri: uri)
    let growth = growth(of: counter, key, id)
    counts.counted += growth
    if counter.value <= 0 {
      counts.unheard += 1
    } else if growth == 0 {
      counts.known += 1
    }
    if growth > 0 || !own.isStream(counter, of: id) {
      let verdict = PlayVerdict(counts: counter.value > 0, mark: PlayRule.mark(of: counter, duration: durations[id]))
      let play = PlayLog.Play(at: counter.lastAt, source: source, count: growth)
      importPlays(verdict, of: id, growth > 0 ? play : nil, at: counter.lastAt)
    }
    let seen = PlayLog.Counter(value: counter.value, lastAt: counter.lastAt)
    guard log.counters[key] != seen else { return }
    add(.counter(key, seen))
  }

  /// The plays in a counter that have not been counted yet.
  private func growth(of counter: PlayCounter, _ key: PlayLog.CounterKey, _ id: ItemID) -> Int {
    let seen = log.lastSeen(key)
    var all = growth(of: counter, since: seen, log.entries[id]?.foldedUntil)
    if all > 0, source == .mpdStickers || source == .mpdcron {
      all = max(0, all - log.ownPlays(of: id, since: seen?.lastAt, through: counter.lastAt))
    }
    let growth = own.rest(all, of: counter, id, since: seen)
    // A device told its server late of an earlier play.
    if source.isServer, seen?.lastAt == counter.lastAt { return growth }
    // The counter's last play was recorded before, so the plays before it were recorded as well.
    guard growth > 0, !own.isPush(counter, of: id), log.knows(id, at: counter.lastAt, resolution: .second) else {
      return growth
    }
    return max(0, growth - max(1, log.plays(of: id, after: seen?.lastAt, through: counter.lastAt)))
  }

  /// - Parameter folded: The time up to which single plays are no longer known. The counter's plays may be among them.
  private func growth(of counter: PlayCounter, since seen: PlayLog.Counter?, _ folded: Timestamp?) -> Int {
    if let folded, counter.lastAt <= folded { return 0 }
    guard let seen else { return folded == nil ? counter.value : min(counter.value, 1) }
    if counter.value >= seen.value { return counter.value - seen.value }
    // The counter was reset, unless this is an older copy of the file.
    return counter.lastAt > seen.lastAt ? counter.value : 0
  }

  private mutating func importPlays(_ verdict: PlayVerdict, of id: ItemID, _ play: PlayLog.Play?, at: Timestamp) {
    // A record ahead of the clock is taken once. Otherwise every reading would take it again until that time has come.
    guard play != nil || at <= now else { return }
    var history = plays[id] ?? before[id] ?? PlayHistory()
    // A clock that is ahead counts as now. A play in the future would bring back positions recorded before it.
    history.importPlays(verdict, at: min(at, now), plays: play?.count ?? 0)
    plays[id] = history
    if let play { add(.play(id, play, total: history.count)) }
  }

  private mutating func add(_ line: PlayLog.Line) {
    log.add(line)
    lines.append(line)
  }

  /// The play histories of all items that changed.
  package var changes: [ItemID: PlayHistory] { plays.filter { $0.value != before[$0.key] } }
}

extension DesiredState {
  /// - Parameter items: The items with their plays. For an item in the queue, the queue's play history applies.
  package mutating func importPlays(_ items: [QueueItem]) {
    let plays = Dictionary(items.map { ($0.id, $0.plays) }, uniquingKeysWith: { first, _ in first })
    for index in self.items.indices { self.items[index].played = plays[self.items[index].id] ?? PlayHistory() }
  }
}

extension Queue {
  /// The queue with all new selected items added, so that records can match them by name.
  package func expecting(_ desired: DesiredState, now: Timestamp) -> Queue {
    var queue = self
    for new in desired.items where new.isSelected && queue[new.item.id] == nil {
      queue[new.item.id] = QueueItem(item: new.item, memberships: new.memberships, queuedAt: now)
    }
    return queue
  }

  /// The changed items with their new plays, in the order of the queue.
  ///
  /// The time of the import is not recorded, so that a plan made earlier and
  /// the run that carries it out see the same queue.
  package func items(hearing changes: [ItemID: PlayHistory]) -> [QueueItem] {
    items.compactMap { item in
      guard let plays = changes[item.id] else { return nil }
      var item = item
      item.plays = plays
      return item
    }
  }
}
