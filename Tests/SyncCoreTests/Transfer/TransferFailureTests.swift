// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

private typealias Script = TransferScript

@Suite("a transfer that fails")
struct TransferFailureTests {
  private static let reset = TransferEvent.failed(.network(detail: "reset"), received: ByteCount(400))

  @Test("is tried again after a growing, jittered wait, keeping its bytes, and then goes to the next candidate")
  func retries() throws {
    var script = try Script(urls: [Script.main, Script.second], retries: 2)
    _ = script.on([.started, Script.good])
    let kept = try Script.partial(400)
    #expect(
      script.on(Self.reset) == [
        .recordRetry(Attempt(candidate: 0, attempts: 1, partial: kept), nextAttemptAt: Script.now + .seconds(1)),
        .wait(.seconds(1)),
      ])
    #expect(
      script.on(.waited) == [
        .record(Attempt(candidate: 0, attempts: 2, partial: kept)),
        .send(try RemoteURL(Script.main), range: Script.range(400)),
      ])
    #expect(script.on(Self.reset).last == .wait(.seconds(2)))
    #expect(script.on(.waited).first == .record(Attempt(candidate: 0, attempts: 3, partial: kept)))
    #expect(script.on(Self.reset).sent == Script.second)
  }

  @Test("each candidate has its own retries; what is temporary decides over what is not")
  func exhausted() throws {
    var script = try Script(urls: [Script.main, Script.second], retries: 1)
    let actions = script.on([.started, Script.head(404), Script.head(500), .waited, Script.head(502)])
    let failure = try #require(actions.failure)
    #expect(failure.failure == .http(status: 502))
    #expect(failure.isTemporary)
    #expect(failure.candidate == 1)
    #expect(failure.requests == 3)
  }

  @Test("when all is permanent, the main candidate's failure counts")
  func exhaustedForGood() throws {
    var script = try Script(urls: [Script.main, Script.second])
    let failure = try #require(script.on([.started, Script.head(403), Script.head(410)]).failure)
    #expect(failure.failure == .http(status: 403))
    #expect(!failure.isTemporary)
    #expect(failure.candidate == 0)
    #expect(failure.requests == 2)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var status: Int
    var isRetried: Bool
    var testDescription: String { "\(status)" }
  }

  @Test(
    "one candidate alone: transient answers are tried again, others end it",
    arguments: [
      Row(status: 400, isRetried: false), Row(status: 401, isRetried: false), Row(status: 404, isRetried: false),
      Row(status: 408, isRetried: true), Row(status: 416, isRetried: false), Row(status: 425, isRetried: true),
      Row(status: 429, isRetried: true), Row(status: 500, isRetried: true), Row(status: 501, isRetried: false),
      Row(status: 503, isRetried: true),
    ])
  func answers(row: Row) throws {
    var script = try Script()
    let actions = script.on([.started, Script.head(row.status)])
    #expect(actions.first == .abandon)
    if row.isRetried { #expect(actions.last == .wait(.seconds(1))) }
    #expect((actions.failure != nil) == !row.isRetried)
  }

  @Test("a server's Retry-After is waited for, whatever the jitter says, on the same candidate")
  func retryAfter() throws {
    var script = try Script(urls: [Script.main, Script.second], retries: 1)
    let busy = Script.head(429) { $0.retryAfter = "120" }
    let actions = script.on([.started, busy])
    #expect(actions.first == .abandon)
    #expect(actions.last == .wait(.seconds(120)))
    #expect(script.on(.waited).sent == Script.main)
    // Left alone: no other candidate is asked in its place, and a later run asks again.
    let until = Script.now + .seconds(120)
    #expect(
      script.on(busy) == [.abandon, .finish(.deferredByServer(.http(status: 429), until: until, partial: nil))])
  }

  @Test("a wrong checksum of continued bytes is tried once more in one piece, then given up")
  func checksumAfterResume() throws {
    let partial = try Script.partial(400)
    var script = try Script(partial: partial)
    let wrong = try Failure.checksum(
      expected: #require(Checksum(.md5, hex: String(repeating: "0", count: 32))), actual: "1")
    _ = script.on([.started, Script.rest(of: 400), .bodyEnded(received: ByteCount(1000))])
    let again = script.on(.failed(wrong, received: ByteCount(1000)))
    #expect(again.last == .send(try RemoteURL(Script.main), range: nil))
    _ = script.on([Script.good, .bodyEnded(received: ByteCount(1000))])
    #expect(script.on(.failed(wrong, received: ByteCount(1000))).failure?.failure == wrong)
  }

  @Test("the longest Retry-After that a run waits is included")
  func longestRetryAfter() throws {
    var script = try Script()
    #expect(script.on([.started, Script.head(503) { $0.retryAfter = "600" }]).last == .wait(.seconds(600)))
  }

  @Test("a longer one defers the item with what is here")
  func tooLongRetryAfter() throws {
    let partial = try Script.partial(400)
    var script = try Script(partial: partial)
    #expect(
      script.on([.started, Script.head(503) { $0.retryAfter = "601" }]) == [
        .abandon,
        .finish(.deferredByServer(.http(status: 503), until: Script.now + .seconds(601), partial: partial)),
      ])
  }

  @Test("what is no media is discarded for the next candidate")
  func notMedia() throws {
    var script = try Script(urls: [Script.main, Script.second])
    let actions = script.on([.started, Script.good, .failed(.notMedia(found: "a web page"), received: ByteCount(512))])
    #expect(actions.first == .discard(try Script.partial(512)))
    #expect(actions.last == .send(try RemoteURL(Script.second), range: nil))
  }

  @Test("a wrong checksum discards, too")
  func checksum() throws {
    var script = try Script()
    let expected = try #require(Checksum(.md5, hex: String(repeating: "0", count: 32)))
    let failed = TransferEvent.failed(.checksum(expected: expected, actual: "1"), received: ByteCount(1000))
    let actions = script.on([.started, Script.good, .bodyEnded(received: ByteCount(1000)), failed])
    #expect(actions.first == .discard(try Script.partial(1000)))
    #expect(actions.failure?.isTemporary == false)
    #expect(actions.failure?.partial == nil)
  }

  @Test("a size other than the declared one is refused before the first byte, and what is here stays")
  func declaredSize() throws {
    let partial = try Script.partial(400)
    var script = try Script(size: .exact(ByteCount(1000)), partial: partial)
    let actions = script.on([.started, Script.head(200) { $0.contentLengths = ["999"] }])
    #expect(actions.first == .abandon)
    #expect(actions.failure?.failure == .size(expected: ByteCount(1000), actual: ByteCount(999)))
    #expect(actions.failure?.partial == partial)
  }

  @Test("a rounded size refuses nothing")
  func aboutSize() throws {
    var script = try Script(size: .about(ByteCount(5)))
    #expect(script.on([.started, Script.good]).outcome == nil)
  }

  @Test("more than downloads.max_item_size is refused before the first byte")
  func tooLarge() throws {
    var script = try Script()
    let actions = script.on([.started, Script.head(200) { $0.contentLengths = ["1000001"] }])
    #expect(actions.failure?.failure == .tooLarge(limit: ByteCount(1_000_000)))
  }

  @Test("an endless body is discarded at the limit")
  func endless() throws {
    var script = try Script()
    let failed = TransferEvent.failed(.tooLarge(limit: ByteCount(1_000_000)), received: ByteCount(1_000_000))
    let actions = script.on([.started, Script.head(200), failed])
    #expect(actions.first == .discard(try Script.partial(1_000_000, of: nil, etag: nil)))
    #expect(actions.failure?.partial == nil)
  }

  @Test("a body that ends early or is empty is transient", arguments: [Int64(0), 999])
  func shortBody(received: Int64) throws {
    var script = try Script(retries: 0)
    let actions = script.on([.started, Script.good, .bodyEnded(received: ByteCount(received))])
    #expect(
      actions.failure?.failure
        == (received == 0 ? .emptyBody : .shortBody(received: ByteCount(received), expected: ByteCount(1000))))
    #expect(actions.failure?.isTemporary == true)
    #expect(actions.failure?.partial?.received == ByteCount(received))
  }

  @Test("features.retry off goes to the next candidate at once")
  func retryOff() throws {
    var features = Features()
    features.retry = false
    var script = try Script(urls: [Script.main, Script.second], features: features)
    #expect(script.on([.started, Script.head(500)]).sent == Script.second)
  }

  @Test("features.alternatives off knows the main candidate alone")
  func alternativesOff() throws {
    var features = Features()
    features.alternatives = false
    let partial = try Script.partial(400, url: Script.second)
    var script = try Script(urls: [Script.main, Script.second], partial: partial, features: features)
    let actions = script.on(.started)
    #expect(actions.first == .discard(partial))
    #expect(actions.sent == Script.main)
    #expect(script.on(Script.head(404)).failure != nil)
  }

  @Test("a disk that cannot be written stops the run, from wherever")
  func storageFull() throws {
    let full = Failure.storageFull(ErrnoCode(28))
    let event = TransferEvent.failed(full, received: ByteCount(300))
    let roads: [[TransferEvent]] = [
      [.started], [.started, Script.good], [.started, Script.good, .bodyEnded(received: ByteCount(1000))],
      [.started, Script.good, .bodyEnded(received: ByteCount(1000)), .checked(try Script.checked())],
    ]
    for (index, road) in roads.enumerated() {
      var script = try Script(urls: [Script.main, Script.second])
      _ = script.on(road)
      let partials = [nil, try Script.partial(300), try Script.partial(1000), try Script.partial(1000)]
      #expect(script.on(event) == [.finish(.stopRun(full, partial: partials[index]))])
    }
    var announced = try Script(urls: [Script.main, Script.second])
    _ = announced.on(roads[3])
    #expect(announced.on([.publicationStopped(full)]) == [.finish(.stoppedPublishing(full))])
  }

  @Test("a file that is whole and does not get its turn in time is paused, with all its bytes")
  func publicationPutOff() throws {
    var script = try Script(urls: [Script.main])
    _ = script.on([
      .started, Script.good, .bodyEnded(received: ByteCount(1000)), .checked(try Script.checked()), .stopped,
    ])
    #expect(script.on([.publicationPutOff]) == [.finish(.paused(partial: try Script.partial(1000)))])
  }

  @Test("cancelled ends the item without asking anybody else")
  func cancelled() throws {
    var script = try Script(urls: [Script.main, Script.second])
    let actions = script.on([.started, .failed(.cancelled, received: .zero)])
    #expect(actions.failure?.failure == .cancelled)
  }

  @Test("without room for what is coming it waits for a later run")
  func room() throws {
    var script = try Script()
    let shortage = RoomShortage.budget(lacking: ByteCount(5))
    #expect(
      script.on([.started, Script.good, .roomRefused(shortage)])
        == [.abandon, .finish(.deferredForRoom(shortage, partial: try Script.partial(0)))])
  }
}

@Suite("a transfer that is stopped")
struct TransferStopTests {
  @Test("pauses from every state but the last, in which only the rename's own word counts")
  func everyState() throws {
    let roads: [(String, [TransferEvent], [TransferAction])] = [
      ("ready", [], [.finish(.paused(partial: nil))]),
      ("requesting", [.started], [.abandon, .finish(.paused(partial: nil))]),
      ("receiving", [.started, Script.good], [.abandon, .finish(.paused(partial: try Script.partial(0)))]),
      (
        "waiting", [.started, Script.good, .failed(.emptyBody, received: ByteCount(7))],
        [.finish(.paused(partial: try Script.partial(7)))]
      ),
      (
        "checking", [.started, Script.good, .bodyEnded(received: ByteCount(1000))],
        [.finish(.paused(partial: try Script.partial(1000)))]
      ),
      (
        "publishing",
        [.started, Script.good, .bodyEnded(received: ByteCount(1000)), .checked(try Script.checked())], []
      ),
      ("finished", [.started, Script.head(404)], []),
    ]
    for (state, road, expected) in roads {
      var script = try Script()
      _ = script.on(road)
      #expect(script.on(.stopped) == expected, "\(state)")
    }
  }

  @Test("a file that is published while it is being stopped counts")
  func publishedWhileStopping() throws {
    var script = try Script()
    _ = script.on([
      .started, Script.good, .bodyEnded(received: ByteCount(1000)), .checked(try Script.checked()), .stopped,
    ])
    let file = try Script.file()
    #expect(script.on(.published(file)) == [.finish(.completed(file, requests: 1))])
  }

  @Test("events that crossed a decision on their way change nothing")
  func late() throws {
    let events: [TransferEvent] = [
      .waited, .bodyEnded(received: ByteCount(1000)), .checked(try Script.checked()), .published(try Script.file()),
      .roomRefused(.noRoomToReturn),
    ]
    var script = try Script()
    for event in events { #expect(script.on(event) == [], "before the start") }
    _ = script.on(.started)
    for event in events + [.started] { #expect(script.on(event) == [], "while requesting") }
    _ = script.on([Script.good, .failed(.emptyBody, received: .zero)])
    for event in events.dropFirst() + [.started, Script.good, .failed(.emptyBody, received: .zero)] {
      #expect(script.on(event) == [], "while waiting")
    }
    _ = script.on(.stopped)
    for event in events + [.started, .stopped, Script.good] { #expect(script.on(event) == [], "after the end") }
  }
}
