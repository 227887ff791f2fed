// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("an episode of several playlists")
struct SharedEpisodeTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for number in 1...6 {
      let audio = GeneratedAudio(title: "\(number)", seconds: 1, seed: UInt64(number))
      server.serve("/\(number).mp3", Resource(bytes: audio.bytes))
    }
  }

  private func declare(_ playlists: String..., storage: String = "orphans: remove") throws {
    try home.declare(
      """
      storage: { \(storage) }
      downloads: { network: { allow_private: true } }
      playlists:
      \(playlists.map { "  " + $0 }.joined(separator: "\n"))
      """)
  }

  private func publish(
    _ numbers: some Sequence<Int>, at path: String = "/world.xml", guids: Bool = true, prefix: String = ""
  ) {
    let items = numbers.map { number in
      """
      <item><title>Part \(number)</title>\(guids ? "<guid>\(prefix)\(number)</guid>" : "")
      <pubDate>Mon, 0\(number) Jun 2026 08:10:00 +0000</pubDate>
      <enclosure url="\(server.url("/\(number).mp3"))" type="audio/mpeg"/></item>
      """
    }
    let document = "<rss version=\"2.0\"><channel><title>World</title>\(items.joined())</channel></rss>"
    server.serve(path, Resource(bytes: Array(document.utf8)))
  }

  private var feed: String { "feed: \"\(server.url("/world.xml"))\"" }

  private func media() throws -> [String] {
    try FileTree.files(home.library, hidden: false).filter { $0.hasSuffix(".mp3") }
  }

  private var fetched: [String] { server.requests.map(\.path).filter { $0.hasSuffix(".mp3") }.sorted() }

  @Test("is stored once, laid out by the first that wants it, and referred to by all", arguments: [true, false])
  func once(guids: Bool) throws {
    publish(1...3, guids: guids)
    publish(2...4, at: "/other.xml", guids: guids)
    try declare(
      "best: { \(feed), select: { initial: 2 } }", "all: { \(feed), select: { initial: all } }",
      "other: { feed: \"\(server.url("/other.xml"))\", select: { initial: all } }")
    for run in 1...3 {
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0))
      #expect(report[path: "totals.downloaded"] == .number(run == 1 ? 4 : 0))
      #expect(
        try media() == [
          "all/2026-06-01 Part 1.mp3", "best/2026-06-02 Part 2.mp3", "best/2026-06-03 Part 3.mp3",
          "other/2026-06-04 Part 4.mp3",
        ], "run \(run)")
    }
    #expect(fetched == ["/1.mp3", "/2.mp3", "/3.mp3", "/4.mp3"])
    func entries(_ name: String) throws -> Int {
      try FileBytes.text("\(home.library)/\(name).m3u8").split(separator: "\n").count { $0.hasSuffix(".mp3") }
    }
    #expect(try entries("best") == 2)
    #expect(try entries("all") == 3)
    #expect(try entries("other") == 3)
  }

  @Test("is shared with an orphan of a playlist that was removed long ago")
  func orphan() throws {
    publish(1...2)
    try declare("a: { \(feed), select: { initial: all } }", storage: "orphans: keep")
    #expect(try home.run().report[path: "totals.downloaded"] == .number(2))
    try declare("x: { items: [] }", storage: "orphans: keep")
    for _ in 1...2 { _ = try home.run() }
    publish(1...3, at: "/other.xml")
    try declare(
      "b: { feed: \"\(server.url("/other.xml"))\", select: { initial: all } }", storage: "orphans: keep")
    #expect(try home.run().report[path: "totals.downloaded"] == .number(1))
    #expect(fetched == ["/1.mp3", "/2.mp3", "/3.mp3"])
    #expect(try media().count == 3)
  }

  @Test("a playlist that gets another key and a limit at once fetches nothing that the limit removes")
  func renamedWithLimit() throws {
    publish(3...4)
    try declare("a: { \(feed), select: { initial: all } }")
    #expect(try home.run().report[path: "totals.downloaded"] == .number(2))
    publish(2...3)
    try declare("b: { \(feed), select: { initial: all }, retain: { at_most: 2 } }")
    for _ in 1...2 {
      let report = try home.run().report
      #expect(report[path: "totals.downloaded"] == .number(0), "\(report)")
      #expect(report[path: "totals.removed"] == .number(0), "\(report)")
    }
    #expect(try media().count == 2)
  }

  @Test("stays when one of them lets it go, and goes when the last does")
  func letGo() throws {
    publish(1...2)
    publish(1...2, at: "/other.xml")
    let other = "b: { feed: \"\(server.url("/other.xml"))\", select: { initial: all }, mirror: true }"
    try declare("a: { \(feed), select: { initial: all }, mirror: true }", other)
    _ = try home.run()
    publish([2])
    #expect(try home.run().report[path: "totals.removed"] == .number(0))
    #expect(try media().count == 2)
    publish([2], at: "/other.xml")
    #expect(try home.run().report[path: "totals.removed"] == .number(1))
    #expect(fetched == ["/1.mp3", "/2.mp3"])
  }

  @Test(
    "stays for a playlist that keeps what its feed no longer lists, whichever feed lets it go first", arguments: [0, 1])
  func kept(first: Int) throws {
    let paths = ["/world.xml", "/other.xml"]
    for path in paths { publish(1...2, at: path) }
    try declare(
      "a: { \(feed), select: { initial: all }, mirror: true }",
      "b: { feed: \"\(server.url("/other.xml"))\", select: { initial: all } }")
    for path in [nil, paths[first], paths[1 - first]] {
      if let path { publish([2], at: path) }
      #expect(try home.run().report[path: "totals.removed"] == .number(0))
      #expect(try media().count == 2)
    }
    #expect(try FileBytes.text("\(home.library)/b.m3u8").contains("Part 1.mp3"))
    #expect(fetched == ["/1.mp3", "/2.mp3"])
  }

  @Test("stays when the rule of one playlist drops it and another one has no rule", arguments: [true, false])
  func rules(isListed: Bool) throws {
    publish(1...2)
    publish(1...2, at: "/other.xml")
    let other = "b: { feed: \"\(server.url("/other.xml"))\", select: { initial: all } }"
    try declare("a: { \(feed), select: { initial: all } }", other)
    _ = try home.run()
    if !isListed { publish([2], at: "/other.xml") }
    try declare("a: { \(feed), select: { initial: all }, retain: { at_most: 1 } }", other)
    #expect(try home.run().report[path: "totals.removed"] == .number(0))
    #expect(try media().count == 2)
  }

  @Test("is stored once although its guid changed before the second playlist listed it", arguments: [true, false])
  func changedGUID(secondIsFirst: Bool) throws {
    publish(1...3)
    let world = "world: { \(feed), select: { initial: all } }"
    try declare(world)
    #expect(try home.run().result.ending == .exited(0))
    publish(1...3, prefix: "new-")
    publish(2...4, at: "/other.xml", prefix: "new-")
    let other = "other: { feed: \"\(server.url("/other.xml"))\", select: { initial: all } }"
    for run in 1...2 {
      if secondIsFirst { try declare(other, world) } else { try declare(world, other) }
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0), "\(result.standardError)")
      #expect(report[path: "totals.downloaded"] == .number(run == 1 ? 1 : 0), "run \(run): \(report)")
      #expect(try media().count == 4, "run \(run)")
    }
    #expect(fetched == ["/1.mp3", "/2.mp3", "/3.mp3", "/4.mp3"])
    #expect(try FileBytes.text("\(home.library)/other.m3u8").split(separator: "\n").count { $0.hasSuffix(".mp3") } == 3)
  }

  @Test("with the same guid at another place is another one")
  func otherPlace() throws {
    publish([1])
    let document = """
      <rss><channel><item><guid>1</guid><enclosure url="\(server.url("/5.mp3"))" type="audio/mpeg"/></item></channel></rss>
      """
    server.serve("/other.xml", Resource(bytes: Array(document.utf8)))
    try declare("a: { \(feed) }", "b: { feed: \"\(server.url("/other.xml"))\" }")
    #expect(try home.run().report[path: "totals.downloaded"] == .number(2))
  }

  @Test("goes along when its playlist gets another key, and nothing is fetched again", arguments: [true, false])
  func renamed(guids: Bool) throws {
    publish(1...5, guids: guids)
    try declare("world: { \(feed), select: { initial: 3 } }")
    #expect(try home.run().report[path: "totals.downloaded"] == .number(3))
    // The episode that leaves the feed stays, and moves along.
    publish(1...4, guids: guids)
    #expect(try home.run().result.ending == .exited(0))
    try declare("news: { \(feed), select: { initial: 3 } }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(report)")
    #expect(report[path: "totals.downloaded"] == .number(0))
    #expect(report[path: "totals.removed"] == .number(0))
    let files = [3, 4, 5].map { "news/2026-06-0\($0) Part \($0).mp3" }
    #expect(try media().contains(files[0]) && media().contains(files[1]))
    // The first reading under the new key is not a first reading: skipped episodes stay skipped, and new ones come.
    publish(1...6, guids: guids)
    #expect(try home.run().report[path: "totals.downloaded"] == .number(1))
    #expect(try home.run().report[path: "totals.downloaded"] == .number(0))
    #expect(fetched == ["/3.mp3", "/4.mp3", "/5.mp3", "/6.mp3"])
    #expect(try media().count == 4)
  }

  @Test("goes along in order when several playlists of its feed get other keys at once")
  func renamedTogether() throws {
    publish(1...4)
    try declare("best: { \(feed), select: { initial: 2 } }", "all: { \(feed), select: { initial: all } }")
    #expect(try home.run().report[path: "totals.downloaded"] == .number(4))
    try declare("top: { \(feed), select: { initial: 2 } }", "whole: { \(feed), select: { initial: all } }")
    for _ in 1...2 {
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0))
      #expect(report[path: "totals.downloaded"] == .number(0))
      #expect(
        try media() == [
          "top/2026-06-03 Part 3.mp3", "top/2026-06-04 Part 4.mp3", "whole/2026-06-01 Part 1.mp3",
          "whole/2026-06-02 Part 2.mp3",
        ])
    }
    #expect(fetched == ["/1.mp3", "/2.mp3", "/3.mp3", "/4.mp3"])
  }

  @Test("is not taken for an orphan while the feed of the new key cannot be read")
  func renamedInTrouble() throws {
    publish(1...3)
    try declare("world: { \(feed) }")
    _ = try home.run()
    try declare("news: { \(feed) }")
    server.script("/world.xml", [.status(503)])
    #expect(try home.run().report[path: "totals.removed"] == .number(0))
    server.script("/world.xml", [])
    let report = try home.run().report
    #expect(report[path: "totals.removed"] == .number(0) && report[path: "totals.downloaded"] == .number(0))
    #expect(try media().count == 3)
    #expect(fetched == ["/1.mp3", "/2.mp3", "/3.mp3"])
  }
}
