// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// Feeds with parts that exceed every limit.
@Suite("a feed that is outsized")
struct OutsizedFeedTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws { (home, server) = try LibraryFixture.hearingTalk() }

  private static let item = "<item><title>A</title><guid>a</guid><enclosure url=\"/a.mp3\" type=\"audio/mpeg\"/></item>"

  private func serve(_ content: String) {
    let text = "<rss version=\"2.0\"><channel><title>Talk</title>\(Self.item)\(content)</channel></rss>"
    server.serve("/talk.xml", Resource(bytes: Array(text.utf8), contentType: "application/rss+xml"))
  }

  private func run(upTo limitKiB: Int = 80 << 10) throws -> (result: CommandResult, report: JSONValue) {
    let run = try home.command("run", "--json").start()
    let watch = try ProcessWatch(run.pid) { 0 }
    let result = run.wait(timeout: 120)
    let peak = watch.samples.map(\.peakKiB).max() ?? 0
    #expect(peak < limitKiB, "\(peak) KiB")
    return (result, try JSONValue(result.stdout))
  }

  /// The part of the feed that is too large.
  enum Excess: String, CaseIterable, Sendable {
    case levels, openTags, attributes, namespaces, value, comment

    var content: String {
      switch self {
      case .levels: String(repeating: "<a>", count: 100_000)
      case .openTags: String(repeating: "<a>", count: 90) + String(repeating: "<b x='", count: 100_000)
      case .attributes: "<a \((0..<100_000).map { "a\($0)='' " }.joined())/>"
      case .namespaces: "<a \((0..<100_000).map { "xmlns:a\($0)='x' " }.joined())/>"
      case .value: "<a b='\(String(repeating: "x", count: 30 << 20))'/>"
      case .comment: "<!--\(String(repeating: "x", count: 30 << 20))-->"
      }
    }

    var words: String {
      switch self {
      case .levels: "more than is accepted: 100 levels"
      case .attributes, .namespaces, .openTags: "more than is accepted: 256 attributes"
      case .value, .comment: "breaks off or is damaged"
      }
    }
  }

  @Test("gives what came before the part that is too much, and says which bound it exceeds", arguments: Excess.allCases)
  func bounded(_ excess: Excess) throws {
    serve(excess.content)
    let (result, report) = try run()
    #expect(result.ending == .exited(3) || result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    let warning = report[path: "warnings.0"]?.description ?? ""
    #expect(warning.contains(excess.words), "\(warning)")
  }

  @Test("is read when its texts are long, and they are cut while they are read")
  func longTexts() throws {
    let long = String(repeating: "long ", count: 4 << 20)
    serve(
      """
      <item><title>\(long)</title><guid>\(long)</guid><pubDate>\(long)</pubDate><description>\(long)</description>
      <enclosure url="/a.mp3?b" type="audio/mpeg"/></item>
      """)
    let (result, report) = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(2))
    #expect(try home.queueFile().count < 16 << 10)
  }

  @Test("is read when it has a hundred thousand entries, of which few are held and ten thousand are listed")
  func manyEntries() throws {
    let count = 100_000
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { talk: { feed: "\(server.url("/talk.xml"))", select: { initial: 1 } } }
      """)
    let entries = (1...count).map { number in
      """
      <item><title>Episode \(number), with a title of the usual length</title>
      <guid>6f9619ff-8b86-d011-b42d-\(number)</guid>
      <enclosure url="https://media.example.org/shows/talk/2024/episode-\(number).mp3" type="audio/mpeg"/></item>
      """
    }
    serve(entries.joined())
    let result = try home.command("plan", "--json").run(timeout: 120)
    let plan = try JSONValue(result.stdout)
    #expect(plan[path: "passed_over.count"] == .number(10_000))
    #expect(plan[path: "passed_over_omitted"] == .number(Double(count - 10_000)))
    let text = try home.command("plan").run(timeout: 120).standardOutput
    #expect(text.contains("Skipped: \(count) items, \(count) by select.initial"), "\(text)")
    let (run, report) = try run(upTo: 120 << 10)
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
  }

  @Test("is read when a URL is longer than 8 KiB, and that entry is a flaw")
  func longURL() throws {
    let path = String(repeating: "b", count: 9 << 10)
    serve("<item><title>B</title><enclosure url=\"/\(path).mp3\" type=\"audio/mpeg\"/></item>")
    let (result, report) = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect(report[path: "sources.0.flaws.0.kind"] == .string("bad_url"), "\(report[path: "sources"] ?? .null)")
    #expect(try home.queueFile().count < 4 << 10)
  }
}
