// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A run against one simulated server in simulated time, with the host health, the queue and the retries of a real one.
struct HostSimulation {
  enum Server {
    /// There is no answer between these times.
    case down(from: Duration, to: Duration)
    /// Serves one request in that time and refuses the others (429 or 503).
    case limited(every: Duration, status: Int)
    /// Always answers with an error for these items.
    case broken(items: Set<Int>, status: Int)
    /// Refuses every request.
    case refusing(status: Int)
    /// Serves at most `width` requests at a time, each for `seconds`.
    case narrow(width: Int, seconds: Duration)
  }

  private enum Event {
    case answered(Int, asked: Duration, HostHealth.Answer)
    case retry(Int)
  }

  private let policy: DownloadPolicy
  private let server: Server
  private let origin: RemoteURL.Origin
  private var health: HostHealth
  private var queue: RequestQueue
  private var chance: SeededGenerator
  private var events: [(at: Duration, event: Event)] = []
  private var lastServed: Duration?
  private var inService = 0
  private(set) var time = Duration.zero
  private(set) var requests = 0
  private(set) var attempts: [Int]
  private(set) var served: Set<Int> = []
  private(set) var failed: Set<Int> = []
  private(set) var deferred: Set<Int> = []

  init(items: Int, _ server: Server, policy: DownloadPolicy = DownloadPolicy(), seed: Int) throws {
    self.policy = policy
    self.server = server
    origin = try RemoteURL("http://a.example").origin
    health = HostHealth(policy)
    queue = RequestQueue(concurrency: policy.concurrency, perHost: policy.perHost)
    chance = SeededGenerator(seed)
    attempts = Array(repeating: 0, count: items)
    for item in 0..<items { queue.add(.source(item), origin: origin, priority: .normal, isUnderWay: false) }
  }

  var isClosed: Bool { !health.breakers.isEmpty }

  /// Runs until no request is waiting or active.
  mutating func run() {
    while true {
      pump()
      let next = events.map(\.at).min()
      let opening = queue.nextOpening(after: time, health)
      guard let moment = [next, opening].compactMap({ $0 }).min() else { return }
      time = moment
      while let index = events.firstIndex(where: { $0.at <= time }) { handle(events.remove(at: index).event) }
    }
  }

  private mutating func pump() {
    while case .source(let item)? = queue.nextRefused(by: health)?.key { deferred.insert(item) }
    while case .source(let item)? = queue.next(at: time, health) {
      requests += 1
      attempts[item] += 1
      let (answer, latency) = answer(item)
      events.append((time + latency, .answered(item, asked: time, answer)))
    }
  }

  private mutating func answer(_ item: Int) -> (HostHealth.Answer, Duration) {
    let latency = Duration.milliseconds(Int.random(in: 1...30, using: &chance))
    switch server {
    case .down(let from, let to):
      return time >= from && time < to ? (.failed(.network(detail: "refused")), .milliseconds(1)) : (.served, latency)
    case .limited(let interval, let status):
      if let lastServed, time < lastServed + interval { return (.failed(.http(status: status)), .milliseconds(1)) }
      lastServed = time
      return (.served, latency)
    case .broken(let items, let status):
      return items.contains(item) ? (.failed(.http(status: status)), latency) : (.served, latency)
    case .refusing(let status): return (.failed(.http(status: status)), latency)
    case .narrow(let width, let seconds):
      guard inService < width else { return (.failed(.http(status: 503)), .milliseconds(1)) }
      inService += 1
      return (.served, seconds)
    }
  }

  private mutating func handle(_ event: Event) {
    switch event {
    case .retry(let item): queue.add(.source(item), origin: origin, priority: .normal, isUnderWay: true)
    case .answered(let item, let asked, let answer):
      if case .narrow = server, answer == .served { inService -= 1 }
      let draw = Double.random(in: 0..<1, using: &chance)
      health.note(
        answer, of: origin, asked: asked, at: time, now: Timestamp(secondsSince1970: 1_800_000_000), chance: draw)
      queue.finished(.source(item))
      if answer == .served {
        served.insert(item)
      } else if attempts[item] > policy.retries || isClosed {
        failed.insert(item)
      } else {
        let wait = policy.backoff.wait(retry: attempts[item] - 1, chance: Double.random(in: 0..<1, using: &chance))
        events.append((time + wait, .retry(item)))
      }
    }
  }
}
