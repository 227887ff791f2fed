// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

@Suite("report.metrics shows each run to Prometheus")
struct MetricsTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private var path: String { home.folder.file("metrics/syncjob.prom") }

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    for name in ["a", "b", "c"] { server.serveAudio(name) }
    server.serve("/feed.xml", Resource(bytes: Array(feed(["a", "b"]).utf8), contentType: "application/rss+xml"))
  }

  private func feed(_ names: [String]) -> String {
    let items = names.map { name in
      let enclosure = "<enclosure url='\(server.url("/\(name).mp3"))' type='audio/mpeg'/>"
      return "<item><title>\(name)</title><guid>\(name)</guid>\(enclosure)</item>"
    }
    return "<rss version='2.0'><channel><title>Mix</title>\(items.joined())</channel></rss>"
  }

  private func declare(_ sections: String = "", name: String = "car", metrics: String? = "./metrics/syncjob.prom")
    throws
  {
    try home.declare(
      """
      name: \(name)
      downloads: { retries: 0, network: { allow_private: true } }
      report: { metrics: \(metrics ?? "none") }
      \(sections)
      playlists: { mix: { feed: "\(server.url("/feed.xml"))" } }
      """)
  }

  /// The values by metric and labels, without the label of the job.
  private func metrics() throws -> [String: String] {
    var values: [String: String] = [:]
    for line in try FileBytes.text(path).split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ")
      let key = parts.dropLast().joined(separator: " ").replacing("{name=\"car\"}", with: "")
        .replacing("{name=\"car\",", with: "{").replacing("syncjob_", with: "")
      #expect(values.updateValue(String(parts.last ?? ""), forKey: key) == nil, "twice: \(line)")
    }
    return values
  }

  private func checked() throws -> CommandResult {
    var check = try #require(Tool.promtool.command(["check", "metrics"]))
    check.input = .bytes(try FileBytes.read(path))
    return try check.run()
  }

  @Test("the run, the items, the room, the totals and the sources")
  func contents() throws {
    try declare("storage: { budget: 10 MB }")
    #expect(try home.run().result.ending == .exited(0))
    let first = try metrics()
    #expect(first["last_run_exit_status"] == "0")
    #expect(Double(first["last_run_duration_seconds"] ?? "").map { $0 > 0 } == true)
    let end = try #require(first["last_run_timestamp_seconds"])
    #expect(Int(end).map { abs($0 - time(nil)) < 600 } == true)
    #expect(first["last_success_timestamp_seconds"] == end)
    #expect(first["items{state=\"completed\"}"] == "2" && first["items{state=\"failed\"}"] == "0")
    #expect(first["budget_bytes"] == "10000000" && Int(first["free_bytes"] ?? "") != nil)
    #expect(first["library_bytes"] == first["downloaded_bytes_total"] && first["library_bytes"] != "0")
    #expect(first["downloaded_items_total"] == "2" && first["evicted_items_total"] == "0")
    #expect(first["failed_items_total"] == "0" && first["retries_total"] == "0")
    let read = try #require(first["source_last_success_timestamp_seconds{playlist=\"mix\"}"])
    #expect(read <= end && first["source_last_change_timestamp_seconds{playlist=\"mix\"}"] == read)
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o644)
    #expect(try FileTree.files(home.folder.file("metrics"), hidden: true) == ["syncjob.prom"])
  }

  @Test("totals grow over the runs, and stay after a run with nothing to do")
  func totals() throws {
    try declare()
    _ = try home.run()
    _ = try home.run()
    #expect(try metrics()["downloaded_items_total"] == "2")
    server.serve(
      "/feed.xml", Resource(bytes: Array(feed(["a", "b", "c", "d"]).utf8), contentType: "application/rss+xml"))
    server.script("/d.mp3", [.status(404)])
    #expect(try home.run().result.ending == .exited(3))
    let third = try metrics()
    #expect(third["downloaded_items_total"] == "3" && third["failed_items_total"] == "1")
    #expect(third["items{state=\"failed\"}"] == "1" && third["last_run_exit_status"] == "3")
  }

  @Test("they count from the first run, also without report.metrics")
  func fromTheFirst() throws {
    try declare(metrics: nil)
    _ = try home.run()
    try declare()
    _ = try home.run()
    #expect(try metrics()["downloaded_items_total"] == "2")
  }

  @Test("the last success stays until the next one; before the first it is 0")
  func success() throws {
    server.script("/feed.xml", [.status(404)])
    try declare()
    #expect(try home.run().result.ending == .exited(3))
    let first = try metrics()
    #expect(first["last_success_timestamp_seconds"] == "0" && first["last_run_timestamp_seconds"] != "0")
    #expect(first["source_last_success_timestamp_seconds{playlist=\"mix\"}"] == "0")
    server.script("/feed.xml", [])
    server.serve("/feed.xml", Resource(bytes: Array(feed(["a"]).utf8), contentType: "application/rss+xml"))
    _ = try home.run()
    let success = try metrics()["last_success_timestamp_seconds"]
    #expect(success != "0")
    server.script("/feed.xml", [.status(404)])
    _ = try home.run()
    let last = try metrics()
    #expect(last["last_success_timestamp_seconds"] == success && last["last_run_exit_status"] == "3")
  }

  @Test("a run that comes to no report changes the last run and nothing else")
  func noReport() throws {
    try declare()
    _ = try home.run()
    let before = try metrics()
    try FileTree.remove("\(home.state)/lock")
    try FileBytes.write("", to: "\(home.state)/lock/file")
    let result = try home.command("run").run()
    #expect(result.ending == .exited(1), "\(result.standardError)")
    var after = try metrics()
    #expect(after["last_run_exit_status"] == "1")
    for key in ["exit_status", "timestamp_seconds", "duration_seconds"].map({ "last_run_\($0)" }) {
      after[key] = before[key]
    }
    #expect(after == before)
    if Tool.promtool.isInstalled { #expect(try checked().ending == .exited(0)) }
  }

  @Test("a file of somebody else is not replaced, which is a warning")
  func stranger() throws {
    try declare(metrics: "./library/mine.prom")
    try FileBytes.write("mine", to: "\(home.library)/mine.prom")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(4) && "\(report)".contains("report.metrics: "), "\(report)")
    #expect(try FileBytes.text("\(home.library)/mine.prom") == "mine")
    try declare(metrics: "./library/.syncjob/syncjob.prom")
    let check = try home.command("validate").run()
    #expect(check.standardError.contains("\"report.metrics\" names a file among those"))
  }

  @Test("promtool has nothing to complain about, whatever the names", .requires(.promtool))
  func promtool() throws {
    try declare("storage: { budget: 10 MB }", name: #"'Über "quoted" \ {a=b} 🎧'"#)
    #expect(try home.run().result.ending == .exited(0))
    let result = try checked()
    #expect(result.ending == .exited(0), "\(result.standardOutput)\(result.standardError)")
    #expect(result.standardOutput.isEmpty && result.standardError.isEmpty)
  }

  @Test("promtool accepts the alerts of the manual", .requires(.promtool))
  func alerts() throws {
    let block = try #require(try ManualPage("monitoring.md").blocks("yaml").first { $0.hasPrefix("groups:") })
    let rules = home.folder.file("rules.yaml")
    try FileBytes.write(block, to: rules)
    let result = try #require(Tool.promtool.command(["check", "rules", rules])).run()
    #expect(result.ending == .exited(0) && result.standardOutput.contains("2 rules found"), "\(result.standardError)")
  }

  @Test("node-exporter shows every sample", .requires(.nodeExporter))
  func nodeExporter() throws {
    try declare()
    _ = try home.run()
    let exporter = try NodeExporter(showing: home.folder.file("metrics"))
    let shown = exporter.metrics()
    #expect(shown.contains("node_textfile_scrape_error 0"))
    for line in try FileBytes.text(path).split(separator: "\n") where line.contains("playlist=") || line.hasPrefix("#")
    {
      let sample = line.split(separator: " ").first.map(String.init) ?? ""
      #expect(shown.contains { $0.hasPrefix(sample) }, "\(line)")
    }
    #expect(shown.contains("syncjob_downloaded_items_total{name=\"car\"} 2"))
  }
}
