// SPDX-License-Identifier: Apache-2.0

/// Where a play is known from.
package enum PlaySource: String, CaseIterable, Sendable {
  /// By command.
  case played
  case scrobblerLog = "scrobbler_log"
  case listens
  case mpdStickers = "mpd_stickers"
  case mpdcron
}

/// The plays that were counted, and the counters that were seen: what tells a play that is new from one that was imported
/// before. The queue file has sums alone.
package struct PlayLog: Equatable, Sendable {
  /// Plays are kept so long, one by one.
  package static let keep = Duration.days(400)

  /// One play, or several of which only the last has a time.
  package struct Play: Hashable, Sendable {
    package var at: Timestamp
    package var source: PlaySource
    package var count: Int
    package var resolution: Listening.Resolution
    package init(at: Timestamp, source: PlaySource, count: Int = 1, resolution: Listening.Resolution = .second) {
      self.at = at
      self.source = source
      self.count = count
      self.resolution = resolution
    }
  }

  /// A counter in one place, of one name.
  package struct CounterKey: Hashable, Sendable {
    package var source: PlaySource
    /// The path of the file that it is in.
    package var place: String
    package var uri: String
    package init(source: PlaySource, place: String, uri: String) {
      self.source = source
      self.place = place
      self.uri = uri
    }

    fileprivate var name: CounterName { CounterName(source: source, uri: uri) }
  }

  /// The same counter wherever its file lies.
  fileprivate struct CounterName: Hashable, Sendable {
    var source: PlaySource
    var uri: String
  }

  package struct Counter: Hashable, Sendable {
    package var value: Int
    package var lastAt: Timestamp
    package init(value: Int, lastAt: Timestamp) {
      self.value = value
      self.lastAt = lastAt
    }
  }

  /// One line of the log.
  package enum Line: Hashable, Sendable {
    /// - Parameter total: the item's count with this play: makes up for a count that was not saved.
    case play(ItemID, Play, total: Int)
    /// Everything up to that moment is in the total, and kept one by one no more.
    case folded(ItemID, until: Timestamp, total: Int)
    case counter(CounterKey, Counter)
  }

  /// What is known of one item.
  package struct Entry: Equatable, Sendable {
    package fileprivate(set) var plays: [Play] = []
    package fileprivate(set) var foldedUntil: Timestamp?
    package fileprivate(set) var total = 0
    fileprivate var seconds: Set<Int64> = []
    fileprivate var minutes: Set<Int64> = []

    package var lastAt: Timestamp? { [foldedUntil, plays.map(\.at).max()].compactMap(\.self).max() }
  }

  package private(set) var entries: [ItemID: Entry] = [:]
  package private(set) var counters: [CounterKey: Counter] = [:]
  /// Of each name the one that was heard last.
  private var latest: [CounterName: Counter] = [:]
  /// Lines that were added, those among them that a later one made needless.
  package private(set) var lineCount = 0
  private var needless = 0

  package init() {}

  package mutating func add(_ line: Line) {
    lineCount += 1
    switch line {
    case .play(let id, let play, let total): entries[id, default: Entry()].add(play, total)
    case .folded(let id, let until, let total): entries[id, default: Entry()].fold(until, total)
    case .counter(let key, let counter):
      if counters.updateValue(counter, forKey: key) != nil { needless += 1 }
      if latest[key.name].map({ $0.lastAt <= counter.lastAt }) ?? true { latest[key.name] = counter }
    }
  }

  /// What a counter grew from: itself as it was seen before, else the one of its name in another place, from where its file
  /// may have been copied or moved.
  package func lastSeen(_ key: CounterKey) -> Counter? { counters[key] ?? latest[key.name] }

  /// How many plays of an item are known one by one.
  /// - Parameter start: nil: from the first.
  package func plays(of id: ItemID, after start: Timestamp?, through end: Timestamp) -> Int {
    (entries[id]?.plays ?? []).lazy.filter { play in play.at <= end && start.map { play.at > $0 } ?? true }.map(\.count)
      .reduce(0, +)
  }

  /// Whether that play was counted, or may have been.
  package func knows(_ id: ItemID, at: Timestamp, resolution: Listening.Resolution) -> Bool {
    guard let entry = entries[id] else { return false }
    if let until = entry.foldedUntil, at <= until { return true }
    let second = at.secondsSince1970
    if entry.seconds.contains(second) { return true }
    if !entry.minutes.isEmpty {
      let minute = second - (second % 60 + 60) % 60
      if entry.minutes.contains(minute) || entry.minutes.contains(minute + 60) { return true }
    }
    return resolution == .minute && (second - 59...second + 59).contains(where: entry.seconds.contains)
  }

  /// For an item whose plays may not all be here: what lies up to its last one is not counted again.
  package mutating func distrust(_ id: ItemID, until: Timestamp, total: Int) -> Line {
    let line = Line.folded(id, until: until, total: total)
    add(line)
    return line
  }

  /// Whether so much of the lines is old or needless that a new file is worth its writing.
  package func isWorthFolding(at now: Timestamp) -> Bool {
    let horizon = now - Self.keep
    let old = entries.values.reduce(0) { $0 + $1.plays.count { $0.at < horizon } }
    return old + needless >= 256 && old + needless >= lineCount / 2
  }

  /// The same with plays that are older than `keep` as sums.
  package func folded(at now: Timestamp) -> [Line] {
    let horizon = now - Self.keep
    var lines: [Line] = []
    for (id, entry) in entries.sorted(by: { $0.key < $1.key }) {
      let old = entry.plays.filter { $0.at < horizon }
      let recent = entry.plays.filter { $0.at >= horizon }.sorted { $0.at < $1.at }
      if let until = [entry.foldedUntil, old.map(\.at).max()].compactMap(\.self).max() {
        lines.append(.folded(id, until: until, total: entry.total))
      }
      lines += recent.map { .play(id, $0, total: entry.total) }
    }
    let keys = counters.keys.sorted { ($0.source.rawValue, $0.place, $0.uri) < ($1.source.rawValue, $1.place, $1.uri) }
    return lines + keys.compactMap { key in counters[key].map { .counter(key, $0) } }
  }
}

extension PlayLog.Entry {
  fileprivate mutating func add(_ play: PlayLog.Play, _ total: Int) {
    plays.append(play)
    self.total = max(self.total, total)
    let second = play.at.secondsSince1970
    if play.resolution == .minute { minutes.insert(second) } else { seconds.insert(second) }
  }

  fileprivate mutating func fold(_ until: Timestamp, _ total: Int) {
    foldedUntil = max(foldedUntil ?? until, until)
    self.total = max(self.total, total)
  }
}
