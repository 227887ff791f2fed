// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a report as JSON")
struct ReportJSONTests {
  private func json() throws -> JSONValue { try JSONValue(parsing: try ReportSamples.report().json()) }

  @Test("has the fields of the manual")
  func fields() throws {
    let json = try json()
    #expect(
      json.names == [
        "format", "version", "run_id", "name", "started_at", "finished_at", "seconds", "outcome", "exit_status",
        "totals", "storage", "sources", "items", "recovery", "warnings",
      ])
    #expect(json["format"]?.string == "syncjob-report")
    #expect(json["version"]?.integer == 1)
    #expect(json["run_id"]?.string == "r1")
    #expect(json["name"]?.string == "car")
    #expect(json["started_at"]?.string == "2027-01-15T08:00:00Z")
    #expect(json["finished_at"]?.string == "2027-01-15T08:02:05Z")
    #expect(json["seconds"]?.double == 125)
    #expect(json["outcome"]?.string == "partial")
    #expect(json["exit_status"]?.integer == 3)
    #expect(json["warnings"]?.array?.count == 1)
  }

  @Test("names what was recovered and a clock that cannot be believed, each by a field of its own")
  func recovery() throws {
    var report = RunReport(runID: "r1", name: "car", startedAt: ReportSamples.start)
    let path = try #require(LibraryPath("mix/X.mp3"))
    for note in [
      RecoveryNote.restored(from: .library, problem: "why", keptAside: "x"), .journalUnreadable, .runForgotten,
      .journalLinesDamaged(2), .journalTailTorn, .itemsRequeued(3), .removalsFinished(1), .keptAside(["y"]),
      .stockResumed,
      .stockTaken(.init(adopted: 4, lacking: 5, unmatched: [path])),
    ] { report.fold(.warned(.recovered(note))) }
    let early = Timestamp(secondsSince1970: 0)
    report.fold(.warned(.implausibleClock(now: early, latestSeen: ReportSamples.start)))
    let text = String(decoding: report.json(), as: UTF8.self)
    let expected: [String] = [
      #""recovery":{"restored_from":"library","queue_file":"unreadable","problem":"why","journal_unreadable":true,"#,
      #""last_run_lost":true,"journal_lines_damaged":2,"journal_torn":true,"items_requeued":3,"#,
      #""removals_finished":1,"stock_resumed":true,"takes_stock":true,"adopted":4,"lacking":5,"#,
      #""unmatched":["mix/X.mp3"],"kept_aside":["x","y"]},"clock":{"plausible":false,"now":"1970-01-01T00:00:00Z","#,
      #""latest_seen":"2027-01-15T08:00:00Z"}"#,
    ]
    #expect(text.contains(expected.joined()))
  }

  @Test("has every total")
  func totals() throws {
    let totals = try #require(try json()["totals"])
    let expected: [(String, Int64)] = [
      ("planned", 5), ("downloaded", 1), ("resumed", 1), ("upgraded", 0), ("adopted", 1), ("unchanged", 1),
      ("moved", 0), ("removed", 1),
      ("evicted", 1), ("pushed", 0), ("failed", 1), ("deferred", 2), ("recovered", 0), ("cleaned", 1), ("retries", 1),
      ("alternatives_used", 1), ("bytes_downloaded", 7_551_424), ("bytes_resumed", 1 << 20), ("bytes_freed", 3_146_035),
    ]
    #expect(totals.names == expected.map(\.0))
    #expect(totals.names.map { totals[$0]?.integer } == expected.map(\.1))
  }

  @Test("has the storage, or null when it is not known")
  func storage() throws {
    let storage = try #require(try json()["storage"])
    #expect(storage.names == ["budget", "used", "partial", "trash", "trash_files", "free", "usage"])
    #expect(storage["usage"]?.double == 0.75)
    let empty = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    #expect(try JSONValue(parsing: empty.json())["storage"] == .null)
  }

  @Test("has the sources with their problem")
  func sources() throws {
    let sources = try #require(try json()["sources"]?.array)
    #expect(
      sources.map(\.names) == [
        ["playlist", "location", "outcome", "items"],
        ["playlist", "location", "outcome", "message", "temporary", "items"],
      ])
    #expect(sources.map { $0["outcome"]?.string } == ["changed", "problem"])
    #expect(sources[1]["message"]?.string == "the source is empty")
  }

  @Test("has the items that were touched, and those that stay failed")
  func items() throws {
    let items = try #require(try json()["items"]?.array)
    #expect(
      items.map { $0["id"]?.string } == ["gone", "old", "new", "begun", "there", "large", "wait", "dead"])
    #expect(
      items.map { $0["outcome"]?.string } == [
        "removed", "removed", "completed", "failed", "completed", "deferred", "deferred", "failed_before",
      ])
    let done = items[2]
    #expect(
      done.names == [
        "id", "title", "playlist", "action", "outcome", "reason", "reason_text", "path", "bytes", "bytes_resumed",
        "seconds", "attempts", "retries", "candidate", "duration_difference", "confidence",
      ])
    #expect(done["seconds"]?.double == 1.235)
    #expect(done["attempts"]?.integer == 2)
    #expect(done["candidate"]?.integer == 1)
    #expect(done["confidence"]?.string == "low")
    #expect(done["duration_difference"]?.double == 25)
  }

  @Test("has an error with its kind, status, sentence and time")
  func errors() throws {
    let items = try #require(try json()["items"]?.array)
    let temporary = try #require(items[3]["error"])
    #expect(temporary.names == ["kind", "message", "temporary", "at"])
    #expect(temporary["kind"]?.string == "timeout")
    #expect(temporary["temporary"]?.bool == true)
    let lasting = try #require(items[7]["error"])
    #expect(lasting.names == ["kind", "status", "message", "temporary", "at"])
    #expect(lasting["status"]?.integer == 404)
    #expect(lasting["message"]?.string == "the server answered 404 (not found)")
    #expect(lasting["at"]?.string == "2027-01-15T08:00:00Z")
  }

  @Test("is one line")
  func oneLine() throws {
    #expect(try ReportSamples.report().json().count { $0 == UInt8(ascii: "\n") } == 1)
  }
}
