// SPDX-License-Identifier: Apache-2.0

import Curl
import Glibc
import SyncTestSupport
import Testing

@Suite("The loop as an executor") struct CurlLoopTests {
  @Test("an actor that adopts it runs on its thread, and nobody else does")
  func isolation() async throws {
    try await Client.with { client in
      #expect(await client.perform { $0.loop.isOnLoop })
      #expect(!client.loop.isOnLoop)
    }
  }

  @Test("a callback may assume the actor's isolation")
  func assumeIsolated() async throws {
    let server = try FaultServer()
    server.serve("/a", Resource(text: "hello"))
    let bytes = try await Client.with { client in
      let counter = Counter(client.loop)
      return await counter.count(server.url("/a"))
    }
    #expect(bytes == 5)
  }

  @Test("jobs from many tasks run one at a time")
  func serial() async throws {
    try await Client.with { client in
      let counter = Counter(client.loop)
      await withDiscardingTaskGroup { group in
        for _ in 0..<1000 { group.addTask { await counter.increment() } }
      }
      #expect(await counter.total == 1000)
    }
  }

  @Test("timers fire in the order of their deadlines, those of one deadline in the order of asking")
  func timerOrder() async throws {
    let order = try await Client.with { await $0.timerOrder() }
    #expect(order == ["now", "soon", "soon too", "later"])
  }

  @Test(
    "a receiver that is slower than the network keeps neither timers nor other jobs waiting for the end of its body")
  func slowReceiver() async throws {
    let server = try FaultServer()
    let count = 4 << 20
    server.serve("/a", Resource(body: GeneratedAudio(title: "A", seconds: 1, seed: 1).body(count: count)))
    let (received, atTimer) = try await Client.with { client in
      var request = TransferRequest(url: server.url("/a"))
      request.stallTimeout = .seconds(3600)
      let recording = await client.fetch(request) { client, recorder in
        recorder.onBody = {
          usleep(5000)
          return true
        }
        _ = client.loop.after(.milliseconds(300)) {
          client.assumeIsolated { $0.notes.append("\($0.recorders[0].recording.body.count)") }
        }
      }
      return (recording.body.count, await client.notes.first.flatMap { Int($0) })
    }
    #expect(received == count)
    #expect((atTimer ?? count) < count)
  }

  @Test("a timer does not fire early, and a cancelled one does not fire")
  func timerAccuracy() async throws {
    let (took, notes) = try await Client.with { await $0.timerDelay(.milliseconds(60)) }
    #expect(took >= .milliseconds(60))
    #expect(notes.isEmpty)
  }

  @Test("a name that cannot be resolved costs the next transfer nothing")
  func afterFailedResolution() async throws {
    let server = try FaultServer()
    server.serve("/a", Resource(text: "hello"))
    let errors = try await Client.with { client in
      let unknown = await client.fetch("http://nowhere.invalid/a")
      let known = await client.fetch(server.url("/a"))
      return [unknown.error, known.error]
    }
    guard case .couldNotResolveHost? = errors[0] else {
      Issue.record("\(String(describing: errors[0]))")
      return
    }
    #expect(errors[1] == nil)
  }

  @Test("shutdown ends each running transfer once, as cancelled")
  func shutdownWithTransfers() async throws {
    let server = try FaultServer()
    let gate = try Gate()
    server.serve("/a", Resource(text: "hello"))
    server.script("/a", [.holdBack(gate)])
    let loop = try CurlLoop()
    let client = Client(loop)
    await client.start(10, server.url("/a"))
    gate.waitForArrival()
    await loop.shutdown()
    for recording in await client.recordings {
      #expect(recording.error == .cancelled)
      #expect(recording.heads.isEmpty)
    }
  }

  @Test("after shutdown jobs still run, and transfers end as cancelled")
  func afterShutdown() async throws {
    let loop = try CurlLoop()
    let client = Client(loop)
    await loop.shutdown()
    await loop.shutdown()
    #expect(await client.perform { $0.loop.isOnLoop })
    let got = await client.fetch("http://127.0.0.1:9/")
    #expect(got.error == .cancelled)
  }

  @Test("an actor of the loop may end it")
  func shutdownFromInside() async throws {
    let client = Client(try CurlLoop())
    await client.shutdown()
    #expect(await client.perform { $0.loop.isOnLoop })
  }

  @Test("an unused loop is freed by shutdown")
  func freed() async throws {
    weak var gone: CurlLoop?
    do {
      let loop = try CurlLoop()
      gone = loop
      await loop.shutdown()
    }
    #expect(gone == nil)
  }
}

private actor Counter: TransferReceiver {
  nonisolated let loop: CurlLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private(set) var total = 0
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ loop: CurlLoop) { self.loop = loop }

  func increment() { total += 1 }

  func count(_ url: String) async -> Int {
    await withCheckedContinuation { continuation in
      waiter = continuation
      _ = loop.start(TransferRequest(url: url).patient, self)
    }
    return total
  }

  nonisolated func receivedHead(_ head: ResponseHead) -> HeadDecision { .receiveBody }

  nonisolated func receivedBody(_ bytes: RawSpan) -> Bool {
    assumeIsolated { counter in
      counter.total += bytes.byteCount
      return true
    }
  }

  nonisolated func finished(_ result: TransferResult) {
    assumeIsolated { counter in
      counter.waiter?.resume()
      counter.waiter = nil
    }
  }
}

extension Client {
  func timerOrder() async -> [String] {
    await withCheckedContinuation { continuation in
      loop.after(.milliseconds(40)) {
        self.notes.append("later")
        continuation.resume()
      }
      loop.after(.milliseconds(20)) { self.notes.append("soon") }
      loop.after(.milliseconds(20)) { self.notes.append("soon too") }
      loop.after(.seconds(-1)) { self.notes.append("now") }
    }
    return notes
  }

  func timerDelay(_ delay: Duration) async -> (Duration, [String]) {
    let began = SuspendingClock.now
    loop.cancel(loop.after(delay / 2) { self.notes.append("cancelled") })
    await withCheckedContinuation { continuation in loop.after(delay) { continuation.resume() } }
    return (began.duration(to: SuspendingClock.now), notes)
  }

  func start(_ count: Int, _ url: String) {
    for _ in 0..<count { _ = loop.start(TransferRequest(url: url).patient, newRecorder()) }
  }

  func shutdown() async { await loop.shutdown() }
}
