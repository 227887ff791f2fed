// SPDX-License-Identifier: Apache-2.0

/// Which request goes out next: at most `concurrency` at once, at most `perHost` to one host, high priority before normal
/// before low, first come first served among equals (SPEC §5.1). A transfer that is under way goes before one that has
/// not begun. An origin that asked for a pause gets it from all of them, and one that is closed is not asked at all;
/// neither holds up another.
///
/// `Key` names a request: at most one that waits or runs at a time.
package struct RequestQueue<Key: Hashable & Sendable>: Sendable {
  /// The waiting requests of one rank to one origin, oldest first.
  private struct Line {
    private var entries: [(ticket: Int, id: Key)] = []
    private var served = 0

    var first: (ticket: Int, id: Key)? { served < entries.count ? entries[served] : nil }

    mutating func add(_ ticket: Int, _ id: Key) { entries.append((ticket, id)) }

    mutating func serve() {
      served += 1
      // Forget the served half at a time, so that serving is constant on average.
      guard served > 32, served * 2 > entries.count else { return }
      entries.removeFirst(served)
      served = 0
    }
  }

  private let concurrency: Int
  private let perHost: Int
  /// By rank, then by origin.
  private var lines: [[RemoteURL.Origin: Line]] = [[:], [:], [:], [:]]
  private var nextTicket = 0
  private var hostByRunning: [Key: String] = [:]
  private var runningByHost: [String: Int] = [:]

  package init(concurrency: Int, perHost: Int) {
    self.concurrency = concurrency
    self.perHost = perHost
  }

  package var runningCount: Int { hostByRunning.count }

  /// A request of the item that still runs counts as over: the transfer has given it up for this one.
  package mutating func add(_ id: Key, origin: RemoteURL.Origin, priority: Priority, isUnderWay: Bool) {
    finished(id)
    lines[Self.rank(priority, isUnderWay: isUnderWay)][origin, default: Line()].add(nextTicket, id)
    nextTicket += 1
  }

  private static func rank(_ priority: Priority, isUnderWay: Bool) -> Int {
    if isUnderWay { return 0 }
    switch priority {
    case .high: return 1
    case .normal: return 2
    case .low: return 3
    }
  }

  /// The next request that may go out; it counts as running from now on.
  /// - Parameter time: on the clock of `hosts`.
  package mutating func next(at time: Duration, _ hosts: HostBook) -> Key? {
    guard hostByRunning.count < concurrency else { return nil }
    for rank in lines.indices {
      let open = lines[rank].filter { origin, _ in
        runningByHost[origin.host, default: 0] < perHost && hosts.isOpen(origin, at: time)
      }
      guard let chosen = open.compactMapValues(\.first).min(by: { $0.value.ticket < $1.value.ticket }) else { continue }
      serve(rank, chosen.key)
      hostByRunning[chosen.value.id] = chosen.key.host
      runningByHost[chosen.key.host, default: 0] += 1
      return chosen.value.id
    }
    return nil
  }

  /// A waiting request that will not go out, because its origin is closed; it does not wait any more.
  package mutating func nextRefused(by hosts: HostBook) -> (id: Key, origin: RemoteURL.Origin)? {
    guard !hosts.closures.isEmpty else { return nil }
    for rank in lines.indices {
      let refused = lines[rank].filter { hosts.closures[$0.key] != nil }.compactMapValues(\.first)
      guard let first = refused.min(by: { $0.value.ticket < $1.value.ticket }) else { continue }
      serve(rank, first.key)
      return (first.value.id, first.key)
    }
    return nil
  }

  /// When the next of the origins that requests wait for is to be asked again; nil when none is paused.
  package func nextOpening(after time: Duration, _ hosts: HostBook) -> Duration? {
    lines.lazy.flatMap(\.keys).compactMap { hosts.opening(of: $0, at: time) }.min()
  }

  private mutating func serve(_ rank: Int, _ origin: RemoteURL.Origin) {
    lines[rank][origin]?.serve()
    if lines[rank][origin]?.first == nil { lines[rank][origin] = nil }
  }

  /// The item's request is over.
  package mutating func finished(_ id: Key) {
    guard let host = hostByRunning.removeValue(forKey: id) else { return }
    runningByHost[host, default: 1] -= 1
  }

  /// Forgets what has not gone out yet.
  package mutating func removeWaiting() { lines = [[:], [:], [:], [:]] }
}
