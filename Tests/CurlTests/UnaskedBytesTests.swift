// SPDX-License-Identifier: Apache-2.0

import Curl
import SyncTestSupport
import Testing

@Suite("bytes that nobody asked for") struct UnaskedBytesTests {
  private let server: FaultServer
  private static let forged = Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged".utf8)

  private static let tooLong = Behaviour.contentLength("10").with { $0.keepsConnection = true }

  init() throws {
    server = try FaultServer()
    server.serve("/a", Resource(bytes: Array("0123456789".utf8) + Self.forged))
    server.serve("/b", Resource(bytes: Array("honest".utf8)))
  }

  @Test("a connection on which bytes came between two requests is not used again")
  func betweenRequests() async throws {
    let gate = try Gate()
    server.script("/a", [Self.tooLong.with { $0.interruption = (10, .hold(gate)) }])
    let (first, second) = try await Client.with { client in
      let first = await client.fetch(server.url("/a"))
      gate.open()
      // Sent on loopback is arrived.
      while server.requests[0].bytesSent < 10 + Self.forged.count { await Task.yield() }
      return (first, await client.fetch(server.url("/b")))
    }
    #expect(first.summary?.bodyBytes == 10)
    #expect(second.body == Array("honest".utf8))
    #expect(server.requests.map(\.path) == ["/a", "/b"])
    #expect(server.requests.map(\.connection) == [1, 2])
  }

  @Test("a connection on which more came than was announced is not used again")
  func behindBody() async throws {
    server.script("/a", [.honest, Self.tooLong])
    let second = try await Client.with { client in
      _ = await client.fetchTwice(server.url("/a"))
      return await client.fetch(server.url("/b"))
    }
    #expect(second.body == Array("honest".utf8))
    #expect(server.requests.last?.connection == 2)
  }

  @Test("interim answers do not lengthen the time in which a final one must come")
  func interim() async throws {
    let interim = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 400)
    server.script("/b", [.raw(interim + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx").with { $0.rate = 540 }])
    var request = TransferRequest(url: server.url("/b"))
    request.stallTimeout = .milliseconds(500)
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.error == .stalled(after: .milliseconds(500)))
  }

  @Test("a head whose lines come one by one is bounded as a whole")
  func slowHead() async throws {
    let lines = (0..<400).map { "X-\($0): y\r\n" }.joined()
    server.script("/b", [.raw("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 1\r\n\r\nx").with { $0.rate = 200 }])
    var request = TransferRequest(url: server.url("/b"))
    request.stallTimeout = .milliseconds(500)
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.error == .stalled(after: .milliseconds(500)))
  }
}
