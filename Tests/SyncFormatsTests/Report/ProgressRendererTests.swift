// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@testable import SyncCore

@Suite("the picture of a run that is going on")
struct ProgressRendererTests {
  /// Items of 2,000,000 bytes each, on their way for ten seconds at 100,000 bytes a second.
  private static func progress(_ titles: [String], total: Int64? = 2_000_000) throws -> RunProgress {
    var progress = RunProgress()
    var plan = try ReportSamples.plan()
    plan.steps = try titles.enumerated().map { index, title in
      try ReportSamples.step("i\(index)", .download, .new, bytes: total, title: title)
    }
    let downloads = plan.downloads
    progress.fold(.planned(plan), at: .zero)
    for download in downloads { progress.fold(.started(download.id, candidate: 0, offset: .zero), at: .zero) }
    for tick in 1...100 {
      for download in downloads {
        progress.fold(
          .progressed(
            download.id, received: ByteCount(Int64(tick) * 10_000), total: total.map(ByteCount.init)),
          at: .milliseconds(tick * 100))
      }
    }
    return progress
  }

  private static func picture(_ titles: [String], total: Int64? = 2_000_000, columns: Int, rows: Int = 24) throws
    -> [String]
  {
    ProgressRenderer(try progress(titles, total: total), at: .seconds(10), columns: columns, rows: rows).lines
  }

  @Test("a line for each transfer and one for all of them")
  func whole() throws {
    let lines = try Self.picture(["Night Drive", "夜のドライブ"], columns: 100)
    #expect(
      lines == [
        "Night Drive                [###########------------]  50%   977 KiB / 1.91 MiB  97.7 KiB/s     0:10",
        "夜のドライブ               [###########------------]  50%   977 KiB / 1.91 MiB  97.7 KiB/s     0:10",
        "Total 0 of 2 items  1.91 MiB / 3.81 MiB   194 KiB/s     0:10",
      ])
  }

  @Test("a narrow terminal leaves out whole columns, first the total, then the rate")
  func narrow() throws {
    #expect(
      try Self.picture(["Night Drive"], columns: 56) == [
        "Night D…  50%   977 KiB / 1.91 MiB  97.7 KiB/s     0:10",
        "Total 0 of 1 item   977 KiB  97.7 KiB/s     0:10",
      ])
    #expect(
      try Self.picture(["Night Drive"], columns: 40) == [
        "Night D…  50%   977 KiB     0:10", "0 of 1 item  97.7 KiB/s     0:10",
      ])
    #expect(try Self.picture(["Night Drive"], columns: 20) == ["Night D…  50%", "0 of 1 item"])
  }

  @Test("without a known size there is no bar and no time left")
  func unknownSize() throws {
    let lines = try Self.picture(["Night Drive"], total: nil, columns: 80)
    #expect(
      lines == [
        "Night Drive                             977 KiB             97.7 KiB/s    --:--",
        "Total 0 of 1 item   977 KiB  97.7 KiB/s    --:--",
      ])
  }

  @Test("no line is ever as wide as the terminal, and none has a control character")
  func widths() throws {
    let titles = [
      "a", String(repeating: "long ", count: 40), String(repeating: "夜", count: 60), "flags 🇩🇪🇯🇵 family 👨‍👩‍👧 ✅ e\u{301}",
      "bad\u{1B}[2J\ntitle",
    ]
    for columns in 20...200 {
      for line in try Self.picture(titles, columns: columns) {
        #expect(line.columns < columns, "\(columns): \(line)")
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
      }
    }
  }

  @Test("a low terminal shows what it has room for, and how many more there are")
  func rows() throws {
    let titles = (1...6).map { "Item \($0)" }
    func heads(_ rows: Int) throws -> [Substring] {
      try Self.picture(titles, columns: 80, rows: rows).map { $0.prefix(7) }
    }
    #expect(try heads(8) == ["Item 1 ", "Item 2 ", "Item 3 ", "Item 4 ", "Item 5 ", "Item 6 ", "Total 0"])
    #expect(try heads(5) == ["Item 1 ", "Item 2 ", "… and 4", "Total 0"])
    #expect(try heads(3) == ["… and 6", "Total 0"])
    #expect(try heads(2) == ["Total 0"])
    #expect(try heads(1) == [])
    #expect(try Self.picture(titles, columns: 19).isEmpty)
  }

  @Test("nothing is shown while nothing is on its way")
  func nothing() { #expect(ProgressRenderer(RunProgress(), at: .zero, columns: 80, rows: 24).lines.isEmpty) }

  @Test("work that is not a transfer has a line once it takes its time, until the plan is made")
  func work() throws {
    var progress = RunProgress()
    func lines(_ seconds: Double, _ columns: Int = 80) -> [String] {
      ProgressRenderer(progress, at: .seconds(seconds), columns: columns, rows: 24).lines
    }
    progress.fold(.worked(RunWork(.readingSources, done: 0, of: 80)), at: .seconds(1))
    #expect(lines(1.3) == [])
    #expect(lines(1.5) == ["Reading [------------------------] 0 of 80 sources    --:--"])
    progress.fold(.worked(RunWork(.readingSources, done: 20, of: 80)), at: .seconds(5))
    #expect(lines(11) == ["Reading [######------------------] 20 of 80 sources     0:30"])
    #expect(lines(11, 40) == ["Reading 20 of 80 sources     0:30"])
    #expect(lines(11, 20) == ["20 of 80 sources"])
    // Another kind of work has a time of its own.
    progress.fold(.worked(RunWork(.readingFiles, done: 1, of: 1)), at: .seconds(12))
    #expect(lines(12.3) == [])
    #expect(lines(13) == ["Examining [########################] 1 of 1 file     0:00"])
    progress.fold(.planned(try ReportSamples.plan()), at: .seconds(14))
    #expect(lines(15) == [])
  }

  @Test("between two requests it says when the next goes out")
  func waiting() throws {
    var progress = try Self.progress(["A"])
    progress.fold(.retrying(try ReportSamples.id("i0"), .emptyBody, attempt: 1, wait: .seconds(9)), at: .seconds(10))
    let line = ProgressRenderer(progress, at: .seconds(12), columns: 80, rows: 24).lines[0]
    #expect(line.hasSuffix("50%   977 KiB / 1.91 MiB  again in 0:07"))
  }
}
