// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

extension JSONValue {
  /// The names of an object's members, in their order.
  var names: [String] {
    if case .object(let members) = self { members.map(\.name) } else { [] }
  }
}

@Suite("a plan as JSON")
struct PlanJSONTests {
  private func json() throws -> JSONValue { try JSONValue(parsing: try ReportSamples.plan().json()) }

  @Test("has the fields of the manual")
  func fields() throws {
    let json = try json()
    #expect(
      json.names == [
        "format", "version", "generated_at", "changes", "totals", "storage", "warnings", "warning_details",
      ])
    #expect(json["format"]?.string == "syncjob-plan")
    #expect(json["version"]?.integer == 1)
    #expect(json["generated_at"]?.string == "2027-01-15T08:00:00Z")
    #expect(json["storage"]?.names == ["before", "after", "budget", "deferred", "free"])
    #expect(json["storage"]?["after"]?.integer == 16 << 20)
    #expect(json["warnings"]?.array?.count == 1)
  }

  @Test("has every change with what is known of it")
  func changes() throws {
    let changes = try #require(try json()["changes"]?.array)
    #expect(changes.map { $0["id"]?.string } == ["gone", "old", "new", "begun", "there", "large", "wait", "kept"])
    #expect(
      changes[1].names == [
        "id", "playlist", "title", "duration", "action", "reason", "reason_text", "bytes", "path", "url", "score",
      ])
    #expect(changes[1]["playlist"]?.string == "mix")
    #expect(changes[1]["title"]?.string == "OLD")
    #expect(changes[1]["duration"]?.double == 225.25)
    #expect(changes[1]["action"]?.string == "evict")
    #expect(changes[1]["reason"]?.string == "lowest_score")
    #expect(changes[1]["reason_text"]?.string == "least used, and room is needed")
    #expect(changes[1]["bytes"]?.integer == 3 << 20)
    #expect(changes[1]["path"]?.string == "mix/OLD.mp3")
    #expect(changes[1]["score"]?.double == 0.25)
    #expect(changes[6]["reason"]?.string == "asked_to_wait")
    #expect(
      changes[6].names == [
        "id", "playlist", "title", "duration", "action", "reason", "reason_text", "until", "url",
      ])
    #expect(changes[7]["url"] == nil)
  }

  @Test("names the place that a file came from, if its item names another, without a secret")
  func origins() throws {
    var plan = try ReportSamples.plan()
    var file = try ReportSamples.file("KEPT", size: 100)
    file.origin = try RemoteURL("https://old.example/kept.mp3?token=hush")
    for index in plan.steps.indices {
      guard case .keep(var item) = plan.steps[index], item.queued.id.text == "kept" else { continue }
      let queued = item.queued
      item.queued = QueueItem(
        item: queued.item, memberships: queued.memberships, state: .completed(file), queuedAt: queued.queuedAt)
      plan.steps[index] = .keep(item)
    }
    let changes = try #require(try JSONValue(parsing: plan.json())["changes"]?.array)
    let kept = try #require(changes.first { $0["id"]?.string == "kept" })
    #expect(kept["origin"]?.string == "https://old.example/kept.mp3?token=***", "\(kept)")
    #expect(changes.count { $0["origin"] != nil } == 1)
  }

  @Test("has totals of every action")
  func totals() throws {
    let totals = try #require(try json()["totals"])
    let actions = ["download", "resume", "adopt", "upgrade", "move", "remove", "evict", "push", "defer", "keep"]
    #expect(totals.names == actions.flatMap { [$0, "bytes_\($0)"] })
    #expect(actions.map { totals[$0]?.integer } == [1, 1, 1, 0, 0, 1, 1, 0, 2, 1])
    #expect(totals["bytes_defer"]?.integer == 1 << 30)
  }

  @Test("has one change a line and no secret")
  func lines() throws {
    let text = String(decoding: try ReportSamples.plan().json(), as: UTF8.self)
    #expect(text.split(separator: "\n").count == 10)
    #expect(text.hasSuffix("\n"))
    #expect(!text.contains("secret"))
    #expect(!text.contains("anna"))
  }

  @Test("gives warnings and a refusal a code beside their sentences")
  func codes() throws {
    let document = try json()
    let warning = try #require(document["warning_details"]?.array?.first)
    #expect(warning["kind"]?.string == "recovered")
    #expect(warning["message"]?.string == document["warnings"]?.array?.first?.string)
    var plan = try ReportSamples.plan()
    plan.warnings = []
    plan.safetyStop = .tooManyRemovals(count: 11, limit: 10, finished: 30, setBy: .flag)
    let text = String(decoding: plan.json(), as: UTF8.self)
    #expect(
      text.contains(
        #""safety_stop_reason":{"code":"too_many_removals","items":11,"limit":10,"of_items":30,"limit_set_by":"flag"}"#)
    )
    #expect(!text.contains("warning_details"))
    plan.safetyStop = .tooManyDepartures(count: 7, earlier: 5, limit: 10, base: 40)
    #expect(
      String(decoding: plan.json(), as: UTF8.self).contains(
        #"{"code":"too_many_departures","items":7,"earlier_items":5,"limit":10,"of_items":40,"limit_set_by":"manifest"}"#
      ))
  }
}
