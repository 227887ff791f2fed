// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("events as lines")
struct EventLinesTests {
  private static let at = "\"at\":\"2027-01-15T08:00:00Z\""

  /// One second apart.
  private func lines(_ events: [RunEvent]) -> [String] {
    var encoder = EventLines()
    return events.enumerated().flatMap { index, event in
      encoder.lines(for: event, now: ReportSamples.start, at: .seconds(index)).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  @Test("every event has its line")
  func everyLine() throws {
    let failure = Failure.http(status: 503)
    let completion = Completion(
      file: try ReportSamples.file("NEW", size: 900, candidate: 1), title: "NEW", fetched: ByteCount(600),
      resumed: ByteCount(300), requests: 2, seconds: 1.23456)
    let source = SourceSummary(
      playlist: try #require(PlaylistName("talk")), location: "/x.rss", outcome: .problem(.empty), items: 0)
    let new = try ReportSamples.id("new")
    let rows: [(RunEvent, String)] = [
      (.began(runID: "r1", name: "car"), "\"event\":\"run_started\",\(Self.at),\"run_id\":\"r1\",\"name\":\"car\""),
      (
        .started(new, candidate: 1, offset: ByteCount(7)),
        "\"event\":\"item_started\",\(Self.at),\"id\":\"new\",\"candidate\":1,\"bytes\":7"
      ),
      (
        .retrying(new, failure, attempt: 1, wait: .milliseconds(1500)),
        "\"event\":\"item_retrying\",\(Self.at),\"id\":\"new\",\"kind\":\"http\",\"status\":503,"
          + "\"message\":\"the server answered 503 (service unavailable)\",\"attempts\":1,\"wait_seconds\":1.5"
      ),
      (
        .switched(new, .emptyBody, to: 2),
        "\"event\":\"item_retrying\",\(Self.at),\"id\":\"new\",\"kind\":\"network\","
          + "\"message\":\"the server answered with success and no bytes\",\"candidate\":2,\"wait_seconds\":0"
      ),
      (
        .completed(new, completion),
        "\"event\":\"item_completed\",\(Self.at),\"id\":\"new\",\"action\":\"resume\",\"path\":\"mix/NEW.mp3\",\"bytes\":900,"
          + "\"bytes_downloaded\":600,\"bytes_resumed\":300,\"seconds\":1.235,\"attempts\":2,\"candidate\":1"
      ),
      (
        .adopted(new, try ReportSamples.file("NEW", size: 5), state: .offlinedButNotValid),
        "\"event\":\"item_completed\",\(Self.at),\"id\":\"new\",\"action\":\"adopt\",\"path\":\"mix/NEW.mp3\",\"bytes\":5"
      ),
      (
        .failed(
          new, ReportSamples.error(isTemporary: false), host: "cdn.example", isTemporary: false, requests: 4,
          seconds: 61),
        "\"event\":\"item_failed\",\(Self.at),\"id\":\"new\",\"host\":\"cdn.example\",\"kind\":\"http\","
          + "\"status\":404,"
          + "\"message\":\"the server answered 404 (not found)\",\"temporary\":false,\"attempts\":4,\"seconds\":61"
      ),
      (.paused(new, kept: ByteCount(7)), "\"event\":\"item_paused\",\(Self.at),\"id\":\"new\",\"bytes\":7"),
      (
        .deferred(new, .noRoomInBudget(lacking: ByteCount(5))),
        "\"event\":\"item_deferred\",\(Self.at),\"id\":\"new\",\"reason\":\"no_room_in_budget\","
          + "\"reason_text\":\"the budget lacks 5 B\",\"lacking_bytes\":5"
      ),
      (
        .removed(new, .evicted, freed: ByteCount(9)),
        "\"event\":\"item_removed\",\(Self.at),\"id\":\"new\",\"cause\":\"evicted\",\"bytes\":9"
      ),
      (
        .sourceRead(source),
        "\"event\":\"source_failed\",\(Self.at),\"playlist\":\"talk\",\"location\":\"/x.rss\","
          + "\"message\":\"the source is empty\",\"temporary\":true,\"items\":0"
      ),
      (
        .warned(.recovered(.journalTailTorn)),
        "\"event\":\"warning\",\(Self.at),\"kind\":\"recovered\","
          + "\"message\":\"the last change of an interrupted run was cut off and is set aside\""
      ),
      (
        .storageFailed(.storageFull(.enospc)),
        "\"event\":\"warning\",\(Self.at),\"kind\":\"storage_full\","
          + "\"message\":\"no room left to write (no space left on the device); free some space or lower the budget\""
      ),
    ]
    for (event, members) in rows { #expect(lines([event]).first == "{\(members)}\n") }
    // A file that comes or goes changes the offline state of its item.
    for (event, members) in rows {
      let state: OfflineState
      switch event {
      case .completed: state = .offlinedAndValid
      case .adopted: state = .offlinedButNotValid
      case .removed: state = .notOfflined
      default: continue
      }
      let told = "\"item_offline_state_changed\",\(Self.at),\"id\":\"new\",\"offline_state\":\"\(state.rawValue)\""
      #expect(lines([event]) == ["{\(members)}\n", "{\"event\":\(told)}\n"])
    }
  }

  @Test("what is nothing to a program has no line")
  func silence() throws {
    let good = SourceSummary(
      playlist: try #require(PlaylistName("news")), location: "/x.rss", outcome: .changed, items: 3)
    let url = try RemoteURL("http://a.example/")
    #expect(
      lines([
        .sourceRead(good), .cleaned(files: 1, freed: .zero), .trashEmptied(files: 1, freed: .zero),
        .asked(.answered(url, status: 200)),
        .progressed(try ReportSamples.id("x"), received: ByteCount(5), total: nil),
      ]).isEmpty)
  }

  @Test("the plan is told with its counts, then its warnings and what it defers")
  func plan() throws {
    let lines = lines([.planned(try ReportSamples.plan())])
    #expect(
      lines.first
        == "{\"event\":\"plan_ready\",\(Self.at),\"changes\":{\"download\":1,\"resume\":1,\"adopt\":1,\"remove\":1,\"evict\":1,"
        + "\"defer\":2,\"keep\":1},\"bytes\":9648576}\n")
    #expect(lines.count == 4 && lines[1].contains("\"kind\":\"recovered\""))
    let deferred = try lines[2...].map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(deferred.map { $0["event"]?.string } == ["item_deferred", "item_deferred"])
    #expect(deferred.map { $0["id"]?.string } == ["large", "wait"])
    #expect(deferred.allSatisfy { $0["reason"] != nil && $0["reason_text"] != nil })
  }

  @Test("progress is told at most four times a second, and exactly before the end")
  func progress() throws {
    let new = try ReportSamples.id("new")
    var encoder = EventLines()
    func emit(_ event: RunEvent, _ milliseconds: Int) -> [JSONValue] {
      encoder.lines(for: event, now: ReportSamples.start, at: .milliseconds(milliseconds)).compactMap {
        do { return try JSONValue(parsing: $0) } catch { return nil }
      }
    }
    _ = emit(.started(new, candidate: 0, offset: ByteCount(1_000_000)), 0)
    var told: [JSONValue] = []
    for tick in 1...100 {
      let received = ByteCount(1_000_000 + Int64(tick) * 50_000)
      told += emit(.progressed(new, received: received, total: ByteCount(9_000_000)), tick * 50)
    }
    #expect((19...21).contains(told.count))
    #expect(told.first?["bytes"]?.integer == 1_050_000)
    #expect(told.first?["rate"] == nil)
    // As soon as there is anything to go by, and long before a person is shown it.
    #expect((told[1]["rate"]?.double ?? 0) > 0)
    #expect(told[1]["eta_seconds"] != nil)
    let late = try #require(told.last)
    #expect(late["total"]?.integer == 9_000_000)
    #expect(abs((late["rate"]?.double ?? 0) - 1_000_000) < 10_000)
    #expect((3...5).contains(try #require(late["eta_seconds"]?.integer)))
    let end = emit(.paused(new, kept: .zero), 5010)
    #expect(end.compactMap { $0["event"]?.string } == ["item_progressed", "item_paused"])
    #expect(end.first?["bytes"]?.integer == 6_000_000)
    #expect(emit(.paused(new, kept: .zero), 5020).count == 1)
  }

  @Test("the last file's removal is told")
  func allRemoved() throws {
    var plan = try ReportSamples.plan()
    plan.actions = plan.steps { [.remove, .evict, .download].contains($0) }
    plan.warnings = []
    let (gone, old) = (try ReportSamples.id("gone"), try ReportSamples.id("old"))
    let names = lines([
      .planned(plan), .removed(gone, .orphan, freed: .zero), .removed(old, .evicted, freed: .zero),
    ]).compactMap { $0.split(separator: "\"")[3] }.filter { $0 != "item_offline_state_changed" }
    #expect(names == ["plan_ready", "item_removed", "item_removed", "all_removed"])
  }

  @Test("the end tells how it went, also of a run that could not go on")
  func finished() throws {
    let encoder = EventLines()
    let end = try JSONValue(parsing: encoder.finished(try ReportSamples.report(), now: ReportSamples.start))
    #expect(end["event"]?.string == "run_finished")
    #expect(end["run_id"]?.string == "r1")
    #expect(end["outcome"]?.string == "partial")
    #expect(end["exit_status"]?.integer == 3)
    #expect(end["totals"]?["downloaded"]?.integer == 1)
    let error = encoder.finished(.interrupted(.terminated), now: ReportSamples.start)
    #expect(
      String(decoding: error, as: UTF8.self)
        == "{\"event\":\"run_finished\",\(Self.at),\"outcome\":\"interrupted\",\"exit_status\":143,"
        + "\"message\":\"ended by a signal before anything was changed\"}\n")
  }
}
