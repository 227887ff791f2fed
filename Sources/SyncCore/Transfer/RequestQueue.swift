// SPDX-License-Identifier: Apache-2.0

/// Decides which request goes out next: at most `concurrency` at once, at most `perHost` to one host, high priority
/// before normal before low, and first come, first served among equals. A transfer in progress goes before one that has
/// not begun. An origin that asked for a pause gets no requests until it is over, a failing one gets one request at a
/// time, and a blocked one gets none. None of them delays requests to another.
package struct RequestQueue: Sendable {
  private struct Entry {
    let ticket: Int
    let key: RequestKey
  }

  /// The waiting requests of one rank to one origin, oldest first.
  private struct Line {
    private var entries: [Entry] = []
    private var served = 0

    var first: Entry? { served < entries.count ? entries[served] : nil }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    mutating func putFirst(_ entry: Entry) { entries.insert(entry, at: served) }

    mutating func serve() {
      served += 1
      // Served entries are removed in bulk, so serving takes constant time on average.
      guard served > 32, served * 2 > entries.count else { return }
      entries.removeFirst(served)
      served = 0
    }
  }

  fileprivate struct LineName: Hashable {
    let rank: Int
    let origin: RemoteURL.Origin
  }

  /// The turn of a line that may send the next request. Turns are ordered by rank, then by ticket.
  fileprivate struct Turn: Comparable {
    let rank: Int
    let ticket: Int
    let line: LineName

    static func < (a: Turn, b: Turn) -> Bool { (a.rank, a.ticket) < (b.rank, b.ticket) }
  }

  private static let ranks = 4

  private let concurrency: Int
  private let perHost: Int
  /// The lines with waiting requests. No line is empty.
  private var lines: [LineName: Line] = [:]
  /// The turns of lines. Each line with waiting requests is here or in one of the two lists below. Turns of emptied
  /// lines may remain.
  private var turns = TurnHeap()
  /// Lines whose host has its maximum number of requests.
  private var blocked: [String: [LineName]] = [:]
  /// Lines whose origin is paused or blocked.
  private var resting: [LineName] = []
  private var nextTicket = 0
  private var hostByRunning: [RequestKey: String] = [:]
  /// The running request that tests if an origin serves again.
  private var probes: [RemoteURL.Origin: RequestKey] = [:]
  /// The latest probe of each origin.
  /// It goes first again, so that one item is tried to its end instead of each item once.
  private var lastProbes: [RemoteURL.Origin: RequestKey] = [:]
  private var runningByHost: [String: Int] = [:]

  package init(concurrency: Int, perHost: Int) {
    self.concurrency = concurrency
    self.perHost = perHost
  }

  package var runningCount: Int { hostByRunning.count }

  /// Adds a request. A running request with the same key counts as finished, because the transfer has replaced it.
  package mutating func add(_ key: RequestKey, origin: RemoteURL.Origin, priority: Priority, isUnderWay: Bool) {
    finished(key)
    let name = LineName(rank: Self.rank(priority, isUnderWay: isUnderWay), origin: origin)
    let isNew = lines[name] == nil
    let isFirst = lastProbes[origin] == key
    let entry = Entry(ticket: nextTicket, key: key)
    isFirst ? lines[name, default: Line()].putFirst(entry) : lines[name, default: Line()].add(entry)
    nextTicket += 1
    if isNew || isFirst { line(up: name) }
  }

  private static func rank(_ priority: Priority, isUnderWay: Bool) -> Int {
    if isUnderWay { return 0 }
    switch priority {
    case .high: return 1
    case .normal: return 2
    case .low: return 3
    }
  }

  private mutating func line(up name: LineName) {
    guard let first = lines[name]?.first else { return }
    turns.insert(Turn(rank: name.rank, ticket: first.ticket, line: name))
  }

  /// Returns the next request that may go out. It counts as running from now on.
  /// - Parameter time: The current time on the clock of `hosts`.
  package mutating func next(at time: Duration, _ hosts: HostHealth) -> RequestKey? {
    guard hostByRunning.count < concurrency else { return nil }
    wake(at: time, hosts)
    while let turn = turns.popMin() {
      let (name, host) = (turn.line, turn.line.origin.host)
      // The entry was served by `nextRefused` in the meantime, or removed.
      guard let first = lines[name]?.first, first.ticket == turn.ticket else { continue }
      guard runningByHost[host, default: 0] < perHost else {
        blocked[host, default: []].append(name)
        continue
      }
      guard hosts.admits(name.origin, at: time), mayProbe(name, hosts) else {
        resting.append(name)
        continue
      }
      if hosts.isProbed(name.origin) { (probes[name.origin], lastProbes[name.origin]) = (first.key, first.key) }
      serve(name)
      line(up: name)
      hostByRunning[first.key] = host
      runningByHost[host, default: 0] += 1
      return first.key
    }
    return nil
  }

  /// True if the origin works normally, or if this line may send the probe.
  private mutating func mayProbe(_ name: LineName, _ hosts: HostHealth) -> Bool {
    guard hosts.isProbed(name.origin) else {
      (probes[name.origin], lastProbes[name.origin]) = (nil, nil)
      return true
    }
    guard probes[name.origin] == nil else { return false }
    if hosts.wantsQuiet(name.origin), runningByHost[name.origin.host, default: 0] > 0 { return false }
    let hasFresh = (1..<Self.ranks).contains { lines[LineName(rank: $0, origin: name.origin)] != nil }
    return name.rank > 0 || !hosts.prefersFresh(name.origin) || !hasFresh
  }

  /// True if an answer may allow further requests to go out.
  package var isProbing: Bool { !probes.isEmpty }

  private mutating func wake(at time: Duration, _ hosts: HostHealth) {
    guard !resting.isEmpty else { return }
    let rested = resting
    resting = []
    for name in rested { hosts.admits(name.origin, at: time) ? line(up: name) : resting.append(name) }
  }

  /// Removes and returns a waiting request that will not go out because its origin is blocked.
  package mutating func nextRefused(by hosts: HostHealth) -> (key: RequestKey, origin: RemoteURL.Origin)? {
    var refused: Turn?
    for origin in hosts.breakers.keys {
      for rank in 0..<Self.ranks {
        let name = LineName(rank: rank, origin: origin)
        guard let first = lines[name]?.first else { continue }
        let turn = Turn(rank: rank, ticket: first.ticket, line: name)
        refused = min(refused ?? turn, turn)
      }
    }
    guard let name = refused?.line, let first = lines[name]?.first else { return nil }
    serve(name)
    // The turn of the line, if it has one, belonged to the removed request.
    if !resting.contains(name), blocked[name.origin.host]?.contains(name) != true { line(up: name) }
    return (first.key, name.origin)
  }

  /// The next time at which a paused origin with waiting requests may be asked. Nil if none is paused.
  package func nextOpening(after time: Duration, _ hosts: HostHealth) -> Duration? {
    var earliest: Duration?
    for (origin, opening) in hosts.pauses(at: time) {
      let isWaitedFor = (0..<Self.ranks).contains { lines[LineName(rank: $0, origin: origin)] != nil }
      if isWaitedFor { earliest = min(earliest ?? opening, opening) }
    }
    return earliest
  }

  private mutating func serve(_ name: LineName) {
    lines[name]?.serve()
    if lines[name]?.first == nil { lines[name] = nil }
  }

  /// Marks the request as finished.
  package mutating func finished(_ key: RequestKey) {
    guard let host = hostByRunning.removeValue(forKey: key) else { return }
    runningByHost[host, default: 1] -= 1
    if let origin = probes.first(where: { $0.value == key })?.key { probes[origin] = nil }
    for name in blocked.removeValue(forKey: host) ?? [] { line(up: name) }
  }

  /// Removes all waiting requests.
  package mutating func removeWaiting() {
    lines = [:]
    turns = TurnHeap()
    blocked = [:]
    resting = []
  }
}

/// The turns in a binary heap, next one first, because an archive may have ten thousand hosts.
private struct TurnHeap: Sendable {
  private var turns: [RequestQueue.Turn] = []

  mutating func insert(_ turn: RequestQueue.Turn) {
    turns.append(turn)
    var child = turns.count - 1
    while child > 0, turns[child] < turns[(child - 1) / 2] {
      turns.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func popMin() -> RequestQueue.Turn? {
    guard !turns.isEmpty else { return nil }
    turns.swapAt(0, turns.count - 1)
    let least = turns.removeLast()
    var parent = 0
    while 2 * parent + 1 < turns.count {
      let (left, right) = (2 * parent + 1, 2 * parent + 2)
      let child = right < turns.count && turns[right] < turns[left] ? right : left
      guard turns[child] < turns[parent] else { break }
      turns.swapAt(child, parent)
      parent = child
    }
    return least
  }
}

/// The identity of a request in a run. At most one request with the same key waits or runs at a time.
package enum RequestKey: Hashable, Sendable {
  /// The main request of an item.
  case item(ItemID)
  /// One of several additional requests for the same file, counted from 1.
  case further(ItemID, Int)
  /// A request for a source, by number.
  case source(Int)

  /// The item of the request. Nil for a request for a source.
  package var item: ItemID? {
    switch self {
    case .item(let id), .further(let id, _): id
    case .source: nil
    }
  }
}
