// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a source that cannot be read")
struct DeadSourceTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a")
    try declare()
  }

  private func declare(_ more: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { world: { feed: "\(server.url("/world.xml"))", select: { initial: all }\(more) } }
      """)
  }

  /// Runs the command on the given day.
  private func run(day: Int, _ command: String = "run") throws -> (status: CommandResult, report: JSONValue) {
    let time = "2090-01-0\(day)T06:00:00Z"
    let result = try home.command(command, "--json", "--now", time).run()
    try #require(!result.stdout.isEmpty, "\(result.ending) \(result.standardError)")
    return (result, try JSONValue(result.stdout))
  }

  private func publish(_ text: String) { server.serve("/world.xml", Resource(bytes: Array(text.utf8))) }

  private var feed: String {
    """
    <rss version="2.0"><channel><title>World</title><item><title>A</title><guid>a</guid>
    <enclosure url="\(server.url("/a.mp3"))" type="audio/mpeg"/></item></channel></rss>
    """
  }

  private var requests: Int { server.requests(to: "/world.xml").count }

  @Test("fails for good when its server refuses it, with what to do", arguments: [401, 403, 404])
  func refused(_ status: Int) throws {
    server.script("/world.xml", [.status(status)])
    for day in 1...2 {
      let (result, report) = try run(day: day)
      #expect(result.ending == .exited(3))
      #expect(report[path: "sources.0.temporary"] == .bool(false))
      #expect(report[path: "sources.0.failing_since"] == .string("2090-01-01T06:00:00Z"))
      let remedy =
        [401: "check the playlist's `auth`", 403: "look at the playlist's auth", 404: "source's new address"][status]
        ?? ""
      #expect(report[path: "warnings.0"]?.description.contains(remedy) == true, "\(report)")
    }
    #expect(requests == 2)
    #expect(try run(day: 3, "plan").status.ending == .exited(3))
  }

  @Test("that is gone for good is asked again only when the manifest has changed")
  func gone() throws {
    publish(feed)
    #expect(try run(day: 1).status.ending == .exited(0))
    server.script("/world.xml", [.status(410)])
    for day in 2...4 {
      let (result, report) = try run(day: day)
      #expect(result.ending == .exited(3))
      #expect(report[path: "totals.unchanged"] == .number(1))
      #expect(report[path: "sources.0.failing_since"] == .string("2090-01-02T06:00:00Z"))
      #expect(report[path: "sources.0.last_success_at"] == .string("2090-01-01T06:00:00Z"))
    }
    #expect(requests == 2)
    #expect(try run(day: 5, "plan").status.ending == .exited(3))
    #expect(requests == 2)
    try declare(", pin: true")
    #expect(try run(day: 5).status.ending == .exited(3))
    #expect(requests == 3)
    server.script("/world.xml", [])
    #expect(try run(day: 6).status.ending == .exited(3), "the manifest is the one of the refusal")
    try declare(", pin: false")
    #expect(try run(day: 7).status.ending == .exited(0))
  }

  @Test("of a server in trouble is tried again, however long it lasts", arguments: [500, 501, 503, 0])
  func temporary(_ status: Int) throws {
    server.script("/world.xml", [status == 0 ? .emptyReply : .status(status)])
    for day in 1...3 {
      let (result, report) = try run(day: day)
      #expect(result.ending == .exited(5))
      #expect(report[path: "sources.0.temporary"] == .bool(true))
    }
    #expect(requests == 3)
    #expect(try run(day: 4, "plan").status.ending == .exited(5))
    #expect(try home.command("plan", "--detailed-exitcode").run().ending == .exited(5))
  }

  static let unusable = [
    "<!DOCTYPE html><html><body>Log in</body></html>", "<opml/>", "",
    "{\"version\": 1}", "<rss><channel><title>World</title></channel></rss>",
    "<rss><channel><item><title>Post</title><guid>p</guid></item></channel></rss>",
    "<rss><channel><item><title>P</title><enclosure url=\"http://a.example/p.jpg\" type=\"image/jpeg\"/></item></channel></rss>",
  ]

  @Test("because its document is unusable fails for a day, then for good, until it is well", arguments: unusable)
  func document(_ text: String) throws {
    publish(feed)
    #expect(try run(day: 1).status.ending == .exited(0))
    publish(text)
    for (day, status) in [2: 5, 3: 5, 4: 3].sorted(by: { $0.key < $1.key }) {
      let (result, report) = try run(day: day)
      #expect(result.ending == .exited(Int32(status)), "day \(day): \(report[path: "warnings"] ?? .null)")
      #expect(report[path: "totals.unchanged"] == .number(1))
      #expect(report[path: "sources.0.failing_since"] == .string("2090-01-02T06:00:00Z"))
      let isTold = report[path: "warnings.0"]?.description.contains("since 2090-01-02T06:00:00Z") == true
      #expect(isTold == (status == 3))
    }
    publish(feed)
    let (result, report) = try run(day: 5)
    #expect(result.ending == .exited(0))
    #expect(report[path: "sources.0.failing_since"] == nil)
    #expect(report[path: "sources.0.last_success_at"] == .string("2090-01-05T06:00:00Z"))
    #expect(report[path: "sources.0.last_change_at"] == .string("2090-01-01T06:00:00Z"))
  }

  @Test("is shown by status: last success, last change, since when it fails, and why")
  func status() throws {
    let before = try statusText()
    #expect(before.contains("world  not read yet") && before.contains("  Sources   1 not read yet\n"), "\(before)")
    publish(feed)
    _ = try run(day: 1)
    _ = try run(day: 2)
    #expect(
      try statusText().contains("• world  last read 2090-01-02T06:00:00Z, last change 2090-01-01T06:00:00Z"))
    server.script("/world.xml", [.status(404)])
    _ = try run(day: 3)
    let text = try statusText()
    #expect(
      text.contains(
        "! world  failing since 2090-01-03T06:00:00Z: the source could not be fetched: the server answered 404"))
    #expect(text.contains("last read 2090-01-02T06:00:00Z"))
    #expect(text.hasPrefix("manifest: 1 source cannot be read\n"), "\(text)")
    #expect(text.contains("\n  Sources   1 cannot be read\n"), "\(text)")
    let json = try JSONValue(home.command("status", "--json").run().stdout)
    #expect(json[path: "sources.0.playlist"] == .string("world"))
    #expect(json[path: "sources.0.last_success_at"] == .string("2090-01-02T06:00:00Z"))
    #expect(json[path: "sources.0.last_change_at"] == .string("2090-01-01T06:00:00Z"))
    #expect(json[path: "sources.0.failing_since"] == .string("2090-01-03T06:00:00Z"))
    #expect(json[path: "sources.0.temporary"] == .bool(false))
    #expect(json[path: "sources.0.message"]?.description.contains("404") == true)
  }

  private func statusText() throws -> String { try home.command("status").run().standardOutput }

  @Test(
    "without anything usable is no success the first time either",
    arguments: unusable.filter { !$0.contains("<title>World") })
  func firstReading(_ text: String) throws {
    publish(text)
    #expect(try run(day: 1).status.ending == .exited(5))
    #expect(try run(day: 3).status.ending == .exited(3))
  }

  @Test("is not taken for one that has no entries yet, which is told at each reading")
  func bare() throws {
    publish("<rss><channel><title>World</title></channel></rss>")
    for day in 1...3 {
      let (result, report) = try run(day: day)
      #expect(result.ending == .exited(0))
      #expect(report[path: "warnings.0"]?.description.contains("the source has no entries") == true)
    }
  }

  @Test("is told when it has had nothing new for longer than report.stale_after", arguments: [true, false])
  func stale(_ isDated: Bool) throws {
    publish(isDated ? feed.replacing("<guid>", with: "<pubDate>Sun, 01 Jan 2090 00:00:00 GMT</pubDate><guid>") : feed)
    try home.declare(
      """
      downloads: { network: { allow_private: true } }
      report: { stale_after: 2d }
      playlists: { world: { feed: "\(server.url("/world.xml"))", select: { initial: all } } }
      """)
    let expected = isDated ? "the newest entry is from 2090-01-01" : "the entries have not changed since 2090-01-02"
    for day in 2...5 {
      let (result, report) = try run(day: day)
      #expect(result.ending == .exited(0))
      let warning = report[path: "warnings.0"]?.description
      let isStale = day > (isDated ? 2 : 4)
      #expect(warning?.contains(expected) ?? false == isStale, "\(day): \(warning ?? "none")")
    }
    publish(feed.replacing("<title>A", with: "<pubDate>Wed, 04 Jan 2090 00:00:00 GMT</pubDate><title>A"))
    #expect(try run(day: 5).report[path: "warnings.count"] == .number(0))
  }

  @Test(
    "for its form is read all the same: items beside the channel, RSS in a namespace of its own",
    arguments: [
      "<rss><item>ITEM</item></rss>", "<rss><channel><title>W</title></channel><item>ITEM</item></rss>",
      "<rss version=\"2.0\" xmlns=\"http://backend.userland.com/rss2\"><channel><item>ITEM</item></channel></rss>",
    ])
  func otherForms(_ text: String) throws {
    let item = "<title>A</title><guid>a</guid><enclosure url=\"\(server.url("/a.mp3"))\" type=\"audio/mpeg\"/>"
    publish(text.replacing("ITEM", with: item))
    let (result, report) = try run(day: 1)
    #expect(result.ending == .exited(0))
    #expect(report[path: "totals.downloaded"] == .number(1))
  }

  @Test("an image is an item only where match asks for its type")
  func images() throws {
    publish(
      feed.replacing(
        "</channel>",
        with: "<item><guid>i</guid><enclosure url=\"\(server.url("/a.mp3?i"))\" type=\"image/png\"/></item></channel>"))
    let (result, report) = try run(day: 1, "plan")
    #expect(result.ending == .exited(0))
    #expect(report[path: "changes.count"] == .number(1))
    try home.declare(
      """
      playlists:
        world: { feed: "\(server.url("/world.xml"))", select: { initial: all, match: { type: "image/*" } } }
      """)
    let plan = try run(day: 1, "plan").report
    #expect(plan[path: "changes[id=world:i].action"] == .string("download"))
  }

  @Test("an image passes the check of its contents where match asks for it, and fails where an episode was expected")
  func sniffedImages() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 9000)
    server.serve("/cover", Resource(bytes: png, contentType: "image/png"))
    publish(
      """
      <rss version="2.0"><channel><title>World</title><item><title>Map</title><guid>i</guid>
      <enclosure url="\(server.url("/cover"))" type="image/png"/></item></channel></rss>
      """)
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        world: { feed: "\(server.url("/world.xml"))", select: { initial: all, match: { type: "image/*" } } }
        plain: { items: [{ id: tape, title: Tape, url: "\(server.url("/cover"))" }] }
      """)
    let (result, report) = try run(day: 1)
    #expect(result.ending == .exited(3))
    #expect(report[path: "items[id=world:i].outcome"] == .string("completed"), "\(report)")
    #expect(
      report[path: "items[id=tape].error.message"]
        == .string("the server sent a picture where media was expected"), "\(report)")
    let path = try #require(try FileTree.files(home.library).first { $0.hasSuffix("Map.png") })
    #expect(try FileBytes.read("\(home.library)/\(path)") == png)
    let asked = server.requests(to: "/cover").count
    #expect(try run(day: 2).status.ending == .exited(3))
    #expect(server.requests(to: "/cover").count == asked, "neither of them is fetched again")
    #expect(try FileTree.files(home.library).contains(path))
  }
}
