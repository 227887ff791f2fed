// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the scenario harness")
struct HarnessTests {
  private func json(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8)) }

  @Test(
    "a path leads into objects, arrays and elements by a field",
    arguments: [
      ("totals.failed", "1"), ("items.0.id", "a"), ("items[id=b].error.status", "404"), ("items.count", "2"),
      ("items[id=c].error", nil), ("items.7", nil), ("totals.failed.x", nil), ("none", nil),
    ] as [(String, String?)])
  func paths(path: String, found: String?) throws {
    let report = try json(#"{"totals":{"failed":1},"items":[{"id":"a"},{"id":"b","error":{"status":404}}]}"#)
    #expect(report[path: path]?.description == found)
  }

  @Test(
    "values compare exactly, numbers also by a bound",
    arguments: [
      ("1", "1", true), ("1", "2", false), ("5", "\"> 4\"", true), ("5", "\"> 5\"", false), ("5", "\">= 5\"", true),
      ("5", "\"< 5\"", false), ("5", "\"<= 5\"", true), ("\"> 4\"", "\"> 4\"", true), ("5", "\"five\"", false),
      ("null", "null", true), ("[1,{}]", "[1,{}]", true), ("true", "1", false),
    ])
  func comparison(found: String, wanted: String, meets: Bool) throws {
    #expect(try json(found).meets(try json(wanted)) == meets)
  }

  @Test(
    "a key that nothing reads is refused",
    arguments: [
      #"{"about":"","steps":[],"step":1}"#, #"{"steps":[{"exits":0}]}"#, #"{"resources":{"/a":{"etags":""}}}"#,
      #"{"steps":[{"stdout":{"has":[]}}]}"#, #"{"steps":[{"text":{"a":{"equal":[]}}}]}"#,
      #"{"steps":[{"before":{"remove":[]}}]}"#,
    ])
  func unknownKeys(text: String) throws {
    #expect(throws: ScenarioKeys.Problem.self) { try ScenarioKeys.check(try json(text)) }
  }

  @Test("placeholders are filled in and found again")
  func placeholders() {
    let placeholders = Placeholders(
      origin: "http://127.0.0.1:40001", origin2: "http://127.0.0.1:40002", library: "/tmp/x/library", work: "/tmp/x",
      syncjob: "/tmp/bin/syncjob")
    let text = "{{origin}}/a {{origin2}}/b {{library}}/c {{work}}/d"
    #expect(placeholders.fill(text) == "http://127.0.0.1:40001/a http://127.0.0.1:40002/b /tmp/x/library/c /tmp/x/d")
    #expect(placeholders.normalise(placeholders.fill(text)) == text)
    #expect(
      placeholders.normalise("2026-01-05T08:00:00.5Z 12 ms 0.25 s 225 s 3:45")
        == "{{time}} {{duration}} {{duration}} 225 s 3:45")
  }

  @Test(
    "a behaviour that nobody knows is refused", arguments: ["", "brake_off 3", "break_off", "ranges odd", "honest + x"])
  func unknownBehaviours(text: String) throws {
    let reader = BehaviourText(gate: try Gate())
    #expect(throws: BehaviourText.Problem.self) { try reader.read(text) }
  }

  @Test("behaviours combine in one line")
  func behaviours() throws {
    let server = try FaultServer()
    server.serve("/d", Resource(text: "0123456789"))
    let behaviour = try BehaviourText(gate: try Gate()).read("ranges ignored + header X-A: b | X-C: d + break_off 4")
    server.script("/d", [behaviour])
    let response = PlainRequest.get(port: server.port, path: "/d", headers: ["Range: bytes=2-"]) ?? ""
    #expect(response.hasPrefix("HTTP/1.1 200 "))
    #expect(response.contains("\r\nX-A: b\r\nX-C: d\r\n"))
    #expect(response.hasSuffix("\r\n\r\n0123"))
  }
}
