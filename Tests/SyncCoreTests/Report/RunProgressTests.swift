// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("where a run stands")
struct RunProgressTests {
  /// Two items to fetch: `a` of 1000 declared bytes, `b` of unknown size or as given.
  private func begun(b: Int64? = nil) throws -> RunProgress {
    var world = World()
    var (first, second) = (try item("a"), try item("b"))
    first.size = .exact(ByteCount(1000))
    second.size = b.map { .exact(ByteCount($0)) }
    try world.name(first, second)
    var progress = RunProgress()
    progress.fold(.planned(world.plan()), at: .zero)
    return progress
  }

  private func completed(_ name: String, size: Int64) throws -> RunEvent {
    .completed(
      try id(name),
      Completion(
        file: try storedFile("mix/\(name).mp3", size: size, completedAt: World.start), title: name,
        fetched: ByteCount(size), resumed: .zero, requests: 1, seconds: 1))
  }

  @Test("the total is known once every size is")
  func total() throws {
    var progress = try begun()
    #expect(progress.total == nil)
    progress.fold(.started(try id("b"), candidate: 0, offset: .zero), at: .seconds(1))
    progress.fold(.progressed(try id("b"), received: ByteCount(10), total: ByteCount(500)), at: .seconds(2))
    #expect(progress.total == ByteCount(1500))
    #expect(try begun(b: 200).total == ByteCount(1200))
  }

  @Test("a transfer is there from its first answer to its end, exact to the byte")
  func transfer() throws {
    var progress = try begun(b: 500)
    let b = try id("b")
    #expect(progress.transfers.isEmpty)
    progress.fold(.started(b, candidate: 0, offset: .zero), at: .seconds(1))
    progress.fold(.progressed(b, received: ByteCount(123), total: ByteCount(500)), at: .seconds(2))
    #expect(progress[b]?.received == ByteCount(123))
    #expect(progress[b]?.title == "b")
    #expect(progress.received == ByteCount(123))
    progress.fold(try completed("b", size: 500), at: .seconds(3))
    #expect(progress[b] == nil)
    #expect(progress.received == ByteCount(500))
    #expect(progress.endedCount == 1 && progress.itemCount == 2)
  }

  @Test("what was there already counts as received and never as speed")
  func resumed() throws {
    var progress = try begun(b: 5_000_000)
    let b = try id("b")
    progress.fold(.started(b, candidate: 0, offset: ByteCount(4_000_000)), at: .zero)
    for second in 1...10 {
      let received = ByteCount(4_000_000 + Int64(second) * 1000)
      progress.fold(.progressed(b, received: received, total: ByteCount(5_000_000)), at: .seconds(second))
    }
    let rate = try #require(progress[b]?.estimator.rate(at: .seconds(10)))
    #expect(abs(rate - 1000) < 1)
    let whole = try #require(progress.estimator?.rate(at: .seconds(10)))
    #expect(abs(whole - 1000) < 1)
    #expect(progress.received == ByteCount(4_010_000))
  }

  @Test("bytes that were thrown away are taken back, without a rate below zero")
  func restarted() throws {
    var progress = try begun(b: 500)
    let b = try id("b")
    progress.fold(.started(b, candidate: 0, offset: .zero), at: .zero)
    progress.fold(.progressed(b, received: ByteCount(400), total: ByteCount(500)), at: .seconds(1))
    progress.fold(.started(b, candidate: 1, offset: .zero), at: .seconds(2))
    #expect(progress.received == .zero)
    progress.fold(.progressed(b, received: ByteCount(100), total: ByteCount(300)), at: .seconds(3))
    #expect(progress.total == ByteCount(1300))
    let rate = try #require(progress[b]?.estimator.rate(at: .seconds(3)))
    #expect(rate > 0 && rate < 500)
  }

  @Test("between two requests it is known when the next goes out")
  func waiting() throws {
    var progress = try begun(b: 500)
    let b = try id("b")
    progress.fold(.started(b, candidate: 0, offset: .zero), at: .seconds(1))
    progress.fold(.retrying(b, .emptyBody, attempt: 1, wait: .seconds(4)), at: .seconds(2))
    #expect(progress[b]?.waitsUntil == .seconds(6))
    progress.fold(.started(b, candidate: 0, offset: .zero), at: .seconds(6))
    #expect(progress[b]?.waitsUntil == nil)
  }

  @Test("an item whose first request came to nothing is one that waits")
  func waitingForTheFirst() throws {
    var progress = try begun(b: 500)
    let b = try id("b")
    progress.fold(.retrying(b, .emptyBody, attempt: 1, wait: .seconds(4)), at: .seconds(2))
    #expect(progress.transfers.map(\.id) == [b])
    #expect(progress[b]?.waitsUntil == .seconds(6))
    #expect(progress[b]?.received == .zero)
    progress.fold(.deferred(b, .noRoomToReturn), at: .seconds(3))
    #expect(progress.transfers.isEmpty)
  }

  @Test("an item that failed, waits or was paused is waited for no longer, and what came of it stays counted")
  func givenUp() throws {
    let error = ErrorRecord(kind: .http, status: 404, message: "m", at: World.start)
    let a = try id("a")
    let ends: [RunEvent] = [
      .failed(a, error, host: "cdn.example", isTemporary: false, requests: 1, seconds: 1), .paused(a, kept: .zero),
      .deferred(a, .noRoomInBudget(lacking: ByteCount(1))),
    ]
    for end in ends {
      var progress = try begun(b: 500)
      progress.fold(.started(a, candidate: 0, offset: .zero), at: .zero)
      progress.fold(.progressed(a, received: ByteCount(40), total: ByteCount(1000)), at: .seconds(1))
      progress.fold(end, at: .seconds(2))
      progress.fold(end, at: .seconds(2))
      #expect(progress.total == ByteCount(540))
      #expect(progress.received == ByteCount(40))
      #expect(progress.endedCount == 1)
    }
  }

  @Test("the time left of the run counts what has not begun")
  func timeLeft() throws {
    var progress = try begun(b: 9_000)
    let a = try id("a")
    progress.fold(.started(a, candidate: 0, offset: .zero), at: .zero)
    for second in 1...5 {
      progress.fold(
        .progressed(a, received: ByteCount(Int64(second) * 100), total: ByteCount(1000)), at: .seconds(second))
    }
    let left = try #require(progress.timeLeft(at: .seconds(5)))
    #expect(abs(left.inSeconds - 95) < 1)
    #expect(try begun().timeLeft(at: .seconds(5)) == nil)
  }
}
