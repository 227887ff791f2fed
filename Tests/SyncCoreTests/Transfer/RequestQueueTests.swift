// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the queue of requests")
struct RequestQueueTests {
  private func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  private func origin(_ host: String) throws -> RemoteURL.Origin { try RemoteURL("http://\(host)").origin }

  /// All that may go out now, in order.
  private func drain(
    _ queue: inout RequestQueue<ItemID>, at time: Duration = .zero, _ hosts: HostBook = HostBook(DownloadPolicy())
  ) -> [String] {
    var out: [String] = []
    while let id = queue.next(at: time, hosts) { out.append(id.text) }
    return out
  }

  @Test("high priority goes before normal before low, first come first served; what is under way goes before all")
  func order() throws {
    var queue = RequestQueue<ItemID>(concurrency: 9, perHost: 9)
    for (name, priority) in [("l", Priority.low), ("n1", .normal), ("h", .high), ("n2", .normal)] {
      queue.add(try id(name), origin: try origin("a"), priority: priority, isUnderWay: false)
    }
    queue.add(try id("begun"), origin: try origin("b"), priority: .low, isUnderWay: true)
    #expect(drain(&queue) == ["begun", "h", "n1", "n2", "l"])
  }

  @Test("at most so many at once, and to one host; another host is not held up")
  func limits() throws {
    var queue = RequestQueue<ItemID>(concurrency: 3, perHost: 2)
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
    var queue = RequestQueue<ItemID>(concurrency: 9, perHost: 1)
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
    var queue = RequestQueue<ItemID>(concurrency: 9, perHost: 1)
    queue.add(try id("a"), origin: try origin("a"), priority: .normal, isUnderWay: false)
    queue.add(try id("b"), origin: try origin("a:81"), priority: .normal, isUnderWay: false)
    #expect(drain(&queue) == ["a"])
    queue.finished(try id("a"))
    #expect(drain(&queue) == ["b"])
  }

  @Test("nobody asks an origin that wants a pause before it is over, and others go on")
  func pause() throws {
    var hosts = HostBook(DownloadPolicy())
    let wish = HostBook.Answer.asksToWait(.http(status: 429), .seconds(60))
    hosts.note(wish, of: try origin("a"), at: .zero, now: Timestamp(secondsSince1970: 0))
    var queue = RequestQueue<ItemID>(concurrency: 9, perHost: 9)
    queue.add(try id("begun"), origin: try origin("a"), priority: .high, isUnderWay: true)
    queue.add(try id("a"), origin: try origin("a"), priority: .high, isUnderWay: false)
    queue.add(try id("b"), origin: try origin("b"), priority: .low, isUnderWay: false)
    #expect(queue.nextOpening(after: .zero, hosts) == .seconds(60))
    #expect(drain(&queue, at: .seconds(59), hosts) == ["b"])
    #expect(queue.nextRefused(by: hosts) == nil)
    #expect(drain(&queue, at: .seconds(60), hosts) == ["begun", "a"])
    #expect(queue.nextOpening(after: .zero, hosts) == nil, "nothing waits for it any more")
  }

  @Test("what waits for a closed origin is refused, each once, and others go on")
  func closed() throws {
    var hosts = HostBook(DownloadPolicy())
    hosts.close(try origin("a"), .failing(.emptyBody, times: 10))
    var queue = RequestQueue<ItemID>(concurrency: 9, perHost: 9)
    for name in ["a1", "a2"] { queue.add(try id(name), origin: try origin("a"), priority: .low, isUnderWay: false) }
    queue.add(try id("b"), origin: try origin("b"), priority: .normal, isUnderWay: false)
    #expect(drain(&queue, hosts) == ["b"])
    #expect(queue.nextRefused(by: hosts)?.id.text == "a1")
    #expect(queue.nextRefused(by: hosts)?.id.text == "a2")
    #expect(queue.nextRefused(by: hosts) == nil)
  }
}
