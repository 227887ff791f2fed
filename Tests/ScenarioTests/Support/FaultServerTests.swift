// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the fault server")
struct FaultServerTests {
  let server: FaultServer
  static let digits = Resource(
    text: "0123456789", etag: "\"1\"", lastModified: "Mon, 05 Jan 2026 08:00:00 GMT")

  init() throws {
    server = try FaultServer()
    server.serve("/d", Self.digits)
  }

  /// The status and body of one response.
  private func get(_ path: String = "/d", _ headers: String...) throws -> (status: String, head: String, body: String) {
    let response = try #require(PlainRequest.get(port: server.port, path: path, headers: headers))
    let end = try #require(response.firstRange(of: "\r\n\r\n"))
    let head = String(response[..<end.lowerBound])
    return (String(head.dropFirst(9).prefix(3)), head, String(response[end.upperBound...]))
  }

  @Test(
    "ranges and conditions are answered as RFC 9110 has them",
    arguments: [
      ([], "200", "0123456789", nil),
      (["Range: bytes=3-4"], "206", "34", "bytes 3-4/10"),
      (["Range: bytes=7-"], "206", "789", "bytes 7-9/10"),
      (["Range: bytes=-2"], "206", "89", "bytes 8-9/10"),
      (["Range: bytes=8-99"], "206", "89", "bytes 8-9/10"),
      (["Range: bytes=10-"], "416", "", "bytes */10"),
      (["Range: bytes=1-2,4-5"], "200", "0123456789", nil),
      (["Range: bytes=5-2"], "200", "0123456789", nil),
      (["Range: bytes=3-4", "If-Range: \"1\""], "206", "34", "bytes 3-4/10"),
      (["Range: bytes=3-4", "If-Range: \"2\""], "200", "0123456789", nil),
      (["Range: bytes=3-4", "If-Range: W/\"1\""], "200", "0123456789", nil),
      (["Range: bytes=3-4", "If-Range: Mon, 05 Jan 2026 08:00:00 GMT"], "206", "34", "bytes 3-4/10"),
      (["Range: bytes=3-4", "If-Range: Tue, 06 Jan 2026 08:00:00 GMT"], "200", "0123456789", nil),
      (["If-None-Match: \"2\", W/\"1\""], "304", "", nil),
      (["If-None-Match: *"], "304", "", nil),
      (["If-None-Match: \"2\"", "If-Modified-Since: Mon, 05 Jan 2026 08:00:00 GMT"], "200", "0123456789", nil),
      (["If-Modified-Since: Mon, 05 Jan 2026 08:00:00 GMT"], "304", "", nil),
    ] as [([String], String, String, String?)])
  func honest(headers: [String], status: String, body: String, contentRange: String?) throws {
    let response = try #require(PlainRequest.get(port: server.port, path: "/d", headers: headers))
    #expect(response.hasPrefix("HTTP/1.1 \(status) "))
    #expect(response.hasSuffix("\r\n\r\n" + body))
    if let contentRange {
      #expect(response.contains("\r\nContent-Range: \(contentRange)\r\n"))
    } else {
      #expect(!response.contains("Content-Range"))
    }
  }

  @Test(
    "faults look as their names say",
    arguments: [
      (.status(503, ["Retry-After": "7"], body: "busy"), "bytes=2-", "503", "Retry-After: 7", "busy"),
      (.redirect(to: "/x"), nil, "302", "Location: /x", ""),
      (.breakOff(after: 4), nil, "200", "Content-Length: 10", "0123"),
      (.contentLength("99"), nil, "200", "Content-Length: 99", "0123456789"),
      (.contentRange(start: 5), "bytes=3-4", "206", "Content-Range: bytes 5-6/10", "34"),
      (.contentRange(total: "77"), "bytes=3-4", "206", "Content-Range: bytes 3-4/77", "34"),
      (.rangesIgnored, "bytes=3-4", "200", "Content-Length: 10", "0123456789"),
      (.partialFromZero, "bytes=3-4", "206", "Content-Range: bytes 0-9/10", "0123456789"),
      (.unsatisfiable(total: 3), "bytes=3-4", "416", "Content-Range: bytes */3", ""),
      (.chunked(), nil, "200", "Transfer-Encoding: chunked", "a\r\n0123456789\r\n0\r\n\r\n"),
      (.chunked(complete: false), nil, "200", "Transfer-Encoding: chunked", "a\r\n0123456789\r\n"),
      (.untilClose, nil, "200", "Connection: close", "0123456789"),
      (.contentEncoding("gzip"), nil, "200", "Content-Encoding: gzip", "0123456789"),
      (.entity(Resource(text: "other", etag: "\"2\"")), nil, "200", "ETag: \"2\"", "other"),
      (
        .breakOff(after: 1).with { $0.ranges = .ignored }, "bytes=3-4", "200", "Content-Length: 10", "0"
      ),
    ] as [(Behaviour, String?, String, String, String)])
  func faults(behaviour: Behaviour, range: String?, status: String, header: String, body: String) throws {
    server.script("/d", [behaviour])
    let headers = range.map { ["Range: \($0)"] } ?? []
    let response = try #require(PlainRequest.get(port: server.port, path: "/d", headers: headers))
    #expect(response.hasPrefix("HTTP/1.1 \(status) "))
    #expect(response.contains("\r\n\(header)\r\n"))
    #expect(response.hasSuffix("\r\n\r\n\(body)"))
  }

  @Test("the n-th request gets the n-th behaviour and the last one repeats")
  func scripts() throws {
    server.script("/d", [.status(500), .status(502), .honest])
    #expect(try [get().status, get().status, get().status, get().status] == ["500", "502", "200", "200"])
  }

  @Test("replies without status or with half of their headers are possible")
  func rawReplies() throws {
    server.script("/d", [.emptyReply, .headersCutOff])
    #expect(PlainRequest.get(port: server.port, path: "/d")?.isEmpty == true)
    #expect(PlainRequest.get(port: server.port, path: "/d") == "HTTP/1.1 200 OK\r\nContent-Type: audio/mp")
    #expect(server.requests.map(\.line) == ["GET /d -", "GET /d -"])
  }

  @Test("a multipart answer carries the part and its range")
  func multipart() throws {
    server.script("/d", [.multipart])
    let response = try get("/d", "Range: bytes=3-4")
    #expect(response.status == "206")
    #expect(response.head.contains("Content-Type: multipart/byteranges; boundary=part"))
    #expect(response.body.contains("Content-Range: bytes 3-4/10\r\n\r\n34\r\n--part--"))
  }

  @Test("the log keeps order, headers, status and the bytes that were sent")
  func log() throws {
    server.script("/d", [.breakOff(after: 6), .honest])
    _ = try get("/d?a=b", "User-Agent: test", "Authorization: Bearer x")
    _ = try get("/d", "Range: bytes=6-")
    _ = try get("/gone")
    #expect(try server.waitUntilIdle())
    let requests = server.requests
    #expect(requests.map(\.line) == ["GET /d 200", "GET /d 206 bytes=6-", "GET /gone 404"])
    #expect(requests.map(\.bytesSent) == [6, 4, 5])
    #expect(requests.map(\.ordinal) == [1, 2, 3])
    #expect(requests[0].target == "/d?a=b")
    #expect(requests[0].userAgent == "test")
    #expect(requests[0].authorization == "Bearer x")
    #expect(requests[0].cookie == nil)
    #expect(requests.allSatisfy { ($0.finishedAt ?? 0) >= $0.startedAt })
  }

  @Test("one connection carries several requests, and HEAD has no body")
  func keepAlive() throws {
    let text = "HEAD /d HTTP/1.1\r\nHost: x\r\n\r\nGET /d HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    let response = String(decoding: try #require(PlainRequest.send(text, port: server.port)), as: UTF8.self)
    #expect(response.components(of: "HTTP/1.1 200 OK") == 2)
    #expect(response.components(of: "0123456789") == 1)
    #expect(Set(server.requests.map(\.connection)) == [1])
  }

  @Test("what is no request is refused")
  func badRequest() throws {
    let response = try #require(PlainRequest.send("nonsense\r\n\r\n", port: server.port))
    #expect(String(decoding: response, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
  }

  @Test("stopping ends a stall, and nothing listens afterwards")
  func stopEndsStalls() throws {
    let gate = try Gate()
    server.script("/d", [.stall(after: 3).with { $0.gate = gate }])
    let curl = try client("/d")
    #expect(gate.waitForArrival())
    gate.open()
    server.stop()
    #expect(curl.wait(timeout: 10).ending != .timedOut)
    #expect(PlainRequest.get(port: server.port, path: "/d") == nil)
  }

  @Test("responses held at a gate run at once and go on when it opens")
  func gates() throws {
    let gates = [try Gate(), try Gate()]
    server.serve("/e", Self.digits)
    server.script("/d", [.hold(after: 5, gates[0])])
    server.script("/e", [.hold(after: 5, gates[1])])
    let clients = [try client("/d"), try client("/e")]
    for gate in gates { #expect(gate.waitForArrival()) }
    #expect(server.requests.map(\.bytesSent) == [5, 5])
    for gate in gates { gate.open() }
    for client in clients { #expect(client.wait().standardOutput.hasSuffix("0123456789")) }
    #expect(server.maxConcurrentConnections == 2)
    #expect(server.maxConcurrentRequests == 2)
    #expect(server.maxConcurrentRequests(to: "/d") == 1)
  }

  @Test("a client that goes away while it is held ends its request")
  func clientGoes() throws {
    let gate = try Gate()
    server.script("/d", [.hold(after: 5, gate)])
    let lost = try client("/d")
    #expect(gate.waitForArrival())
    lost.signal(9)
    #expect(lost.wait().ending == .killed(signal: 9))
    #expect(try server.waitUntilIdle())
    #expect(server.requests.map(\.bytesSent) == [5])
  }

  @Test("a rate is kept over the whole body")
  func throttle() throws {
    server.serve("/large", Resource(body: .generated(GeneratedBytes(seed: 1, count: 30_000))))
    server.script("/large", [.throttle(bytesPerSecond: 100_000)])
    #expect(try get("/large").status == "200")
    #expect(try server.waitUntilIdle())
    let request = try #require(server.requests.first)
    let seconds = try #require(request.finishedAt) - request.startedAt
    #expect((0.2...3).contains(seconds))
  }

  /// A client in a separate process, so that the test can continue in the meantime.
  private func client(_ path: String) throws -> RunningCommand {
    let script =
      "exec 3<>/dev/tcp/127.0.0.1/\(server.port); printf 'GET \(path) HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n' >&3; exec cat <&3"
    return try Command("/bin/bash", ["-c", script]).start()
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
