// SPDX-License-Identifier: Apache-2.0

/// Which request goes out next: at most `concurrency` at once, at most `perHost` to one host, high priority before normal
/// before low, first come first served among equals (SPEC §5.1). A transfer that is under way goes before one that has
/// not begun. An origin that asked for a pause gets it from all of them, one that fails is asked by one request at a time,
/// and one that is closed is not asked at all. None of these holds up another.
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
      // Forget the served half at a time, so that serving is constant on average.
      guard served > 32, served * 2 > entries.count else { return }
      entries.removeFirst(served)
      served = 0
    }
  }

  fileprivate struct LineName: Hashable {
    let rank: Int
    let origin: RemoteURL.Origin
  }

  /// A line that may have the next request, ordered by that.
  fileprivate struct Turn: Comparable {
    let rank: Int
    let ticket: Int
    let line: LineName

    static func < (a: Turn, b: Turn) -> Bool { (a.rank, a.ticket) < (b.rank, b.ticket) }
  }

  private static let ranks = 4

  private let concurrency: Int
  private let perHost: Int
  /// None of them is empty.
  private var lines: [LineName: Line] = [:]
  /// Each line is here once, or in one of the two below; here also those that are empty by now.
  private var turns = TurnHeap()
  /// Lines whose host has as many requests as it may.
  private var blocked: [String: [LineName]] = [:]
  /// Lines whose origin wants a pause or is closed.
  private var resting: [LineName] = []
  private var nextTicket = 0
  private var hostByRunning: [RequestKey: String] = [:]
  /// The request that shows whether an origin serves again.
  private var probes: [RemoteURL.Origin: RequestKey] = [:]
  /// The latest of them: it goes first again, so that one item is tried to its end and not each of them once.
  private var lastProbes: [RemoteURL.Origin: RequestKey] = [:]
  private var runningByHost: [String: Int] = [:]

  package init(concurrency: Int, perHost: Int) {
    self.concurrency = concurrency
    self.perHost = perHost
  }

  package var runningCount: Int { hostByRunning.count }

  /// A request of that name that still runs counts as over: the transfer has given it up for this one.
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

  /// The next request that may go out; it counts as running from now on.
  /// - Parameter time: on the clock of `hosts`.
  package mutating func next(at time: Duration, _ hosts: HostBook) -> RequestKey? {
    guard hostByRunning.count < concurrency else { return nil }
    wake(at: time, hosts)
    while let turn = turns.popMin() {
      let (name, host) = (turn.line, turn.line.origin.host)
      // Served by `nextRefused` meanwhile, or forgotten.
      guard let first = lines[name]?.first, first.ticket == turn.ticket else { continue }
      guard runningByHost[host, default: 0] < perHost else {
        blocked[host, default: []].append(name)
        continue
      }
      guard hosts.isOpen(name.origin, at: time), mayProbe(name, hosts) else {
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

  /// Whether the origin is well, or nothing keeps this line from sending the request that tries it.
  private mutating func mayProbe(_ name: LineName, _ hosts: HostBook) -> Bool {
    guard hosts.isProbed(name.origin) else {
      (probes[name.origin], lastProbes[name.origin]) = (nil, nil)
      return true
    }
    guard probes[name.origin] == nil else { return false }
    if hosts.wantsQuiet(name.origin), runningByHost[name.origin.host, default: 0] > 0 { return false }
    let hasFresh = (1..<Self.ranks).contains { lines[LineName(rank: $0, origin: name.origin)] != nil }
    return name.rank > 0 || !hosts.prefersFresh(name.origin) || !hasFresh
  }

  /// Whether an answer may let further requests go out.
  package var isProbing: Bool { !probes.isEmpty }

  private mutating func wake(at time: Duration, _ hosts: HostBook) {
    guard !resting.isEmpty else { return }
    let rested = resting
    resting = []
    for name in rested { hosts.isOpen(name.origin, at: time) ? line(up: name) : resting.append(name) }
  }

  /// A waiting request that will not go out, because its origin is closed; it does not wait any more.
  package mutating func nextRefused(by hosts: HostBook) -> (key: RequestKey, origin: RemoteURL.Origin)? {
    var refused: Turn?
    for origin in hosts.closures.keys {
      for rank in 0..<Self.ranks {
        let name = LineName(rank: rank, origin: origin)
        guard let first = lines[name]?.first else { continue }
        let turn = Turn(rank: rank, ticket: first.ticket, line: name)
        refused = min(refused ?? turn, turn)
      }
    }
    guard let name = refused?.line, let first = lines[name]?.first else { return nil }
    serve(name)
    // Its turn, if it has one, was that of the request that is gone.
    if !resting.contains(name), blocked[name.origin.host]?.contains(name) != true { line(up: name) }
    return (first.key, name.origin)
  }

  /// When the next of the origins that requests wait for is to be asked again; nil when none is paused.
  package func nextOpening(after time: Duration, _ hosts: HostBook) -> Duration? {
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

  /// The request is over.
  package mutating func finished(_ key: RequestKey) {
    guard let host = hostByRunning.removeValue(forKey: key) else { return }
    runningByHost[host, default: 1] -= 1
    if let origin = probes.first(where: { $0.value == key })?.key { probes[origin] = nil }
    for name in blocked.removeValue(forKey: host) ?? [] { line(up: name) }
  }

  /// Forgets what has not gone out yet.
  package mutating func removeWaiting() {
    lines = [:]
    turns = TurnHeap()
    blocked = [:]
    resting = []
  }
}

/// The turns, the next one first: a binary heap, for an archive may have ten thousand hosts.
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
