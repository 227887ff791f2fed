// SPDX-License-Identifier: Apache-2.0

import Curl
import Glibc
import SyncTestSupport
import Testing

@Suite("A transfer that goes wrong") struct TransferFaultTests {
  let server: FaultServer

  init() throws {
    server = try FaultServer()
    server.serve("/a", Resource(body: .generated(GeneratedBytes(seed: 3, count: 500_000))))
  }

  private func fetch(_ behaviour: Behaviour) async throws -> Recording {
    server.script("/a", [behaviour])
    return try await Client.with { await $0.fetch(server.url("/a")) }
  }

  @Test("a reset in the middle of the body is told as such, after the bytes before it")
  func reset() async throws {
    let got = try await fetch(.breakOff(after: 100_000, .reset))
    #expect(got.error == .connectionReset)
    #expect(got.heads.count == 1)
    #expect(got.body.count == 100_000)
  }

  @Test("a body that ends early tells how much there was to come")
  func closedEarly() async throws {
    let got = try await fetch(.breakOff(after: 100_000, .close))
    #expect(got.error == .closedEarly(received: 100_000, expected: 500_000))
  }

  @Test("a length too long for its body is an early end")
  func lengthTooLong() async throws {
    let got = try await fetch(.contentLength("500001"))
    #expect(got.error == .closedEarly(received: 500_000, expected: 500_001))
  }

  @Test("a chunked body without its end is an early end of unknown length")
  func chunkedWithoutEnd() async throws {
    let got = try await fetch(.chunked(complete: false))
    #expect(got.error == .closedEarly(received: 500_000, expected: nil))
  }

  @Test("more bytes than announced are no success, although libcurl says so")
  func excess() async throws {
    let got = try await fetch(.contentLength("400000"))
    #expect(got.body.count == 400_000)
    #expect(got.error == .bodyTooLong(announced: 400_000))
  }

  @Test("an excess is told on a connection that served well before")
  func excessAfterReuse() async throws {
    server.script("/a", [.honest, .contentLength("400000")])
    let (first, second) = try await Client.with { await $0.fetchTwice(server.url("/a")) }
    #expect(first.summary?.bodyBytes == 500_000)
    #expect(second.error == .bodyTooLong(announced: 400_000))
    #expect(server.connectionCount == 1)
  }

  @Test("a small excess in one piece with its head is told as well")
  func smallExcess() async throws {
    let got = try await fetch(.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay"))
    #expect(got.text == "ok")
    #expect(got.error == .bodyTooLong(announced: 2))
  }

  @Test("headers cut off never become a head, although libcurl says OK")
  func headersCutOff() async throws {
    let got = try await fetch(.headersCutOff)
    #expect(got.heads.isEmpty)
    #expect(got.error == .headersCutOff)
  }

  @Test("a connection closed without an answer is an empty reply")
  func emptyReply() async throws {
    let got = try await fetch(.emptyReply)
    #expect(got.error == .emptyReply)
  }

  @Test(
    "a message whose length cannot be trusted has no head",
    arguments: [
      "Content-Length: -5", "Content-Length: x", "Content-Length: 2\r\nContent-Length: 3", "Content-Length: 2, 3",
      "Transfer-Encoding: gzip, chunked", "Content-Length: 99999999999999999999",
    ])
  func contradictions(fields: String) async throws {
    let got = try await fetch(.raw("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nok"))
    #expect(got.heads.isEmpty && got.body.isEmpty)
    guard case .malformedResponse = got.error else {
      Issue.record("\(String(describing: got.results))")
      return
    }
  }

  @Test("what is not HTTP is malformed", arguments: ["hello\r\n\r\n", "HTTP/7.3 200 OK\r\n\r\n", "SSH-2.0-x\r\n"])
  func notHTTP(text: String) async throws {
    let got = try await fetch(.raw(text))
    #expect(got.heads.isEmpty && got.body.isEmpty)
    guard case .malformedResponse = got.error else {
      Issue.record("\(String(describing: got.results))")
      return
    }
  }

  @Test("a header section without end is cut at our limit", arguments: [60, 200_000])
  func tooManyHeaders(valueLength: Int) async throws {
    let line = "X: \(String(repeating: "x", count: valueLength))\r\n"
    let count = valueLength < 1000 ? 5000 : 2
    let got = try await fetch(.raw("HTTP/1.1 200 OK\r\n\(String(repeating: line, count: count))\r\n"))
    #expect(got.heads.isEmpty)
    #expect(got.error == .headersTooLarge)
  }

  @Test("a server that goes silent is given up after the stall limit, and not before")
  func stall() async throws {
    server.script("/a", [.stall(after: 100_000)])
    var request = TransferRequest(url: server.url("/a"))
    request.stallTimeout = .milliseconds(300)
    let began = SuspendingClock.now
    let got = try await Client.with { [request] in await $0.fetch(request) }
    let took = began.duration(to: SuspendingClock.now)
    #expect(got.error == .stalled(after: .milliseconds(300)))
    #expect(got.body.count == 100_000)
    #expect(took >= .milliseconds(300))
  }

  @Test("a server that never answers stalls before its head")
  func stallBeforeHead() async throws {
    server.script("/a", [.holdBack(try Gate())])
    var request = TransferRequest(url: server.url("/a"))
    request.stallTimeout = .milliseconds(100)
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.heads.isEmpty)
    #expect(got.error == .stalled(after: .milliseconds(100)))
  }

  @Test("a slow server that keeps sending does not stall")
  func slow() async throws {
    server.serve("/a", Resource(body: .generated(GeneratedBytes(seed: 3, count: 4000))))
    server.script("/a", [.throttle(bytesPerSecond: 8000)])
    var request = TransferRequest(url: server.url("/a"))
    request.stallTimeout = .milliseconds(250)
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.summary?.bodyBytes == 4000)
  }

  @Test("a server that sends a byte now and then is as good as silent")
  func drip() async throws {
    server.serve("/a", Resource(body: .generated(GeneratedBytes(seed: 3, count: 4000))))
    server.script("/a", [.throttle(bytesPerSecond: 100)])
    var request = TransferRequest(url: server.url("/a"))
    request.stallTimeout = .milliseconds(500)
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.error == .stalled(after: .milliseconds(500)))
  }

  @Test("a closed port is a refused connection")
  func refused() async throws {
    let url = server.url("/a")
    server.stop()
    let got = try await Client.with { await $0.fetch(url) }
    guard case .couldNotConnect(let errno, _) = got.error else {
      Issue.record("\(got.results)")
      return
    }
    #expect(errno == ECONNREFUSED)
  }

  @Test("an unknown host is told as such")
  func unknownHost() async throws {
    let got = try await Client.with { await $0.fetch("http://nosuch.invalid/a") }
    guard case .couldNotResolveHost = got.error else {
      Issue.record("\(got.results)")
      return
    }
  }

  @Test("a name that does not resolve leaves nothing behind that hinders the next transfer")
  func unknownHostTwice() async throws {
    try await Client.with { client in
      for _ in 0..<2 {
        let got = await client.fetch("http://nobody.invalid/a")
        guard case .couldNotResolveHost = got.error else {
          Issue.record("\(String(describing: got.error))")
          continue
        }
      }
    }
  }

  @Test(
    "only http and https are spoken",
    arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "data:,x", "http://", ""])
  func schemes(url: String) async throws {
    let got = try await Client.with { await $0.fetch(url) }
    #expect(got.heads.isEmpty && got.body.isEmpty)
    guard case .unsupportedURL = got.error else {
      Issue.record("\(got.results)")
      return
    }
  }

  @Test("a handshake that gets no answer times out while securing")
  func connectTimeout() async throws {
    // To it the handshake is the beginning of a request, whose end it waits for.
    let silent = try FaultServer()
    var request = TransferRequest(url: "https://127.0.0.1:\(silent.port)/")
    request.connectTimeout = .milliseconds(200)
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.error == .connectTimedOut(during: .securing))
  }
}
