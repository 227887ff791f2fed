// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the queue of requests")
struct RequestQueueTests {
  private func id(_ text: String) throws -> RequestKey { .item(try #require(ItemID(text))) }

  private func origin(_ host: String) throws -> RemoteURL.Origin { try RemoteURL("http://\(host)").origin }

  /// All that may go out now, in order.
  private func drain(
    _ queue: inout RequestQueue, at time: Duration = .zero, _ hosts: HostHealth = HostHealth(DownloadPolicy())
  ) -> [String] {
    var out: [String] = []
    while let id = queue.next(at: time, hosts) { out.append(id.item?.text ?? "") }
    return out
  }

  @Test("high priority goes before normal before low, first come first served; what is under way goes before all")
  func order() throws {
    var queue = RequestQueue(concurrency: 9, perHost: 9)
    for (name, priority) in [("l", Priority.low), ("n1", .normal), ("h", .high), ("n2", .normal)] {
      queue.add(try id(name), origin: try origin("a"), priority: priority, isUnderWay: false)
    }
    queue.add(try id("begun"), origin: try origin("b"), priority: .low, isUnderWay: true)
    #expect(drain(&queue) == ["begun", "h", "n1", "n2", "l"])
  }

  @Test("at most so many at once, and to one host; another host is not held up")
  func limits() throws {
    var queue = RequestQueue(concurrency: 3, perHost: 2)
    for name in ["a1", "a2", "a3"] {
      queue.add(try id(name), origin: try origin("a"), priority: .high, isUnderWay: false)
    }
    for name in ["b1", "b2"] { queue.add(try id(name), origin: try origin("b"), priority: .normal, isUnderWay: false) }
    #expect(drain(&queue) == ["a1", "a2", "b1"])
    queue.finished(try id("a1"))
    #expect(drain(&queue) == ["a3"])
    queue.finished(try id("b1"))
    #expect(drain(&queue) == ["b2"])
  }

  @Test("a transfer that goes to another host gives its place at the first one back, once")
  func movedOn() throws {
    var queue = RequestQueue(concurrency: 9, perHost: 1)
    for name in ["a1", "a2", "a3"] {
      queue.add(try id(name), origin: try origin("a"), priority: .normal, isUnderWay: false)
    }
    #expect(drain(&queue) == ["a1"])
    queue.add(try id("a1"), origin: try origin("b"), priority: .normal, isUnderWay: true)
    #expect(drain(&queue) == ["a1", "a2"])
    queue.finished(try id("a1"))
    #expect(drain(&queue) == [], "the place at the second host was another one")
    queue.finished(try id("a2"))
    #expect(drain(&queue) == ["a3"])
    queue.finished(try id("a3"))
    #expect(queue.runningCount == 0)
  }

  @Test("the limit of a host counts for all of its ports")
  func ports() throws {
    var queue = RequestQueue(concurrency: 9, perHost: 1)
    queue.add(try id("a"), origin: try origin("a"), priority: .normal, isUnderWay: false)
    queue.add(try id("b"), origin: try origin("a:81"), priority: .normal, isUnderWay: false)
    #expect(drain(&queue) == ["a"])
    queue.finished(try id("a"))
    #expect(drain(&queue) == ["b"])
  }

  @Test("nobody asks an origin that wants a pause before it is over, and others go on")
  func pause() throws {
    var hosts = HostHealth(DownloadPolicy())
    let wish = HostHealth.Answer.asksToWait(.http(status: 429), .seconds(60))
    hosts.note(
      wish, of: try origin("a"), asked: .zero, at: .zero, now: Timestamp(secondsSince1970: 0), chance: 0)
    var queue = RequestQueue(concurrency: 9, perHost: 9)
    queue.add(try id("begun"), origin: try origin("a"), priority: .high, isUnderWay: true)
    queue.add(try id("a"), origin: try origin("a"), priority: .high, isUnderWay: false)
    queue.add(try id("b"), origin: try origin("b"), priority: .low, isUnderWay: false)
    #expect(queue.nextOpening(after: .zero, hosts) == .seconds(60))
    #expect(drain(&queue, at: .seconds(59), hosts) == ["b"])
    #expect(queue.nextRefused(by: hosts) == nil)
    #expect(drain(&queue, at: .seconds(60), hosts) == ["begun", "a"])
    #expect(queue.nextOpening(after: .zero, hosts) == nil, "nothing waits for it any more")
  }

  @Test("an origin that fails is asked by one request at a time, by one that has not failed if there is one")
  func probe() throws {
    var hosts = HostHealth(DownloadPolicy())
    func note(_ answer: HostHealth.Answer, at time: Duration) throws {
      hosts.note(
        answer, of: try origin("a"), asked: time, at: time, now: Timestamp(secondsSince1970: 0), chance: 1)
    }
    try note(.failed(.network(detail: "")), at: .zero)
    var queue = RequestQueue(concurrency: 9, perHost: 9)
    queue.add(try id("failed"), origin: try origin("a"), priority: .high, isUnderWay: true)
    for name in ["fresh", "later"] {
      queue.add(try id(name), origin: try origin("a"), priority: .low, isUnderWay: false)
    }
    queue.add(try id("other"), origin: try origin("b"), priority: .low, isUnderWay: false)
    #expect(drain(&queue, hosts) == ["other"])
    #expect(drain(&queue, at: .seconds(2), hosts) == ["fresh"])
    #expect(queue.isProbing)
    try note(.served, at: .seconds(2))
    #expect(
      drain(&queue, at: .seconds(2), hosts) == ["failed", "later"], "it serves, though its answer still comes in")
  }

  @Test("once a probe has failed the same item tries the origin again, before others that wait longer")
  func probeAgain() throws {
    var hosts = HostHealth(DownloadPolicy())
    func fail(at time: Duration) throws {
      hosts.note(
        .failed(.network(detail: "")), of: try origin("a"), asked: time, at: time,
        now: Timestamp(secondsSince1970: 0), chance: 1)
    }
    try fail(at: .zero)
    var queue = RequestQueue(concurrency: 9, perHost: 9)
    queue.add(try id("older"), origin: try origin("a"), priority: .high, isUnderWay: true)
    for name in ["fresh", "later"] {
      queue.add(try id(name), origin: try origin("a"), priority: .low, isUnderWay: false)
    }
    #expect(drain(&queue, at: .seconds(2), hosts) == ["fresh"])
    try fail(at: .seconds(2))
    queue.finished(try id("fresh"))
    queue.add(try id("fresh"), origin: try origin("a"), priority: .low, isUnderWay: true)
    #expect(drain(&queue, at: .seconds(6), hosts) == ["fresh"])
    try fail(at: .seconds(6))
    queue.finished(try id("fresh"))
    #expect(drain(&queue, at: .seconds(14), hosts) == ["older"], "it has given up")
    hosts.note(
      .served, of: try origin("a"), asked: .seconds(14), at: .seconds(14), now: Timestamp(secondsSince1970: 0),
      chance: 1)
    #expect(drain(&queue, at: .seconds(14), hosts) == ["later"])
  }

  @Test("an origin that refuses requests is probed only when none runs to its host")
  func quiet() throws {
    var hosts = HostHealth(DownloadPolicy())
    hosts.note(
      .failed(.http(status: 503)), of: try origin("a"), asked: .zero, at: .zero, now: Timestamp(secondsSince1970: 0),
      chance: 1)
    var queue = RequestQueue(concurrency: 9, perHost: 9)
    queue.add(try id("long"), origin: try origin("a:81"), priority: .low, isUnderWay: false)
    queue.add(try id("refused"), origin: try origin("a"), priority: .high, isUnderWay: true)
    #expect(drain(&queue, hosts) == ["long"])
    #expect(drain(&queue, at: .seconds(2), hosts) == [])
    queue.finished(try id("long"))
    #expect(drain(&queue, at: .seconds(2), hosts) == ["refused"])
  }

  @Test("what waits for a closed origin is refused, each once, and others go on")
  func closed() throws {
    var hosts = HostHealth(DownloadPolicy())
    hosts.trip(try origin("a"), .failing(.emptyBody, times: 10))
    var queue = RequestQueue(concurrency: 9, perHost: 9)
    for name in ["a1", "a2"] { queue.add(try id(name), origin: try origin("a"), priority: .low, isUnderWay: false) }
    queue.add(try id("b"), origin: try origin("b"), priority: .normal, isUnderWay: false)
    #expect(drain(&queue, hosts) == ["b"])
    #expect(queue.nextRefused(by: hosts)?.key.item?.text == "a1")
    #expect(queue.nextRefused(by: hosts)?.key.item?.text == "a2")
    #expect(queue.nextRefused(by: hosts) == nil)
  }

  @Test("whatever comes and goes, the next one is the first of all that may go out", arguments: 0..<100)
  func property(seed: Int) throws {
    var chance = SeededGenerator(seed)
    var hosts = HostHealth(DownloadPolicy())
    var queue = RequestQueue(concurrency: 4, perHost: 2)
    var model = RequestModel()
    let origins = try ["a", "b", "c", "a:81", "d"].map { try origin($0) }
    for step in 0..<300 {
      let time = Duration.seconds(step)
      let origin = try #require(origins.randomElement(using: &chance))
      switch Int.random(in: 0..<8, using: &chance) {
      case 0..<4:
        let priority = try #require([Priority.low, .normal, .high].randomElement(using: &chance))
        let entry = RequestModel.Entry(
          key: try id("\(step)"), origin: origin, rank: [Priority.high: 1, .normal: 2, .low: 3][priority] ?? 0)
        queue.add(entry.key, origin: origin, priority: priority, isUnderWay: false)
        model.waiting.append(entry)
      case 4:
        let wish = HostHealth.Answer.asksToWait(.http(status: 429), .seconds(Int.random(in: 1...30, using: &chance)))
        hosts.note(wish, of: origin, asked: time, at: time, now: Timestamp(secondsSince1970: 0), chance: 0)
      case 5 where step > 250:
        hosts.trip(origin, .failing(.emptyBody, times: 10))
      case 6, 7:
        guard let done = model.running.randomElement(using: &chance) else { continue }
        queue.finished(done.key)
        model.running.removeAll { $0.key == done.key }
      default: break
      }
      if Bool.random(using: &chance) {
        let next = queue.next(at: time, hosts)
        let expected = model.next(at: time, hosts)
        #expect(next == expected)
      }
      while let refused = queue.nextRefused(by: hosts) {
        let isRight = model.refuse(refused.key, by: hosts)
        #expect(isRight)
      }
      #expect(!model.waiting.contains { hosts.breakers[$0.origin] != nil })
    }
  }
}

/// The same by looking at everything.
private struct RequestModel {
  struct Entry {
    let key: RequestKey
    let origin: RemoteURL.Origin
    let rank: Int
  }

  var waiting: [Entry] = []
  var running: [Entry] = []

  mutating func next(at time: Duration, _ hosts: HostHealth) -> RequestKey? {
    guard running.count < 4 else { return nil }
    let open = waiting.indices.filter { index in
      let origin = waiting[index].origin
      return hosts.admits(origin, at: time) && running.count { $0.origin.host == origin.host } < 2
    }
    guard let index = open.min(by: { (waiting[$0].rank, $0) < (waiting[$1].rank, $1) }) else { return nil }
    running.append(waiting.remove(at: index))
    return running.last?.key
  }

  mutating func refuse(_ key: RequestKey, by hosts: HostHealth) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.key == key }) else { return false }
    return hosts.breakers[waiting.remove(at: index).origin] != nil
  }
}
