// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@testable import SyncCore

@Suite("a plan for people")
struct PlanTextTests {
  private func text(_ plan: Plan, hasColor: Bool = false) -> String {
    PlanText(plan, style: TextStyle(hasColor: hasColor)).text
  }

  @Test("shows what goes, what comes, what waits and what is given up, in groups, and the totals")
  func whole() throws {
    #expect(
      text(try ReportSamples.plan()) == #"""
        Removing: 1 item, 300 B
          - mix/GONE.mp3      300 B  no playlist names it any more

        Evicting: 1 item, 3.00 MiB
          - mix/OLD.mp3    3.00 MiB  least used, and room is needed

        Coming: 3 items, 9.20 MiB
          + mix/NEW.mp3    8.20 MiB  new
          » mix/日本.mp3   1.00 MiB  1.00 MiB are already downloaded
          = mix/THERE.mp3     100 B  a file of the declared size is in its place

        Waiting: 2 items, 1.00 GiB
          … mix/LARGE.mp3  1.00 GiB  the budget lacks 512 B
          … WAIT                     the server asked to wait until 2027-01-15T08:00:00Z

        Given up: 1 item
          ! Dead\u{A}: the server answered 404 (not found); try again with: syncjob retry dead

        warning: the last change of an interrupted run was cut off and is set aside.

        Plan: 1 to download (8.20 MiB), 1 to resume (1.00 MiB), 1 to adopt, 1 to remove (300 B), 1 to evict (3.00 MiB), 2 deferred; 1 item in place.
        Library: 10.0 MiB → 16.0 MiB of 20.0 MiB (80 %); 1.00 GiB free on the file system.

        """#)
  }

  @Test("of each group ten items are shown and the others counted")
  func bounded() throws {
    var plan = try ReportSamples.plan()
    plan.actions = try (10..<30).map { number in
      try ReportSamples.step(
        "late-\(number)", .defer, .noRoomInBudget(lacking: ByteCount(512)), bytes: 1024, path: "mix/\(number).mp3")
    }
    let style = TextStyle(hasColor: false, limit: TextStyle.usualLimit)
    let lines = PlanText(plan, style: style).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "Waiting: 20 items, 20.0 KiB")
    #expect(lines[10].hasPrefix("  … mix/19.mp3"))
    #expect(lines[11] == "  … and 10 more: -v lists them")
    #expect(lines[12].isEmpty)
  }

  @Test("a terminal of 40 columns has the sizes, and a narrower one has no column of them, rather than half of one")
  func narrow() throws {
    let style = TextStyle(hasColor: false, columns: 40)
    let text = PlanText(try ReportSamples.plan(), style: style).text
    #expect(text.contains("+ mix/NEW.mp3    8.20 MiB  new"), "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { String($0).columns <= 40 }, "\(text)")
    let narrower = PlanText(try ReportSamples.plan(), style: TextStyle(hasColor: false, columns: 20)).text
    #expect(narrower.contains("+ mix/NEW.mp3") && !narrower.contains("NEW.mp3  8.20 MiB"), "\(narrower)")
    let rows = narrower.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  + ") || $0.hasPrefix("  - ") }
    #expect(!rows.isEmpty && rows.allSatisfy { $0.columns <= 20 }, "\(narrower)")
  }

  @Test("what moves says from where")
  func moving() throws {
    var plan = try ReportSamples.plan()
    let from = try #require(LibraryPath("mix/A.mp3"))
    plan.actions = [try ReportSamples.step("a", .move, .placedElsewhere(from: from), bytes: 512, path: "mix/B.mp3")]
    #expect(text(plan).hasPrefix("Moving: 1 item, 512 B\n  ~ mix/B.mp3  512 B  from mix/A.mp3\n\n"))
  }

  @Test("the trash is part of what goes, and is no item")
  func trash() throws {
    var plan = try ReportSamples.plan()
    (plan.steps, plan.warnings) = ([], [])
    plan.expiresTrash = true
    #expect(
      text(plan).hasPrefix(
        "Removing\n  - old trash  older than storage.trash.keep\n\nPlan: old trash to remove.\n"))
    plan.emptiesTrash = true
    plan.storage.trash = ByteCount(2048)
    #expect(
      text(plan).hasPrefix(
        "Evicting: 2.00 KiB\n  - the trash  2.00 KiB  room is needed; undo cannot bring it back\n\nPlan: the trash to empty.\n"
      ))
    plan.actions = [try ReportSamples.step("old", .evict, .lowestScore, bytes: 1024, path: "mix/OLD.mp3")]
    #expect(text(plan).hasPrefix("Evicting: 1 item, 3.00 KiB\n  - mix/OLD.mp3  1.00 KiB  least"))
    #expect(text(plan).contains("\nPlan: 1 to evict (1.00 KiB), the trash to empty.\n"))
    plan.storage.trash = .zero
    plan.actions = [try ReportSamples.step("gone", .remove, .leftManifest, bytes: 300, path: "mix/GONE.mp3")]
    #expect(text(plan).contains("\n  ! not into the trash         the trash is emptied, as room is needed"))
    #expect(
      text(plan).contains("\nEvicting\n  - the trash                  with what is removed now: room is needed\n"))
  }

  @Test("with nothing to do it is two lines")
  func nothing() throws {
    var plan = try ReportSamples.plan()
    (plan.steps, plan.warnings) = (plan.steps.filter(\.isKept), [])
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
    let known = try ReportSamples.step("a", .download, .new, bytes: 512)
    let unknown = try ReportSamples.step("b", .download, .new, bytes: nil)
    for (changes, words) in [
      ([known], "1 to download (512 B)."), ([known, unknown], "2 to download (512 B and 1 of unknown size)."),
      ([unknown], "1 to download (of unknown size)."), ([unknown, unknown], "2 to download (of unknown sizes)."),
    ] {
      plan.actions = changes
      #expect(text(plan).contains("\nPlan: \(words)\n"))
    }
  }

  @Test("a heading says of how many it does not know the size")
  func unknownInHeading() throws {
    var plan = try ReportSamples.plan()
    let known = try ReportSamples.step("a", .download, .new, bytes: 512)
    let unknown = try ReportSamples.step("b", .download, .new, bytes: nil)
    for (changes, words) in [
      ([known], "1 item, 512 B"), ([known, unknown], "2 items, 512 B, 1 of unknown size"),
      ([unknown], "1 item, of unknown size"),
    ] {
      plan.actions = changes
      #expect(text(plan).hasPrefix("Coming: \(words)\n"))
    }
  }

  @Test("a group stays whole, however long it is")
  func long() throws {
    var plan = try ReportSamples.plan()
    plan.actions = try (0..<2000).map {
      try ReportSamples.step("i\($0)", .download, .new, bytes: 1, path: "mix/\($0)")
    }
    #expect(text(plan).split(separator: "\n").count { $0.hasPrefix("  + mix/") } == 2000)
  }

  @Test("what --no-download holds back is not nothing to do")
  func heldBack() throws {
    var plan = try ReportSamples.plan()
    (plan.actions, plan.heldBack) = ([], 2)
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

  @Test("where there is no terminal to fit, a long name is whole, and moves nothing but its own line")
  func whole() throws {
    var plan = try ReportSamples.plan()
    let long = String(repeating: "日", count: 40)
    let short = String(repeating: "日", count: 20)
    plan.actions = [
      try ReportSamples.step("a", .download, .new, bytes: 1, path: long),
      try ReportSamples.step("b", .download, .new, bytes: 1, path: short),
    ]
    let lines = PlanText(plan, style: TextStyle(hasColor: false)).text.split(separator: "\n")
    #expect(lines[1] == "  + \(long)  1 B  new")
    #expect(lines[2] == "  + \(short)\(String(repeating: " ", count: 12))  1 B  new")
  }

  @Test("a wide terminal has room for longer reasons")
  func reasons() throws {
    var plan = try ReportSamples.plan()
    let long = String(repeating: "n", count: 150)
    plan.actions = [try ReportSamples.step("a", .evict, .orphanEvicted, bytes: 3 << 20, path: long)]
    for (columns, isWhole) in [(120, true), (80, false)] {
      let lines = PlanText(plan, style: TextStyle(hasColor: false, columns: columns)).text.split(separator: "\n")
      #expect(lines[1].hasSuffix("  no playlist names it, and room is needed") == isWhole)
      #expect(String(lines[1]).columns < columns)
    }
  }

  @Test("on a terminal names take what is left beside their bytes and reasons", arguments: [80, 120, 200])
  func terminal(columns: Int) throws {
    var plan = try ReportSamples.plan()
    let long = String(repeating: "n", count: 150)
    plan.actions = [
      try ReportSamples.step("a", .evict, .lowestScore, bytes: 3 << 20, path: long),
      try ReportSamples.step("b", .download, .new, bytes: 1, path: "b"),
    ]
    let lines = PlanText(plan, style: TextStyle(hasColor: false, columns: columns)).text.split(separator: "\n")
    #expect(lines[1].hasSuffix("  least used, and room is needed"))
    #expect(String(lines[1]).columns == min(max(columns - 1, 66), 196))
    #expect(lines[1].contains("…") == (columns < 200))
  }
}
