// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("report and health tell about past runs", .timeLimit(.minutes(5)))
struct PastRunsTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    server.serveAudio("a", "b", "c")
    try declare()
  }

  private func declare(_ more: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 1, backoff: { initial: 0s, max: 0s }, network: { allow_private: true } }
      \(more)
      playlists:
        road:
          title: Road & rail
          items:
            - { id: one, title: "One <b>", url: "\(server.url("/a.mp3"))" }
            - { id: two, title: Two, url: "\(server.url("/b.mp3"))" }
            - { id: gone, title: Gone, url: "\(server.url("/gone.mp3"))" }
      """)
  }

  private func show(_ name: String, _ options: String..., status: Int32 = 0) throws -> CommandResult {
    let result = try home.command(name, options: options).run()
    #expect(result.ending == .exited(status), "\(result.standardError)")
    return result
  }

  @Test("before the first run there is nothing to tell")
  func none() throws {
    #expect(try show("report").standardOutput == "manifest: no run is on record\n")
    #expect(try show("health").standardOutput == "manifest: no run is on record\n")
    #expect(try JSONValue(show("report", "--json").stdout)[path: "reports.count"] == .number(0))
    #expect(try JSONValue(show("health", "--json").stdout)[path: "runs"] == .number(0))
    #expect(try show("report", "--format", "html").standardOutput.contains("No run is on record."))
  }

  @Test("a line for each run, then the problems of the last one")
  func text() throws {
    _ = try home.run()
    _ = try home.run()
    let lines = try show("report").standardOutput.split(separator: "\n")
    #expect(lines.first == "manifest: 2 runs")
    #expect(lines[1].contains("partial (exit 3): 2 downloaded, 1 failed, "))
    #expect(lines[2].contains("partial (exit 3): 1 failed in an earlier run, "))
    #expect(lines.contains("Problems of the last run"))
    #expect(lines.contains("  ! Gone: the server answered 404 (not found)"))
    #expect(lines.last?.hasPrefix("Library then: ") == true)
    let last = try show("report", "--last", "1").standardOutput
    #expect(last.hasPrefix("manifest: the last 1 of 2 runs\n"))
  }

  @Test("the JSON has each report as the run wrote it")
  func json() throws {
    let (result, _) = try home.run()
    let (_, second) = try home.run()
    let printed = try JSONValue(show("report", "--json").stdout)
    let first = try JSONValue(result.stdout)
    #expect(printed[path: "reports.0"] == first)
    #expect(printed[path: "reports.1"] == second)
    #expect(printed[path: "reports.0.items[id=one].title"] == .string("One <b>"))
    #expect(printed[path: "reports.0.items[id=one].playlist"] == .string("road"))
    #expect(printed[path: "reports.0.items[id=gone].host"] == .string("127.0.0.1"))
  }

  @Test("health counts what completed, what was repeated, and what a later run fetched")
  func health() throws {
    // One answers 503 once, and is fetched by the second try. Two answers 503 in the whole first run.
    server.script("/a.mp3", [.status(503), .honest])
    server.script("/b.mp3", [.status(503), .status(503), .honest])
    let (first, _) = try home.run()
    #expect(first.ending == .exited(3))
    _ = try home.run()
    let health = try JSONValue(show("health", "--json").stdout)
    #expect(health[path: "runs"] == .number(2))
    // One; Two failed and was fetched; Gone failed.
    #expect(health[path: "success.all"] == .number(4) && health[path: "success.good"] == .number(2), "\(health)")
    #expect(health[path: "success.reached"] == .bool(false))
    #expect(health[path: "retry.all"] == .number(2) && health[path: "retry.good"] == .number(1), "\(health)")
    #expect(health[path: "recovery.all"] == .number(1) && health[path: "recovery.good"] == .number(1), "\(health)")
    #expect(health[path: "failures.count"] == .number(2))
    let text = try show("health").standardOutput
    #expect(text.contains("  Success    50.0 %  2 of 4 transfers completed, less than the 99.5 % aimed for\n"))
    #expect(text.contains("  Recovery  100.0 %  1 of 1 items"), "\(text)")
    #expect(text.contains("1 × http 404 at 127.0.0.1"))
  }

  @Test("a damaged report is named and left out, and no other is lost")
  func damaged() throws {
    _ = try home.run()
    let names = try FileTree.files("\(home.state)/reports", hidden: true)
    let name = try #require(names.first)
    try FileBytes.write("{\"format\":\"syncjob-report\",\"version\":1,", to: "\(home.state)/reports/\(name)")
    try FileBytes.write("{\"format\":\"syncjob-report\",\"version\":2}", to: "\(home.state)/reports/0.json")
    _ = try home.run()
    for command in ["report", "health"] {
      let result = try show(command)
      #expect(result.standardError.contains("cannot read the report of a run, \"\(name)\": line 1"))
      #expect(result.standardError.contains("\"0.json\": it has version 2, and version 1 is known; it is left out"))
      #expect(
        result.standardOutput.hasPrefix(command == "report" ? "manifest: the last 1 of 3 runs" : "manifest: 1 run on"))
    }
  }

  @Test("wrong options are refused")
  func refused() throws {
    for (options, words) in [
      (["--last", "0"], "--last"), (["--last", "31"], "--last"), (["--format", "pdf"], "--format"),
      (["--json", "--format", "html"], "name different formats"),
      (["-o", home.folder.file("x")], "text goes to stdout"),
    ] {
      let result = try home.command("report", options: options).run()
      #expect(
        result.ending == .exited(64) && result.standardError.contains(words), "\(options) \(result.standardError)")
    }
    let manifest = try FileBytes.read(home.manifest)
    let result = try home.command("report", options: ["--format", "html", "-o", home.manifest]).run()
    #expect(result.ending == .exited(64))
    #expect(try FileBytes.read(home.manifest) == manifest)
  }

  @Test("report.html is written by each run, also by one without anything to do, and replaces no other file")
  func page() throws {
    let path = home.folder.file("page.html")
    try declare("report: { html: ./page.html }")
    _ = try home.run()
    let first = try FileBytes.text(path)
    #expect(first.contains("One &lt;b&gt;") && first.contains("Road &amp; rail") && !first.contains("<b>"))
    _ = try home.run()
    let second = try FileBytes.text(path)
    #expect(second != first && second.contains("How the transfers of 2 runs went"))
    // In the library, a file of somebody stays.
    try declare("report: { html: ./library/mine.html }")
    try FileBytes.write("<!DOCTYPE html>\n<html>mine</html>", to: "\(home.library)/mine.html")
    let (_, report) = try home.run()
    #expect(try FileBytes.text("\(home.library)/mine.html").contains("mine"))
    #expect("\(report)".contains("report.html: "))
    try declare("report: { html: ./library/.syncjob/page.html }")
    #expect(try home.command("validate").run().standardError.contains("\"report.html\" names a file among those"))
  }
}

@Suite("the page of reports in a browser", .timeLimit(.minutes(5)), .requires(.chromium), .requires(.chromedriver))
struct ReportPageTests {
  private func page(of home: LibraryFixture) throws -> String {
    let path = home.folder.file("page.html")
    let result = try home.command("report", options: ["--format", "html", "-o", path]).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    return path
  }

  /// Opens the page and checks what holds for every page.
  private func open(_ path: String, _ browser: Browser) throws {
    for (width, isDark) in [(320, false), (320, true), (1280, true), (1280, false)] {
      try browser.show(width: width, height: 900, isDark: isDark)
      try browser.open("file://\(path)")
      // Nothing is requested, refused or thrown.
      let console = try browser.console()
      #expect(console == #"{"value":[]}"#, "\(console)")
      #expect(try browser.run("return performance.getEntriesByType('resource').length").contains(":0}"))
      // The page does not scroll sideways, and what is wider than it does by itself.
      #expect(
        try browser.run("return document.scrollingElement.scrollWidth <= window.innerWidth").contains(":true}"),
        "\(width) wide")
      let colour = try browser.run("return getComputedStyle(document.body).backgroundColor")
      #expect(colour.contains(isDark ? "rgb(21, 24, 28)" : "rgb(255, 255, 255)"))
    }
    // Landmarks, a heading for each section, a caption for each table, a name for each picture.
    #expect(
      try browser.run("return document.querySelectorAll('header, main, footer, nav[aria-label]').length").contains(
        ":4}"))
    #expect(
      try browser.run(
        "return document.querySelectorAll('section:not([aria-labelledby]), table:not(:has(caption))').length"
      )
      .contains(":0}"))
    #expect(
      try browser.run("return document.querySelectorAll('svg:not([aria-label]):not([aria-hidden])').length").contains(
        ":0}"))
  }

  @Test("of a small library asks for nothing, and fits each width and both colour schemes")
  func small() throws {
    let (home, server) = (try LibraryFixture(), try FaultServer())
    server.serveAudio("a")
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      storage: { budget: 1GB }
      playlists:
        road: { items: [{ id: one, title: "<script>alert(1)</script>", url: "\(server.url("/a.mp3"))" },
          { id: gone, title: "\\u202EGone", url: "\(server.url("/gone.mp3"))" }] }
        talk: { feed: "\(server.url("/gone.xml"))" }
      """)
    _ = try home.run()
    let browser = try Browser()
    try open(page(of: home), browser)
    #expect(try browser.run("return document.querySelectorAll('script').length").contains(":1}"))
    #expect(try browser.run("return document.querySelectorAll('#all tbody tr').length").contains(":2}"))
  }

  @Test("with 10,000 lines is there in a second, and its search finds one of them")
  func large() throws {
    let home = try LibraryFixture()
    try home.declare("playlists: { road: { items: [] } }")
    _ = try home.run()
    let items = (0..<10_000).map { number in
      """
      {"id":"item-\(number)","title":"Title \(number)","playlist":"road","action":"download","outcome":"completed",\
      "reason":"new","reason_text":"new","path":"road/Title \(number).mp3","bytes":\(number * 1000),"seconds":1.5,\
      "attempts":1,"candidate":0}
      """
    }
    try FileBytes.write(
      """
      {"format":"syncjob-report","version":1,"run_id":"20990101T000000Z-1","name":"manifest",\
      "started_at":"2026-06-01T00:00:00Z","finished_at":"2026-06-01T00:00:09Z","seconds":9,"outcome":"ok",\
      "exit_status":0,"totals":{"downloaded":10000},"storage":null,"sources":[],"items":[\(items.joined(separator: ","))],\
      "warnings":[]}
      """, to: "\(home.state)/reports/20990101T000000Z-1.json")
    let browser = try Browser()
    try open(page(of: home), browser)
    #expect(try browser.run("return document.querySelectorAll('#all tbody tr').length").contains(":10000}"))
    _ = try browser.run(
      "var f = document.getElementById('search'); f.value = 'title 1234'; f.dispatchEvent(new Event('input'))")
    var found = ""
    for _ in 0..<200 where !found.contains("shown") {
      usleep(50_000)
      found = try browser.run("return document.getElementById('found').textContent")
    }
    #expect(found.contains("1 of 10000 shown"))
    #expect(try browser.run("return document.querySelectorAll('#all .scroll:not([hidden])').length").contains(":1}"))
  }
}
