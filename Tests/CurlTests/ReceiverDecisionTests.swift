// SPDX-License-Identifier: Apache-2.0

import Curl
import SyncTestSupport
import Testing

@Suite("What a receiver decides") struct ReceiverDecisionTests {
  let server: FaultServer

  init() throws {
    server = try FaultServer()
    server.serve("/a", Resource(body: .generated(GeneratedBytes(seed: 3, count: 5_000_000))))
    server.serve("/small", Resource(text: "sorry"))
  }

  @Test("an abort at the head ends the transfer before any body")
  func abortAtHead() async throws {
    let got = try await Client.with { await $0.fetch(server.url("/a"), decision: .abort) }
    #expect(got.heads.count == 1)
    #expect(got.body.isEmpty)
    #expect(got.error == .abortedByReceiver)
  }

  @Test("a refused piece of body is the last")
  func abortInBody() async throws {
    let got = try await Client.with { client in
      await client.fetch(TransferRequest(url: server.url("/a"))) { _, recorder in recorder.onBody = { false } }
    }
    #expect(got.body.count <= 16_384 && !got.body.isEmpty)
    #expect(got.error == .abortedByReceiver)
  }

  @Test("a small unwanted body is read past, and its connection lives on")
  func discardSmall() async throws {
    let (first, second) = try await Client.with {
      await $0.fetchTwice(server.url("/small"), decision: .discard)
    }
    #expect(first.body.isEmpty)
    #expect(first.summary?.bodyEnd == .discarded)
    #expect(second.summary?.isConnectionReused == true)
  }

  @Test("a large unwanted body is cut", arguments: [Behaviour.honest, .endless(), .endless(chunked: true)])
  func discardLarge(behaviour: Behaviour) async throws {
    server.script("/a", [behaviour])
    let got = try await Client.with { await $0.fetch(server.url("/a"), decision: .discard) }
    #expect(got.body.isEmpty)
    #expect(got.summary?.bodyEnd == .discarded)
  }

  @Test("a cancelled transfer ends once, as cancelled, and its receiver hears nothing else")
  func cancel() async throws {
    let got = try await Client.with { client in
      await client.fetch(TransferRequest(url: server.url("/a"))) { client, recorder in
        let loop = client.loop
        recorder.onBody = {
          if let id = recorder.id {
            loop.cancel(id)
            loop.cancel(id)
          }
          return true
        }
      }
    }
    #expect(got.body.count <= 16_384)
    #expect(got.error == .cancelled)
  }

  @Test("a transfer cancelled before the loop has turned never reaches the server")
  func cancelAtOnce() async throws {
    let got = try await Client.with { client in
      await client.startAndCancel(server.url("/a"))
      _ = await client.fetch(server.url("/small"))
      return await client.recordings[0]
    }
    #expect(got.error == .cancelled)
    #expect(server.requests(to: "/a").isEmpty)
  }

  @Test("a paused transfer receives nothing, does not stall, and goes on where it was")
  func pause() async throws {
    let got = try await Client.with { client in
      var request = TransferRequest(url: server.url("/a"))
      request.stallTimeout = .milliseconds(100)
      return await client.fetch(request) { client, recorder in
        let loop = client.loop
        var isFirst = true
        var isPaused = false
        recorder.onBody = {
          #expect(!isPaused)
          guard isFirst, let id = recorder.id else { return true }
          isFirst = false
          isPaused = true
          loop.pause(id)
          loop.after(.milliseconds(350)) {
            isPaused = false
            loop.resume(id)
          }
          return true
        }
      }
    }
    #expect(got.summary?.bodyBytes == 5_000_000)
    #expect(got.body == GeneratedBytes(seed: 3, count: 5_000_000).bytes(in: 0..<5_000_000))
  }

  @Test("a paused transfer can be cancelled")
  func cancelPaused() async throws {
    let got = try await Client.with { client in
      await client.fetch(TransferRequest(url: server.url("/a"))) { client, recorder in
        let loop = client.loop
        recorder.onBody = {
          guard let id = recorder.id else { return true }
          loop.pause(id)
          loop.after(.milliseconds(50)) { loop.cancel(id) }
          return true
        }
      }
    }
    #expect(got.error == .cancelled)
    #expect(got.body.count <= 16_384)
  }

  @Test("a receiver may start the next transfer from inside its calls")
  func startInside() async throws {
    let got = try await Client.with { client in
      await client.fetchThenFetch(server.url("/small"), server.url("/small"))
    }
    #expect(got.map(\.text) == ["sorry", "sorry"])
  }
}

extension Client {
  func startAndCancel(_ url: String) { loop.cancel(loop.start(TransferRequest(url: url), newRecorder())) }

  func fetchThenFetch(_ first: String, _ second: String) async -> [Recording] {
    let (one, two) = (newRecorder(), newRecorder())
    await withCheckedContinuation { continuation in
      one.onHead = { [loop] in _ = loop.start(TransferRequest(url: second), two) }
      one.onFinish = { if !two.recording.results.isEmpty { continuation.resume() } }
      two.onFinish = { if !one.recording.results.isEmpty { continuation.resume() } }
      _ = loop.start(TransferRequest(url: first), one)
    }
    return [one.recording, two.recording]
  }
}
