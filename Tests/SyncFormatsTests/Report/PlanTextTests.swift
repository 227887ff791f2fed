// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@testable import SyncCore

@Suite("a plan for people")
struct PlanTextTests {
  private func text(_ plan: Plan, hasColor: Bool = false) -> String {
    PlanText(plan, style: TextStyle(hasColor: hasColor)).text
  }

  @Test("shows what goes, what comes, what waits, and the totals")
  func whole() throws {
    #expect(
      text(try ReportSamples.plan()) == #"""
          - mix/GONE.mp3      300 B  remove: no playlist names it any more
          - mix/OLD.mp3    3.00 MiB  evict: least used, and room is needed
          + mix/NEW.mp3    8.20 MiB  download: new
          » mix/日本.mp3   1.00 MiB  resume: 1.00 MiB are here already
          = mix/THERE.mp3     100 B  adopt: a file of the declared size is in its place
          … mix/LARGE.mp3  1.00 GiB  defer: the budget lacks 512 B
          … WAIT                     defer: the server asked to wait until 2027-01-15T08:00:00Z

          ! Dead\u{A}: the server answered 404 (not found); try again with: syncjob retry dead

        warning: the last change of an interrupted run was cut off and is set aside.

        Plan: 1 to download (8.20 MiB), 1 to resume (1.00 MiB), 1 to adopt, 1 to remove (300 B), 1 to evict (3.00 MiB), 2 deferred; 1 item in place.
        Library: 10.0 MiB → 16.0 MiB of 20.0 MiB (80 %); 1.00 GiB free on the file system.

        """#)
  }

  @Test("with nothing to do it is two lines")
  func nothing() throws {
    var plan = try ReportSamples.plan()
    (plan.changes, plan.standing, plan.warnings) = (plan.changes.filter { $0.action == .keep }, [], [])
    plan.storage.budget = nil
    plan.storage.after = plan.storage.before
    #expect(
      text(plan) == """
        Plan: nothing to do; 1 item in place.
        Library: 10.0 MiB; 1.00 GiB free on the file system.

        """)
  }

  @Test("downloads of unknown size are not told as nothing")
  func unknownSizes() throws {
    var plan = try ReportSamples.plan()
    let known = try ReportSamples.change("a", .download, .new, bytes: 512)
    let unknown = try ReportSamples.change("b", .download, .new, bytes: nil)
    for (changes, words) in [
      ([known], "1 to download (512 B)."), ([known, unknown], "2 to download (512 B and 1 of unknown size)."),
      ([unknown], "1 to download (of unknown size)."), ([unknown, unknown], "2 to download (of unknown sizes)."),
    ] {
      plan.changes = changes
      #expect(text(plan).contains("\nPlan: \(words)\n"))
    }
  }

  @Test("what --no-download holds back is not nothing to do")
  func heldBack() throws {
    var plan = try ReportSamples.plan()
    (plan.changes, plan.heldBack) = ([], 2)
    #expect(text(plan).contains("\nPlan: 2 held back by --no-download.\n"))
  }

  @Test("a refusal stands at its end")
  func refused() throws {
    var plan = try ReportSamples.plan()
    plan.safetyStop = .tooManyRemovals(count: 11, limit: 10, finished: 30)
    #expect(
      text(plan).hasSuffix(
        "\nRefused: 11 of 30 finished items would be removed, more than storage.max_delete allows (10)"
          + "; look at it with `syncjob plan`, then allow it once with --max-delete 11.\n"))
  }

  @Test("colour changes no letter of it")
  func color() throws {
    let plan = try ReportSamples.plan()
    let colored = text(plan, hasColor: true)
    #expect(colored.contains("\u{1B}[32m+\u{1B}[0m mix/NEW.mp3"))
    #expect(colored.contains("\u{1B}[31m-\u{1B}[0m mix/OLD.mp3"))
    let plain = colored.replacing(/\u{1B}\[[0-9]+m/, with: "")
    #expect(plain == text(plan))
  }
}

@Suite("columns")
struct TextStyleTests {
  @Test(
    "are counted as a terminal does",
    arguments: [
      ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("🎵", 2), ("", 0), ("한", 2), ("\u{301}", 0), ("é", 1), ("✅", 2),
      ("🇩🇪", 2), ("❤️", 2), ("👨‍👩‍👧", 2), ("…", 1),
    ])
  func columns(text: String, expected: Int) { #expect(text.columns == expected) }

  @Test("nothing is tinted without colour, and nothing makes no escape")
  func tinted() {
    #expect(TextStyle(hasColor: false).tinted("x", .bad) == "x")
    #expect(TextStyle(hasColor: true).tinted("x", .bad) == "\u{1B}[31mx\u{1B}[0m")
    #expect(TextStyle(hasColor: true).tinted("", .bad) == "")
  }

  @Test("a long name is cut to the column")
  func cut() throws {
    var plan = try ReportSamples.plan()
    let long = String(repeating: "日", count: 40)
    plan.changes = [
      try ReportSamples.change("a", .download, .new, bytes: 1, path: long),
      try ReportSamples.change("b", .download, .new, bytes: 1, path: "b"),
    ]
    let lines = PlanText(plan, style: TextStyle(hasColor: false)).text.split(separator: "\n")
    #expect(lines[0] == "  + \(String(repeating: "日", count: 25))…   1 B  download: new")
    #expect(lines[1] == "  + b\(String(repeating: " ", count: 51))  1 B  download: new")
  }
}
