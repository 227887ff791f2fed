// SPDX-License-Identifier: Apache-2.0

/// The counted plays and the counters seen. They distinguish a new play from one imported before. The queue file
/// contains only totals.
package struct PlayLog: Equatable, Sendable {
  /// The time for which single plays are kept.
  package static let keep = Duration.days(400)

  /// One play, or several of which only the last has a known time.
  package struct Play: Hashable, Sendable {
    package var at: Timestamp
    package var source: PlaySource
    package var count: Int
    package var resolution: Listening.Resolution
    /// The end of a playback that began at `at`. Nil if only one time is known.
    package var ended: Timestamp?
    package init(
      at: Timestamp, source: PlaySource, count: Int = 1, resolution: Listening.Resolution = .second,
      ended: Timestamp? = nil
    ) {
      self.at = at
      self.ended = ended
      self.source = source
      self.count = count
      self.resolution = resolution
    }
  }

  /// The identity of a counter: its source, its place and its name.
  package struct CounterKey: Hashable, Sendable {
    package var source: PlaySource
    /// The path of the file that contains it.
    package var place: String
    package var uri: String
    package init(source: PlaySource, place: String, uri: String) {
      self.source = source
      self.place = place
      self.uri = uri
    }

    fileprivate var name: CounterName { CounterName(source: source, uri: uri) }
  }

  /// The identity of a counter without the place of its file.
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
    /// - Parameter total: The item's count including this play. It restores a count that was not saved.
    case play(ItemID, Play, total: Int)
    /// The total includes all plays up to `until`, which are no longer kept one by one.
    case folded(ItemID, until: Timestamp, total: Int)
    case counter(CounterKey, Counter)
  }

  /// The recorded plays of one item.
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
  /// The counter with the latest play for each name.
  private var latest: [CounterName: Counter] = [:]
  /// The number of added lines, including those that a later line made obsolete.
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

  /// The previous value of a counter. If the counter is new in this place, this is the counter with the same name
  /// elsewhere, because its file may have been copied or moved.
  package func lastSeen(_ key: CounterKey) -> Counter? { counters[key] ?? latest[key.name] }

  /// The number of plays of an item that are known one by one.
  /// - Parameter start: Nil to count from the first play.
  package func plays(of id: ItemID, after start: Timestamp?, through end: Timestamp) -> Int {
    (entries[id]?.plays ?? []).lazy.filter { play in play.at <= end && start.map { play.at > $0 } ?? true }.map(\.count)
      .reduce(0, +)
  }

  /// True if this play was counted, or may have been.
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

  /// The time by which the records of two programs about one playback differ.
  private static let clocks = Duration.minutes(1)

  /// True if a record of another program is about a playback by the `play` command. Programs record its beginning, its end
  /// or a time in between.
  package func isOwnPlayback(_ id: ItemID, at: Timestamp) -> Bool {
    entries[id]?.plays.contains { $0.spans(at, within: Self.clocks) } ?? false
  }

  /// True if another program has recorded a play during this playback. A record from within an earlier playback is of that
  /// one.
  package func hasRecord(of id: ItemID, from began: Timestamp, to ended: Timestamp) -> Bool {
    guard let plays = entries[id]?.plays else { return false }
    let own = plays.filter { $0.ended != nil }
    return plays.contains { play in
      play.ended == nil && play.source.recordsPlayers && play.at >= began - Self.clocks
        && play.at <= ended + Self.clocks && !own.contains { $0.spans(play.at, within: .zero) }
    }
  }

  /// The number of plays by the `play` command with MPD that came into a counter since it was read.
  /// - Parameters:
  ///   - seen: The time of the last play when the counter was read before. Nil if it never was.
  func ownPlays(of id: ItemID, since seen: Timestamp?, through last: Timestamp) -> Int {
    let own = (entries[id]?.plays ?? []).filter { $0.source == .mpd && $0.at <= last + Self.clocks }
      .sorted { $0.at < $1.at }
    guard let seen else { return own.count }
    // The earliest playback at that time is the one that the counter had last.
    let counted = own.firstIndex { $0.spans(seen, within: .seconds(5)) }
    return own[(counted.map { $0 + 1 } ?? 0)...].count { $0.at > seen || counted != nil }
  }

  /// Marks all plays up to `until` as counted, for an item whose plays may be missing from the log.
  /// They are not counted again.
  package mutating func distrust(_ id: ItemID, until: Timestamp, total: Int) -> Line {
    let line = Line.folded(id, until: until, total: total)
    add(line)
    return line
  }

  /// True if enough lines are old or obsolete to make rewriting the file worthwhile.
  package func isWorthFolding(at now: Timestamp) -> Bool {
    let horizon = now - Self.keep
    let old = entries.values.reduce(0) { $0 + $1.plays.count { $0.at < horizon } }
    return old + needless >= 256 && old + needless >= lineCount / 2
  }

  /// The lines of the log with all plays older than `keep` replaced by totals.
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

extension PlayLog.Play {
  fileprivate func spans(_ time: Timestamp, within tolerance: Duration) -> Bool {
    ended.map { time >= at - tolerance && time <= $0 + tolerance } ?? false
  }
}

extension PlaySource {
  /// True if it records what a player on this machine plays.
  fileprivate var recordsPlayers: Bool {
    switch self {
    case .scrobblerLog, .listens, .mpdStickers, .mpdcron: true
    case .played, .gpodder, .subsonic, .listenbrainz, .mpv, .mpd: false
    }
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
