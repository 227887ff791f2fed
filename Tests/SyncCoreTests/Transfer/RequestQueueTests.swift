// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("Whose turn it is")
struct RequestQueueTests {
  private func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  @Test("at most so many at once, and to one host")
  func limits() throws {
    var queue = RequestQueue(concurrency: 3, perHost: 2)
    for (name, host) in [("a", "x"), ("b", "x"), ("c", "x"), ("d", "y"), ("e", "y")] {
      queue.add(try id(name), host: host, priority: .normal, isUnderWay: false)
    }
    #expect([queue.next(), queue.next(), queue.next(), queue.next()].map { $0?.text } == ["a", "b", "d", nil])
    queue.finished(try id("a"))
    #expect(queue.next()?.text == "c")
    #expect(queue.runningCount == 3)
  }

  @Test("a redirect that goes out before the answered request has ended gives both places back")
  func redirect() throws {
    var queue = RequestQueue(concurrency: 4, perHost: 1)
    for round in 0..<3 {
      queue.add(try id("a"), host: "x", priority: .normal, isUnderWay: round > 0)
      #expect(queue.next()?.text == "a", "round \(round)")
      queue.add(try id("a"), host: "y", priority: .normal, isUnderWay: true)
      #expect(queue.next()?.text == "a", "round \(round)")
      #expect(queue.runningCount == 2)
      queue.finished(try id("a"))
      queue.finished(try id("a"))
      queue.finished(try id("a"))
      #expect(queue.runningCount == 0)
    }
  }
}
