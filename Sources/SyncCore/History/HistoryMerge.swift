// SPDX-License-Identifier: Apache-2.0

/// What became of the records of one source.
package struct HistoryCounts: Hashable, Sendable {
  /// Records that were understood.
  package var read = 0
  /// Of those, how many are of an item of the library.
  package var matched = 0
  /// Plays that are new.
  package var counted = 0
  /// Plays that were imported before.
  package var known = 0
  /// Of an item, but skipped, or played too briefly to count.
  package var unheard = 0
  package var unmatched = 0
  /// More than one item fits.
  package var ambiguous = 0
  /// In the future, or before the year 2000.
  package var refused = 0
  /// Lines that are no record.
  package var passedOver = 0
  package init() {}
}

/// Takes what was heard into the play counts of a queue, each play once.
package struct HistoryMerge: Sendable {
  package private(set) var counts = HistoryCounts()
  /// What the log is to say from now on.
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

  /// - Parameters:
  ///   - isLogWhole: false when plays may be missing in it, whose times nobody knows any more.
  ///   - roots: the absolute paths that the library has.
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

  /// The log is written first: a count that did not follow, because the machine stopped, follows now.
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

  /// What follows comes from there.
  package mutating func begin(_ source: PlaySource, place: String, mapping: PathMapping = .init()) {
    (self.source, self.place, self.mapping) = (source, place, mapping)
    counts = HistoryCounts()
  }

  package mutating func passOver(_ lines: Int) { counts.passedOver += lines }

  package mutating func take(_ record: HeardRecord) {
    counts.read += 1
    switch record {
    case .listening(let listening):
      guard let id = item(listening.track, at: listening.at) else { return }
      take(listening, of: id)
    case .counter(let counter):
      guard let id = item(counter.track, at: counter.lastAt) else { return }
      take(counter, of: id)
    }
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
      isNew = !log.knows(id, at: listening.at, resolution: listening.resolution)
      if isNew { counts.counted += 1 } else { counts.known += 1 }
    } else {
      counts.unheard += 1
    }
    let play = PlayLog.Play(at: listening.at, source: source, resolution: listening.resolution)
    hear(verdict, of: id, isNew ? play : nil, at: listening.at)
  }

  private mutating func take(_ counter: PlayCounter, of id: ItemID) {
    let key = PlayLog.CounterKey(source: source, place: place, uri: counter.uri)
    let growth = growth(of: counter, key, id)
    counts.counted += growth
    if counter.value <= 0 {
      counts.unheard += 1
    } else if growth == 0 {
      counts.known += 1
    }
    let verdict = PlayVerdict(counts: counter.value > 0, mark: PlayRule.mark(of: counter, duration: durations[id]))
    let play = PlayLog.Play(at: counter.lastAt, source: source, count: growth)
    hear(verdict, of: id, growth > 0 ? play : nil, at: counter.lastAt)
    let seen = PlayLog.Counter(value: counter.value, lastAt: counter.lastAt)
    guard log.counters[key] != seen else { return }
    add(.counter(key, seen))
  }

  /// Plays that a counter has and that were not counted yet.
  private func growth(of counter: PlayCounter, _ key: PlayLog.CounterKey, _ id: ItemID) -> Int {
    let seen = log.lastSeen(key)
    let growth = growth(of: counter, since: seen, log.entries[id]?.foldedUntil)
    // Its last play was told of already: then those before it were, too.
    guard growth > 0, log.knows(id, at: counter.lastAt, resolution: .second) else { return growth }
    return max(0, growth - max(1, log.plays(of: id, after: seen?.lastAt, through: counter.lastAt)))
  }

  /// - Parameter folded: up to when plays are sums, or lost: the counter's may be among them.
  private func growth(of counter: PlayCounter, since seen: PlayLog.Counter?, _ folded: Timestamp?) -> Int {
    if let folded, counter.lastAt <= folded { return 0 }
    guard let seen else { return folded == nil ? counter.value : min(counter.value, 1) }
    if counter.value >= seen.value { return counter.value - seen.value }
    // It began anew, unless it is an older copy of the file.
    return counter.lastAt > seen.lastAt ? counter.value : 0
  }

  private mutating func hear(_ verdict: PlayVerdict, of id: ItemID, _ play: PlayLog.Play?, at: Timestamp) {
    // What is ahead of the clock is taken once; else it would be heard anew at every reading until its time has come.
    guard play != nil || at <= now else { return }
    var history = plays[id] ?? before[id] ?? PlayHistory()
    // A clock that runs ahead is believed as far as now: a play to come would bring back what goes before it.
    history.hear(verdict, at: min(at, now), plays: play?.count ?? 0)
    plays[id] = history
    if let play { add(.play(id, play, total: history.count)) }
  }

  private mutating func add(_ line: PlayLog.Line) {
    log.add(line)
    lines.append(line)
  }

  /// Of the items that anything changed for.
  package var changes: [ItemID: PlayHistory] { plays.filter { $0.value != before[$0.key] } }
}

extension DesiredState {
  /// - Parameter items: as they are with what was heard; of those that the queue knows its own word counts.
  package mutating func hear(_ items: [QueueItem]) {
    let plays = Dictionary(items.map { ($0.id, $0.plays) }, uniquingKeysWith: { first, _ in first })
    for index in self.items.indices { self.items[index].heard = plays[self.items[index].item.id] ?? PlayHistory() }
  }
}

extension Queue {
  /// With what is new and wanted, so that it can be told by name what was heard.
  package func expecting(_ desired: DesiredState, now: Timestamp) -> Queue {
    var queue = self
    for new in desired.items where new.isSelected && queue[new.item.id] == nil {
      queue[new.item.id] = QueueItem(item: new.item, memberships: new.memberships, queuedAt: now)
    }
    return queue
  }

  /// The items with what was heard of them, in the queue's order.
  ///
  /// When that was taken in is not said: a plan that is made before and the run that carries it out see the same queue.
  package func items(hearing changes: [ItemID: PlayHistory]) -> [QueueItem] {
    items.compactMap { item in
      guard let plays = changes[item.id] else { return nil }
      var item = item
      item.plays = plays
      return item
    }
  }
}
