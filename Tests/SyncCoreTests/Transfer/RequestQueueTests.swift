// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the queue of requests")
struct RequestQueueTests {
  private func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  /// All that may go out now, in order.
  private func drain(_ queue: inout RequestQueue) -> [String] {
    var out: [String] = []
    while let id = queue.next() { out.append(id.text) }
    return out
  }

  @Test("high priority goes before normal before low, first come first served; what is under way goes before all")
  func order() throws {
    var queue = RequestQueue(concurrency: 9, perHost: 9)
    for (name, priority) in [("l", Priority.low), ("n1", .normal), ("h", .high), ("n2", .normal)] {
      queue.add(try id(name), host: "a", priority: priority, isUnderWay: false)
    }
    queue.add(try id("begun"), host: "b", priority: .low, isUnderWay: true)
    #expect(drain(&queue) == ["begun", "h", "n1", "n2", "l"])
  }

  @Test("at most so many at once, and to one host; another host is not held up")
  func limits() throws {
    var queue = RequestQueue(concurrency: 3, perHost: 2)
    for name in ["a1", "a2", "a3"] { queue.add(try id(name), host: "a", priority: .high, isUnderWay: false) }
    for name in ["b1", "b2"] { queue.add(try id(name), host: "b", priority: .normal, isUnderWay: false) }
    #expect(drain(&queue) == ["a1", "a2", "b1"])
    queue.finished(try id("a1"))
    #expect(drain(&queue) == ["a3"])
    queue.finished(try id("b1"))
    #expect(drain(&queue) == ["b2"])
  }

  @Test("a transfer that goes to another host gives its place at the first one back, once")
  func movedOn() throws {
    var queue = RequestQueue(concurrency: 9, perHost: 1)
    for name in ["a1", "a2", "a3"] { queue.add(try id(name), host: "a", priority: .normal, isUnderWay: false) }
    #expect(drain(&queue) == ["a1"])
    queue.add(try id("a1"), host: "b", priority: .normal, isUnderWay: true)
    #expect(drain(&queue) == ["a1", "a2"])
    queue.finished(try id("a1"))
    #expect(drain(&queue) == [], "the place at the second host was another one")
    queue.finished(try id("a2"))
    #expect(drain(&queue) == ["a3"])
    queue.finished(try id("a3"))
    #expect(queue.runningCount == 0)
  }
}
