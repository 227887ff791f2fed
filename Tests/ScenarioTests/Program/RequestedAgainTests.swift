// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// Items that a person asks for but the manifest does not want.
@Suite("what is asked for by command and would not be fetched")
struct RequestedAgainTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b", "c")
    try publish(["a", "b", "c"])
    try declare("select: { initial: all, exclude: { title: \"*b\" } }")
    #expect(try run().ending == .exited(0))
  }

  /// Episodes of the first days of November 2020.
  private func publish(_ names: [String]) throws {
    let items = names.enumerated().map { day, name in
      """
      <item><guid>\(name)</guid><title>Part \(name)</title><pubDate>0\(day + 1) Nov 2020 06:00:00 GMT</pubDate>
      <enclosure url="\(server.url("/\(name).mp3"))" type="audio/mpeg"/></item>
      """
    }
    server.serve(
      "/feed.xml",
      Resource(text: "<rss version=\"2.0\"><channel>\(items.joined())</channel></rss>", contentType: "text/xml"))
  }

  private func declare(_ rules: String) throws {
    try home.declare(
      """
      downloads: { network: { allow_private: true } }
      playlists:
        news:
          feed: \(server.url("/feed.xml"))
          \(rules)
      """)
  }

  private func run() throws -> CommandResult { try home.command("run").run() }

  /// Checks that nothing is changed and no server is asked.
  private func expectRefusal(
    _ command: String..., words: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let (queue, asked) = (try home.queueFile(), server.requests.count)
    let result = try Command(
      home.command("run").executable, [command[0], "--manifest", home.manifest] + command.dropFirst()
    ).run()
    #expect(result.ending == .exited(64), sourceLocation: location)
    #expect(result.standardError == "syncjob: error: \(words)\n", sourceLocation: location)
    #expect(try home.queueFile() == queue && server.requests.count == asked, sourceLocation: location)
  }

  private static let rules = "select: { initial: all, exclude: { title: \"*b\" } }\n    retain: { drop_after: 1d }"

  @Test("a whole id means that item, though another's begins so")
  func wholeID() throws {
    server.serveAudio("b2")
    try publish(["a", "b", "c", "b2"])
    try declare("select: { latest: 9, initial: all, exclude: { title: \"Part b\" } }")
    #expect(try run().ending == .exited(0))
    let before = try home.queueFile()
    for command in ["pin", "remove", "played", "cancel"] {
      let result = try Command(
        home.command("run").executable, [command, "--manifest", home.manifest, "news:b"]
      ).run()
      #expect(result.ending == .exited(64), "\(command) \(result.standardOutput)")
      #expect(result.standardError.contains("\"news:b\""), "\(command) \(result.standardError)")
    }
    #expect(try home.queueFile() == before)
    // A part of a name is still enough where nothing has exactly that name.
    try home.edit("pin", "news:b2")
  }

  @Test("what retain let go is not queued again, and the way to have it is named and works")
  func dropped() throws {
    try declare(Self.rules)
    #expect(try run().ending == .exited(0))
    #expect(try home.list()["news:a"]?[path: "state"] == .string("removed"))
    let pin = "syncjob pin -m \(home.manifest) news:a"
    try expectRefusal(
      "retry", "news:a",
      words: "retain would drop \"news:a\" again at once: drop_after: 1d (playlists.news.retain); change the rule, or "
        + "have the item all the same with: \(pin)")
    try home.edit("pin", "news:a")
    #expect(try run().ending == .exited(0))
    #expect(try home.list()["news:a"]?[path: "state"] == .string("completed"))
    // The other file can still be restored from the trash.
    let undone = try home.command("undo").run()
    #expect(undone.standardOutput.contains("c.mp3"), "\(undone.standardOutput) \(undone.standardError)")
  }

  @Test("undo says that retain let a file go, and not that no playlist named it")
  func undo() throws {
    try declare(Self.rules)
    #expect(try run().ending == .exited(0))
    let undone = try home.command("undo").run()
    #expect(undone.ending == .exited(0), "\(undone.standardError)")
    #expect(
      undone.standardOutput.contains(
        "brought back; playlists.news.retain removed it, and will again unless its rule is changed; or pin it with: "
          + "syncjob pin -m \(home.manifest) news:a\n"),
      "\(undone.standardOutput)")
    #expect(!undone.standardOutput.contains("no playlist named it"))
  }

  @Test("what retain would drop at once can be pinned before it was ever fetched, and is fetched then")
  func pinnedUnfetched() throws {
    try publish(["a", "b", "c", "d"])
    server.serveAudio("d")
    try declare(Self.rules)
    #expect(try run().ending == .exited(0))
    #expect(try home.list()["news:d"] == nil)
    try expectRefusal(
      "retry", "news:d",
      words: "\"news:d\" is skipped, so the queue file does not know it: retain would drop it at once "
        + "(drop_after: 1d); change that in playlists.news, or have it all the same with: "
        + "syncjob pin -m \(home.manifest) news:d")
    let pinned = try home.editing("pin", "Part d").run()
    #expect(pinned.ending == .exited(0) && pinned.standardOutput == "pinned \"news:d\"\n", "\(pinned.standardError)")
    #expect(pinned.standardError == "")
    for _ in 0..<2 {
      #expect(try run().ending == .exited(0))
      #expect(try home.list()["news:d"]?[path: "state"] == .string("completed"))
    }
  }

  @Test("what select.initial passed over once has no way back but an item of its own, and that is said")
  func initial() throws {
    try declare("select: { initial: all }")
    try FileTree.remove(home.library)
    try declare("select: { initial: 1 }")
    #expect(try run().ending == .exited(0))
    try declare("select: { initial: all }")
    #expect(try run().ending == .exited(0))
    #expect(try home.list().keys.sorted() == ["news:c"])
    for command in ["pin", "retry", "remove"] {
      try expectRefusal(
        command, "news:a",
        words: "\"news:a\" is skipped, so the queue file does not know it: select.initial skipped it when the "
          + "source was first read; that does not change any more; to have it, list it under `items` of a playlist of "
          + "its own")
    }
  }

  @Test("a pin that brings nothing back says so, and what does")
  func pinnedInVain() throws {
    try home.edit("remove", "news:a", "news:c")
    let first = try home.editing("pin", "news:a").run()
    #expect(first.ending == .exited(0) && first.standardOutput == "pinned \"news:a\"\n")
    #expect(
      first.standardError
        == "warning: \"news:a\" is pinned, but has no file, and no run fetches it: removed by command; bring it back "
        + "with: syncjob retry -m \(home.manifest) news:a\n")
    try publish(["b"])
    #expect(try run().ending == .exited(0))
    let second = try home.editing("pin", "news:c").run()
    #expect(
      second.standardError
        == "warning: \"news:c\" is pinned, but has no file, and no run fetches it: no playlist names it any more; name "
        + "it in the manifest again\n")
    #expect(
      try home.editing("explain", "news:c").run().standardOutput
        .contains("The next run would do nothing about it: no playlist names it.\n"))
  }

  @Test("undo says nothing of a rule to what is pinned since")
  func undoPinned() throws {
    try declare(Self.rules)
    #expect(try run().ending == .exited(0))
    try home.edit("pin", "news:a")
    let undone = try home.command("undo").run()
    let line = undone.standardOutput.split(separator: "\n").first { $0.contains("a.mp3") }
    #expect(line?.hasSuffix("brought back") == true, "\(undone.standardOutput)")
  }

  @Test(
    "an episode that select passed over is not unknown: the rule is named",
    arguments: ["retry", "pin", "played", "remove"])
  func passedOver(_ command: String) throws {
    for name in ["news:b", "Part b"] {
      try expectRefusal(
        command, name,
        words: "\"news:b\" is skipped, so the queue file does not know it: select.exclude.title matches; change that "
          + "in playlists.news, and the next run takes it up unless another rule forbids it")
    }
    try expectRefusal(
      command, "nobody", words: "no item is called \"nobody\"; see them with: syncjob list \(home.manifest)")
  }

  @Test("what select does not want any more, or no playlist names, is not queued again")
  func unwanted() throws {
    try home.edit("remove", "news:a", "news:c")
    try declare("select: { initial: all, latest: 1 }")
    try expectRefusal(
      "retry", "news:a",
      words:
        "\"news:a\" is skipped, so no run would fetch it: select.latest takes the newest 1 only; change that in "
        + "playlists.news")
    try home.edit("retry", "news:c")
    #expect(try home.list()["news:c"]?[path: "state"] == .string("queued"))
    try publish(["b", "c"])
    #expect(try home.command("run", "-q").run().ending == .exited(0))
    try expectRefusal(
      "retry", "news:a",
      words: "no playlist names \"news:a\" any more, so no run would fetch it; name it in the manifest again")
  }

  @Test("retry --all leaves out what would not be fetched, says so, and queues the rest")
  func all() throws {
    try publish(["a", "b", "c", "x", "y"])
    #expect(try run().ending == .exited(3))
    #expect(try home.list()["news:x"]?[path: "state"] == .string("failed"))
    try declare("select: { initial: all, exclude: { title: \"*y\" } }")
    let result = try Command(home.command("run").executable, ["retry", "--all", "-m", home.manifest]).run()
    #expect(result.ending == .exited(0))
    #expect(result.standardOutput == "queued again \"news:x\"\n")
    #expect(
      result.standardError
        == "warning: left out: \"news:y\" is skipped, so no run would fetch it: select.exclude.title matches; change "
        + "that in playlists.news; or give it up with: syncjob cancel -m \(home.manifest) news:y\n")
  }

  @Test("several items are played at once, each counted once, all or none")
  func played() throws {
    let result = try home.editing("played", "news:a", "news:c", "Part a", "--count", "2", "--json").run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let lines = try result.standardOutput.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    #expect(lines.map { $0[path: "id"] } == [.string("news:a"), .string("news:c")])
    #expect(lines.allSatisfy { $0[path: "play_count"] == .number(2) })
    #expect(try home.editing("played", "news:a", "nobody").run().ending == .exited(64))
    #expect(try home.list()["news:a"]?[path: "play_count"] == .number(2))
  }
}
