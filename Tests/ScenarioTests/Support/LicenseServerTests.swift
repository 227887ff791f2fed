// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the licence server")
struct LicenseServerTests {
  let server: LicenseServer
  /// 21 January 2026, 10:00 UTC.
  static let now = 1_768_989_600

  init() throws {
    server = try LicenseServer()
    server.change { $0.setTime(Self.now) }
  }

  /// The status and the body, which has to be JSON.
  private func read(_ response: String?) throws -> (status: String, body: JSONValue) {
    let response = try #require(response)
    let end = try #require(response.firstRange(of: "\r\n\r\n"))
    return (String(response.dropFirst(9).prefix(3)), try JSONValue(Array(response[end.upperBound...].utf8)))
  }

  private func post(_ path: String, _ body: String, _ headers: String...) throws -> (status: String, body: JSONValue) {
    try read(PlainRequest.post(port: server.port, path: path, body: body, headers: headers))
  }

  private func register(_ device: String) throws -> String {
    try post(server.devicesPath, #"{"device_id":"\#(device)","name":"A player"}"#).status
  }

  private func ask(_ tracks: String, validFor: Int = 3600) throws -> (status: String, body: JSONValue) {
    try post(server.licensesPath, #"{"device_id":"a","valid_for":\#(validFor),"track_ids":[\#(tracks)]}"#)
  }

  @Test("devices register once, up to the limit, and a released one makes room")
  func devices() throws {
    #expect(try [register("a"), register("a"), register("b"), register("c")] == ["200", "200", "200", "403"])
    let release = #"{"device_id":"a"}"#
    #expect(try [1, 2].map { _ in try post(server.releasePath, release).status } == ["200", "200"])
    #expect(try register("c") == "200")
    #expect(server.devices.map(\.id) == ["b", "c"])
    let list = try read(PlainRequest.get(port: server.port, path: server.devicesPath)).body
    #expect(list[path: "max_devices"] == .number(2))
    #expect(list[path: "devices[device_id=c].registered_at"] == .string("2026-01-21T10:00:00Z"))
    #expect(list[path: "devices[device_id=c].name"] == .string("A player"))
  }

  @Test("each track gets a licence or a refusal, and a content key stays the same at a renewal")
  func licenses() throws {
    #expect(try ask(#""x""#).body[path: "error"] == .string("device_not_authorized"))
    _ = try register("a")
    server.change {
      $0.contentKeys = true
      $0.validityLimit = 86_400
      $0.tracks["gone"] = .init(refusal: .expired)
      $0.tracks["free"] = .init(
        restrictions: .init(others: ["max_plays": 3]), contentKey: [1, 2, 3, 4], validity: -1)
    }
    let first = try ask(#""x","gone","free","y""#, validFor: 999_999).body
    #expect(first[path: "licenses.count"] == .number(3))
    #expect(
      first[path: "refusals.0"]
        == .object(
          ["track_id": .string("gone"), "status": .number(410), "error": .string("expired")]))
    #expect(first[path: "licenses[track_id=x].issued_at"] == .string("2026-01-21T10:00:00Z"))
    #expect(first[path: "licenses[track_id=x].expires_at"] == .string("2026-01-22T10:00:00Z"))
    #expect(first[path: "licenses[track_id=free].expires_at"] == .string("2026-01-21T09:59:59Z"))
    #expect(first[path: "licenses[track_id=free].restrictions"] == .object(["max_plays": .number(3)]))
    #expect(first[path: "licenses[track_id=free].content_key"] == .string("AQIDBA=="))
    server.change { $0.setTime(Self.now + 60) }
    let second = try ask(#""x""#, validFor: 60).body
    #expect(second[path: "licenses.0.expires_at"] == .string("2026-01-21T10:02:00Z"))
    let key = second[path: "licenses.0.content_key"]
    #expect(key == first[path: "licenses[track_id=x].content_key"])
    #expect(key != first[path: "licenses[track_id=y].content_key"])
    #expect(server.requests(to: server.licensesPath).last?.trackIDs == ["x"])
  }

  @Test(
    "what is not a request of the protocol is refused",
    arguments: [
      ("", "400"), ("{", "400"), ("[]", "400"), (#"{"device_id":"a","valid_for":1}"#, "400"),
      (#"{"device_id":"a","valid_for":0,"track_ids":["x"]}"#, "400"),
      (#"{"device_id":"a","valid_for":"1","track_ids":["x"]}"#, "400"),
      (#"{"device_id":"a","valid_for":1,"track_ids":["x",1]}"#, "400"),
      (#"{"device_id":"a","valid_for":1,"track_ids":["x"]} x"#, "400"),
      (#"{"device_id":"a","valid_for":1,"track_ids":["\ud800"]}"#, "400"),
      (#"{"device_id":"a","valid_for":1,"track_ids":["\#(String(repeating: "x", count: 129))"]}"#, "400"),
      (#"{"device_id":"a","valid_for":1,"track_ids":["\ud83d\ude00"],"more":[{"deep":[1.5e3,null,true]}]}"#, "200"),
      (#"{"device_id":"b","valid_for":1,"track_ids":["x"]}"#, "403"),
      (
        #"{"device_id":"a","valid_for":1,"track_ids":[\#((0...100).map { "\"\($0)\"" }.joined(separator: ","))]}"#,
        "413"
      ),
    ])
  func malformed(body: String, status: String) throws {
    _ = try register("a")
    #expect(try post(server.licensesPath, body).status == status)
  }

  @Test("a path of its own gives one licence without registration")
  func single() throws {
    server.serveSingle("/l/x", track: "x")
    server.change { $0.tracks["y"] = .init(refusal: .regionRestricted) }
    server.serveSingle("/l/any")
    let ask = { (path: String, track: String) in
      try post(path, #"{"device_id":"a","valid_for":60,"track_id":"\#(track)"}"#)
    }
    let granted = try ask("/l/x", "x")
    #expect(granted.status == "200")
    #expect(granted.body[path: "track_id"] == .string("x"))
    #expect(granted.body[path: "content_key"] == nil)
    #expect(granted.body[path: "restrictions.max_offline_devices"] == .number(2))
    let refused = try ask("/l/any", "y")
    #expect(refused.status == "451")
    #expect(refused.body == .object(["error": .string("region_restricted")]))
    #expect(try [ask("/l/x", "y").status, ask("/l/none", "x").status] == ["400", "404"])
    #expect(try read(PlainRequest.get(port: server.port, path: "/l/x")).status == "405")
  }

  @Test("a token, an answer of the test's own and the scripts of the HTTP server come before the protocol")
  func overrides() throws {
    server.change { $0.token = "t" }
    #expect(try register("a") == "401")
    #expect(
      try post(server.devicesPath, #"{"device_id":"a","name":""}"#, "Authorization: Bearer t").status == "200")
    server.change {
      $0.token = nil
      $0.answer = { path, body in
        path.hasSuffix("/licenses") ? .init(200, "{" + String(repeating: " ", count: 10_000_000) + "}") : nil
      }
    }
    #expect(try ask(#""x""#).body == .object([:]))
    #expect(try register("a") == "200")
    server.change { $0.answer = nil }
    server.script(server.devicesPath, [.status(500, body: "{}"), .breakOff(after: 3), .chunked()])
    #expect(try register("b") == "500")
    #expect(server.devices.map(\.id) == ["a"])
    let body = #"{"device_id":"b","name":"B"}"#
    let broken = PlainRequest.post(port: server.port, path: server.devicesPath, body: body)
    #expect(broken?.hasSuffix("\r\n\r\n{\"d") == true)
    #expect(server.devices.map(\.id) == ["a", "b"])
    let chunked = PlainRequest.post(port: server.port, path: server.devicesPath, body: body)
    #expect(chunked?.contains("Transfer-Encoding: chunked") == true)
    #expect(server.requests.map(\.status) == [401, 200, 200, 200, 500, 200, 200])
  }
}
