// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@testable import SyncCore

@Suite("a report for people")
struct ReportTextTests {
  private func text(_ report: RunReport) -> String { ReportText(report, style: TextStyle(hasColor: false)).text }

  @Test("shows what became of each item, what to know, the totals and the exit status")
  func whole() throws {
    #expect(
      text(try ReportSamples.report()) == #"""
          - mix/GONE.mp3      300 B  removed: no playlist names it any more
          - mix/OLD.mp3    3.00 MiB  evicted: least used, and room is needed
          + mix/NEW.mp3    8.20 MiB  resumed at 1.00 MiB, alternative 1 (+25 s), 1 retry, low confidence
          ! BEGUN                    failed: less than 1 KiB came in 30 s; the next run tries again
          = mix/THERE.mp3     100 B  adopted: a file of the declared size is in its place
          … mix/LARGE.mp3            deferred: the budget lacks 512 B
          … WAIT                     deferred: the server asked to wait until 2027-01-15T08:00:00Z
          ! Dead\u{A}: the server answered 404 (not found); try again with: syncjob retry dead
        warning: the last change of an interrupted run was cut off and is set aside.
        warning: talk: the source is empty; its items stay as they are.

        car: 1 downloaded (7.20 MiB, 1 resumed, 1 from alternatives), 1 adopted, 1 removed, 1 evicted, 2 deferred, 1 failed, 1 failed in an earlier run, 1 source not read, 1 leftover file cleared away (7 B), 1 retry; 1 already in place. 2 min 5 s, exit 3
        Library: 15.0 MiB of 20.0 MiB (75 %); 1.00 GiB free on the file system.

        """#)
  }

  @Test("counts a file that somebody changed apart from those in place")
  func changedByOthers() throws {
    var report = try ReportSamples.report()
    report.fold(.warned(.changedByOthers(path: try #require(LibraryPath("mix/X.mp3")))))
    #expect(text(report).contains("; 1 changed by somebody and left alone. "), "\(text(report))")
  }

  @Test("downloads and replaced files are counted with their own bytes")
  func bytesOfEach() throws {
    var report = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    var plan = try ReportSamples.plan()
    (plan.steps, plan.warnings) = ([], [])
    plan.actions = [
      try ReportSamples.step("a", .download, .new, bytes: 2048),
      try ReportSamples.step("b", .upgrade, .otherQuality(from: .low, to: .high), bytes: 1024),
    ]
    report.fold(.planned(plan))
    for (name, bytes, resumed) in [("a", Int64(2048), Int64(0)), ("b", 1024, 512)] {
      report.fold(
        .completed(
          try ReportSamples.id(name),
          Completion(
            file: try ReportSamples.file(name, size: bytes), title: name, fetched: ByteCount(bytes),
            resumed: ByteCount(resumed), requests: 1, seconds: 1, difference: nil)))
    }
    #expect(text(report).contains("car: 1 downloaded (2.00 KiB), 1 replaced (1.00 KiB, 1 resumed)."), "\(text(report))")
  }

  @Test("of each kind ten lines are shown and the others counted")
  func bounded() throws {
    var plan = try ReportSamples.plan()
    (plan.steps, plan.warnings) = ([], [])
    plan.actions = try (10..<35).map { number in
      try ReportSamples.step(
        "late-\(number)", .defer, .noRoomInBudget(lacking: ByteCount(512)), bytes: 1, path: "late-\(number).mp3")
    }
    var report = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    report.fold(.planned(plan))
    for number in 1...11 {
      report.fold(.warned(.listingFlaw(try #require(PlaylistName("talk")), ListingFlaw(.badDate("\(number)")))))
    }
    let style = TextStyle(hasColor: false, limit: TextStyle.usualLimit)
    let lines = ReportText(report, style: style).text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("  … late-") } == 10)
    #expect(lines.contains("  … and 15 more deferred: -v lists them"))
    #expect(lines.count { $0.hasPrefix("warning: talk:") } == 10)
    #expect(lines.contains("  … and 1 more flaws of sources: -v lists it"))
    #expect(text(report).split(separator: "\n").count { $0.hasPrefix("  … late-") } == 25)
  }

  @Test("on a narrow terminal lines go on below, broken between words, and files that were told of are left out")
  func terminal() throws {
    let report = try ReportSamples.report()
    for columns in [40, 60, 100] {
      let lines = ReportText(report, style: TextStyle(hasColor: false, columns: columns)).text.split(separator: "\n")
      let words = lines.joined(separator: " ").split(separator: " ")
      #expect(words == text(report).split { $0 == " " || $0 == "\n" })
      for line in lines where line.split(separator: " ").allSatisfy({ $0.count < columns - 8 }) {
        #expect(String(line).columns <= columns, "\(line)")
      }
    }
    var style = TextStyle(hasColor: false)
    style.hasToldFiles = true
    let lines = ReportText(report, style: style).text.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(lines.map { String($0.prefix(4)) } == ["  ! ", "  … ", "  … ", "  ! "])
  }

  @Test("sizes are in the units of the manifest")
  func units() throws {
    var style = TextStyle(hasColor: false)
    style.units = .decimal
    #expect(
      ReportText(try ReportSamples.report(), style: style).text
        .contains("Library: 15.7 MB of 21.0 MB (75 %); 1.07 GB free on the file system."))
  }

  @Test("a source's problem is told once")
  func toldOnce() throws {
    var report = try ReportSamples.report()
    report.fold(.warned(.sourceNotWhole(try #require(PlaylistName("talk")), .empty)))
    #expect(text(report).split(separator: "\n").count { $0.contains("the source is empty") } == 1)
  }

  @Test("a run without anything to do is one line")
  func nothing() {
    var report = RunReport(runID: "1", name: "car\u{1B}", startedAt: ReportSamples.start)
    report.seconds = 0.04
    #expect(text(report) == "car\\u{1B}: nothing to do. 0.0 s, exit 0\n")
  }

  @Test("a disk that is full and a refusal are said, and that what is finished is safe")
  func stopped() throws {
    var plan = try ReportSamples.plan()
    plan.safetyStop = .tooManyRemovals(count: 11, limit: 10, finished: 30)
    (plan.steps, plan.warnings) = ([], [])
    var report = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    report.fold(.planned(plan))
    report.fold(.storageFailed(.storageFull(ErrnoCode(28))))
    #expect(
      text(report) == """
        stopped: no room left to write (no space left on the device); free some space or lower the budget. What was finished is safe.
        refused: 11 of 30 finished items would be removed, more than storage.max_delete allows (10); look at it with `syncjob plan`, then allow it once with --max-delete 11.

        car: nothing was done. 0.0 s, exit 0

        """)
  }

  @Test("a failure tells of the alternatives that failed, too")
  func alternatives() throws {
    for (count, words) in [(1, "; its alternative failed, too"), (3, "; its 3 alternatives failed, too")] {
      var report = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
      var plan = try ReportSamples.plan()
      (plan.steps, plan.warnings) = ([plan.steps[2]], [])
      report.fold(.planned(plan))
      let id = try ReportSamples.id("new")
      for candidate in 1...count { report.fold(.switched(id, .emptyBody, to: candidate)) }
      report.fold(
        .failed(
          id, ReportSamples.error(isTemporary: true), host: "cdn.example", isTemporary: true, requests: 4, seconds: 1))
      #expect(
        text(report).hasPrefix("  ! NEW  failed: less than 1 KiB came in 30 s\(words); the next run tries again\n"))
    }
  }

  @Test("what --no-download held back is not nothing to do")
  func heldBack() throws {
    var report = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    var plan = try ReportSamples.plan()
    (plan.steps, plan.warnings, plan.heldBack) = ([], [], 2)
    report.fold(.planned(plan))
    #expect(text(report) == "car: 2 held back by --no-download. 0.0 s, exit 0\n")
  }

  @Test("the trash that went for room is told with its files and bytes, apart from what was only old")
  func emptiedTrash() throws {
    var report = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    report.fold(.trashEmptied(files: 3, freed: ByteCount(2048)))
    #expect(text(report) == "car: 3 files of the trash deleted for room (2.00 KiB). 0.0 s, exit 0\n")
    report.fold(.cleaned(files: 2, freed: ByteCount(70)))
    #expect(
      text(report).hasPrefix(
        "car: 3 files of the trash deleted for room (2.00 KiB), 2 leftover files cleared away (70 B). ")
    )
    var empty = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    empty.fold(.cleaned(files: 2, freed: .zero))
    #expect(text(empty) == "car: 2 leftover files cleared away. 0.0 s, exit 0\n")
    let json = String(decoding: report.json(), as: UTF8.self)
    #expect(json.contains("\"cleaned\":5") && json.contains("\"bytes_freed\":2118"))
    #expect(json.contains("\"trash_emptied\":{\"files\":3,\"bytes\":2048}"))
  }

  @Test("what was paused keeps what came")
  func paused() throws {
    var report = RunReport(runID: "1", name: "car", startedAt: ReportSamples.start)
    var plan = try ReportSamples.plan()
    (plan.steps, plan.warnings) = ([plan.steps[2]], [])
    report.fold(.planned(plan))
    report.fold(.paused(try ReportSamples.id("new"), kept: ByteCount(2048)))
    #expect(
      text(report) == """
          » mix/NEW.mp3  paused at 2.00 KiB

        car: 1 paused. 0.0 s, exit 0

        """)
  }
}
