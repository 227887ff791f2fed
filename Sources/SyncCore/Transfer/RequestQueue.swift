// SPDX-License-Identifier: Apache-2.0

/// Which request goes out next: at most `concurrency` at once, at most `perHost` to one host, high priority before normal
/// before low, first come first served among equals (SPEC §5.1). A transfer that is under way goes before one that has
/// not begun.
package struct RequestQueue: Sendable {
  /// The waiting requests of one rank to one host, oldest first.
  private struct Line {
    private var entries: [(ticket: Int, id: ItemID)] = []
    private var served = 0

    var first: (ticket: Int, id: ItemID)? { served < entries.count ? entries[served] : nil }

    mutating func add(_ ticket: Int, _ id: ItemID) { entries.append((ticket, id)) }

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
  /// By rank, then by host.
  private var lines: [[String: Line]] = [[:], [:], [:], [:]]
  private var nextTicket = 0
  private var hostByRunning: [ItemID: String] = [:]
  private var runningByHost: [String: Int] = [:]

  package init(concurrency: Int, perHost: Int) {
    self.concurrency = concurrency
    self.perHost = perHost
  }

  package var runningCount: Int { hostByRunning.count }

  /// A request of the item that still runs counts as over: the transfer has given it up for this one.
  package mutating func add(_ id: ItemID, host: String, priority: Priority, isUnderWay: Bool) {
    finished(id)
    lines[Self.rank(priority, isUnderWay: isUnderWay)][host, default: Line()].add(nextTicket, id)
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
  package mutating func next() -> ItemID? {
    guard hostByRunning.count < concurrency else { return nil }
    for rank in lines.indices {
      let open = lines[rank].filter { runningByHost[$0.key, default: 0] < perHost }
      guard let chosen = open.compactMapValues(\.first).min(by: { $0.value.ticket < $1.value.ticket }) else { continue }
      lines[rank][chosen.key]?.serve()
      if lines[rank][chosen.key]?.first == nil { lines[rank][chosen.key] = nil }
      hostByRunning[chosen.value.id] = chosen.key
      runningByHost[chosen.key, default: 0] += 1
      return chosen.value.id
    }
    return nil
  }

  /// The item's request is over.
  package mutating func finished(_ id: ItemID) {
    guard let host = hostByRunning.removeValue(forKey: id) else { return }
    runningByHost[host, default: 1] -= 1
  }

  /// Forgets what has not gone out yet.
  package mutating func removeWaiting() { lines = [[:], [:], [:], [:]] }
}
