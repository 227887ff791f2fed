// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("a full library with a daily feed")
struct FullLibraryTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let audio: [UInt8]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    audio = GeneratedAudio(title: "daily", seconds: 1, seed: 1).bytes
  }

  private func declare(order: String) throws {
    // Room for ten files, and for eight below the target.
    try home.declare(
      """
      storage: { budget: \(audio.count * 10 + audio.count / 2), evict: { trigger: 100%, target: 80% } }
      downloads: { network: { allow_private: true } }
      playlists:
        daily: { feed: "\(server.url("/daily.xml"))", select: { initial: all, order: \(order) } }
      """)
  }

  /// Publishes episodes 1 to `count`, one a day up to that day of January.
  private func publish(_ count: Int) {
    let entries = (1...count).reversed().map { number in
      let day = number < 10 ? "0\(number)" : "\(number)"
      return """
        <item><title>Episode \(day)</title><guid>e\(day)</guid><pubDate>\(day) Jan 2030 05:00:00 +0000</pubDate>
        <enclosure url="\(server.url("/\(day).mp3"))" type="audio/mpeg" length="\(audio.count)"/></item>
        """
    }
    for number in 1...count {
      server.serve("/\(number < 10 ? "0\(number)" : "\(number)").mp3", Resource(bytes: audio))
    }
    let document = "<rss version=\"2.0\"><channel><title>Daily</title>\(entries.joined())</channel></rss>"
    server.serve("/daily.xml", Resource(bytes: Array(document.utf8)))
  }

  private func episodes() throws -> [String] {
    try FileTree.files(home.library, hidden: false).filter { $0.hasSuffix(".mp3") }.map {
      String($0.dropLast(4).suffix(2))
    }.sorted()
  }

  /// - Parameter hour: The first run begins early, so that its files are older than `evict.min_age` a day later however
  /// long it took.
  private func run(day: Int, hour: String = "06") throws -> JSONValue {
    let result = try home.command("run", "--json", "--now", "2030-01-\(day)T\(hour):00:00Z").run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    return try JSONValue(result.stdout)
  }

  @Test("fetches each new episode once, and only older ones go for it")
  func newest() throws {
    try declare(order: "newest")
    publish(20)
    _ = try run(day: 20, hour: "05")
    #expect(try episodes() == (11...20).map { "\($0)" })
    for day in 21...28 {
      publish(day)
      let report = try run(day: day)
      #expect(report[path: "totals.downloaded"] == .number(1), "day \(day)")
      let again = try run(day: day)
      #expect(again[path: "totals.downloaded"] == .number(0) && again[path: "totals.evicted"] == .number(0))
      let here = try episodes()
      #expect(here == Array((1...day).map { $0 < 10 ? "0\($0)" : "\($0)" }.suffix(here.count)), "day \(day)")
    }
    // The status says which room is held back for those that were evicted, and until when.
    let now = "2030-01-28T07:00:00Z"
    let status = try JSONValue(home.command("status", "--json", "--now", now).run().stdout)
    #expect(status[path: "storage.held_back.until"] != nil, "\(status)")
    let text = try home.command("status", "--now", now).run().standardOutput
    #expect(text.contains(" of the room are reserved until 2030-02-0"), "\(text)")
    #expect(server.requests(to: "/10.mp3").isEmpty, "what was left out at first stays out")
  }

  @Test("of a story that is told from the beginning keeps the beginning")
  func story() throws {
    try declare(order: "oldest")
    publish(20)
    _ = try run(day: 20, hour: "05")
    for day in 21...24 {
      publish(day)
      let report = try run(day: day)
      #expect(report[path: "totals.downloaded"] == .number(0), "day \(day)")
    }
    #expect(try episodes() == (1...10).map { $0 < 10 ? "0\($0)" : "\($0)" })
  }

  @Test("pins that turn out too large for the budget end the first run with 4, as the second")
  func pins() throws {
    server.serveAudio("a", "b")
    try home.declare(
      """
      storage: { budget: \(audio.count * 3 / 2) }
      downloads: { network: { allow_private: true } }
      playlists:
        pinned:
          pin: true
          items:
            - { id: a, url: "\(server.url("/a.mp3"))" }
            - { id: b, url: "\(server.url("/b.mp3"))" }
      """)
    for _ in 1...2 {
      let result = try home.run().result
      #expect(result.ending == .exited(4), "\(result.standardError)")
    }
  }
}
