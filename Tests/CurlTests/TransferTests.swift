// SPDX-License-Identifier: Apache-2.0

import Curl
import SyncTestSupport
import Testing

@Suite("A transfer that goes well") struct TransferTests {
  let server: FaultServer
  let audio = GeneratedBytes(seed: 7, count: 300_000)

  init() throws {
    server = try FaultServer()
    server.serve("/a.mp3", Resource(body: .generated(audio), etag: "\"1\""))
  }

  @Test("delivers one head, the whole body and one end")
  func plainGet() async throws {
    let got = try await Client.with { await $0.fetch(server.url("/a.mp3")) }
    #expect(got.heads.count == 1)
    #expect(got.head?.status == 200)
    #expect(got.head?.version == .http11)
    #expect(got.head?.framing == .length(300_000))
    #expect(got.head?["etag"] == "\"1\"")
    #expect(got.head?.connectedTo == SocketAddressText(address: "127.0.0.1", port: Int(server.port)))
    #expect(got.body == audio.bytes(in: 0..<300_000))
    #expect(got.summary?.bodyBytes == 300_000)
    #expect(got.summary?.bodyEnd == .length)
    #expect(got.summary?.isConnectionReused == false)
  }

  @Test("sends the range, the fields and the agent that were asked for, and no coding but identity")
  func requestFields() async throws {
    var request = TransferRequest(url: server.url("/a.mp3"))
    request.range = ByteRange(from: 299_990)
    request.userAgent = "syncjob/1"
    request.fields = [
      try HeaderField(sending: "If-Range", "\"1\""), try HeaderField(sending: "X-Empty", ""),
      try HeaderField(sending: "Accept-Encoding", "gzip"),
    ]
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.head?.status == 206)
    #expect(got.head?["Content-Range"] == "bytes 299990-299999/300000")
    #expect(got.body == audio.bytes(in: 299_990..<300_000))
    let seen = try #require(server.requests.first)
    #expect(seen.range == "bytes=299990-")
    #expect(seen.ifRange == "\"1\"")
    #expect(seen.userAgent == "syncjob/1")
    #expect(seen.headers["X-Empty"] == "")
    #expect(seen.headers.filter { $0.name == "Accept-Encoding" }.map(\.value) == ["identity"])
    #expect(seen.cookie == nil && seen.authorization == nil)
  }

  @Test("asks for a bounded range as it is written")
  func boundedRange() async throws {
    var request = TransferRequest(url: server.url("/a.mp3"))
    request.range = ByteRange(from: 10, through: 19)
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(server.requests.first?.range == "bytes=10-19")
    #expect(got.body == audio.bytes(in: 10..<20))
  }

  @Test("sends no field of its own accord from the request before on the same handle")
  func handlesForget() async throws {
    var first = TransferRequest(url: server.url("/a.mp3"))
    first.method = .post([1, 2])
    first.range = ByteRange(from: 5)
    first.fields = [try HeaderField(sending: "Authorization", "Bearer x")]
    _ = try await Client.with { [first, server] in
      _ = await $0.fetch(first)
      return await $0.fetch(server.url("/a.mp3"))
    }
    let second = try #require(server.requests.last)
    #expect(second.method == "GET" && second.range == nil && second.authorization == nil)
  }

  @Test("posts and puts its body")
  func bodies() async throws {
    for (method, name) in [(TransferRequest.Method.post(Array("{}".utf8)), "POST"), (.put(Array("{}".utf8)), "PUT")] {
      server.clearLog()
      var request = TransferRequest(url: server.url("/a.mp3"))
      request.method = method
      request.fields = [try HeaderField(sending: "Content-Type", "application/json")]
      _ = try await Client.with { [request] in await $0.fetch(request) }
      let seen = try #require(server.requests.first)
      #expect(seen.method == name)
      #expect(seen.body == Array("{}".utf8))
      #expect(seen.headers["Content-Type"] == "application/json")
      #expect(seen.headers["Expect"] == nil)
    }
  }

  @Test("an empty body is posted as an empty body")
  func emptyPost() async throws {
    var request = TransferRequest(url: server.url("/a.mp3"))
    request.method = .post([])
    _ = try await Client.with { [request] in await $0.fetch(request) }
    #expect(server.requests.first?.headers["Content-Length"] == "0")
  }

  @Test(
    "a response without a body still has its head",
    arguments: [(204, BodyEnd.none), (304, .none), (404, .length), (200, .length)])
  func bodiless(status: Int, end: BodyEnd) async throws {
    server.script("/none", [.status(status)])
    let got = try await Client.with { await $0.fetch(server.url("/none")) }
    #expect(got.head?.status == status)
    #expect(got.body.isEmpty)
    #expect(got.summary?.bodyEnd == end)
  }

  @Test("HEAD has a head, an announced length and no body")
  func headRequest() async throws {
    var request = TransferRequest(url: server.url("/a.mp3"))
    request.method = .head
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.head?["Content-Length"] == "300000")
    #expect(got.summary?.bodyEnd == BodyEnd.none)
  }

  @Test("a chunked body ends with its last chunk, an unannounced one with the connection")
  func otherEnds() async throws {
    server.script("/a.mp3", [.chunked(), .untilClose])
    let (first, second) = try await Client.with {
      (await $0.fetch(server.url("/a.mp3")), await $0.fetch(server.url("/a.mp3")))
    }
    #expect(first.summary?.bodyEnd == .chunked)
    #expect(second.summary?.bodyEnd == .close)
    #expect(first.body == second.body && first.body.count == 300_000)
  }

  @Test("a redirect is told, resolved and not followed")
  func redirect() async throws {
    server.script("/old", [.redirect(to: "/new?x=1", status: 301)])
    let got = try await Client.with { await $0.fetch(server.url("/old")) }
    #expect(got.head?.redirectTarget == server.url("/new?x=1"))
    #expect(got.summary != nil)
    #expect(server.requests.map(\.line) == ["GET /old 301"])
  }

  @Test("interim responses are not told")
  func interim() async throws {
    let text = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    server.script("/early", [.raw(text)])
    let got = try await Client.with { await $0.fetch(server.url("/early")) }
    #expect(got.heads.map(\.status) == [200])
    #expect(got.head?["Link"] == nil)
    #expect(got.text == "ok")
  }

  @Test("trailer fields do not become a second head")
  func trailers() async throws {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n"
    server.script("/t", [.raw(text)])
    let got = try await Client.with { await $0.fetch(server.url("/t")) }
    #expect(got.heads.count == 1)
    #expect(got.head?["X-Sum"] == nil)
    #expect(got.summary?.bodyEnd == .chunked)
  }

  @Test("a content coding that nobody asked for is delivered as it came")
  func contentCoding() async throws {
    server.script("/a.mp3", [.contentEncoding("gzip")])
    let got = try await Client.with { await $0.fetch(server.url("/a.mp3")) }
    #expect(got.head?["Content-Encoding"] == "gzip")
    #expect(got.body.count == 300_000)
  }

  @Test("200 transfers run on one loop at once, and all arrive")
  func parallel() async throws {
    let gate = try Gate()
    server.script("/a.mp3", [.hold(after: 1000, gate)])
    let bodies = try await Client.with { client in
      await withTaskGroup(of: Recording.self) { group in
        for _ in 0..<200 {
          group.addTask {
            await client.fetch(TransferRequest(url: server.url("/a.mp3"))) { client, recorder in
              recorder.onHead = {
                client.notes.append("head")
                if client.notes.count == 200 { gate.open() }
              }
            }
          }
        }
        return await group.reduce(into: [Recording]()) { $0.append($1) }
      }
    }
    let expected = audio.bytes(in: 0..<300_000)
    #expect(bodies.count == 200)
    #expect(bodies.allSatisfy { $0.body == expected && $0.summary != nil })
  }

  @Test("a second transfer uses the first one's connection")
  func reuse() async throws {
    let (_, got) = try await Client.with { await $0.fetchTwice(server.url("/a.mp3")) }
    #expect(got.summary?.isConnectionReused == true)
    #expect(server.connectionCount == 1)
  }
}
