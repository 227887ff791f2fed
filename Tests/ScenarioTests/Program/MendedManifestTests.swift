// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// An item that failed permanently, a run that does not try it, and a manifest that was corrected.
@Suite("mending the manifest mends the item")
struct MendedManifestTests {
  private static let bytes = GeneratedAudio(title: "Song", seconds: 1, seed: 7).bytes

  /// One mistake in a manifest and its correction.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    var downloads = ("", "")
    var checks = ("true", "true")
    var playlist = ("", "")
    var item = ("", "")
    /// True for a feed instead of an item: its URLs may not lead into a private network.
    var isFeed = false
    var answers: [Behaviour] = []
    /// A text that is in the first message, and in no message after the correction.
    let quote: String

    var testDescription: String { name }
  }

  private static let mistakes = [
    Mistake(
      name: "a checksum", item: (", checksum: \"md5:\(String(repeating: "1", count: 32))\"", ""), quote: "1111"),
    Mistake(name: "a size", item: (", size: 4711", ", size: \(bytes.count)"), quote: "4711"),
    Mistake(
      name: "no credentials", playlist: ("", "auth: { user: anna, password: hush }, "),
      answers: [.status(401), .honest], quote: "401"),
    Mistake(
      name: "a wrong password",
      playlist: ("auth: { user: anna, password: hush }, ", "auth: { user: anna, password: husch }, "),
      answers: [.status(403), .honest], quote: "403"),
    Mistake(
      name: "a private address", downloads: ("", "network: { allow_private: true }"), isFeed: true, quote: "private"),
    Mistake(
      name: "a limit of size", downloads: ("max_item_size: 2000", "max_item_size: 2MB"), quote: "max_item_size"),
    Mistake(
      name: "a check", checks: ("true", "false"),
      answers: [.entity(Resource(text: "no music", contentType: "audio/mpeg"))],
      quote: "media"),
    Mistake(
      name: "a URL", item: ("?token=1", "?token=2"), answers: [.status(403), .honest], quote: "403"),
  ]

  private func declare(_ mistake: Mistake, _ server: FaultServer, _ home: LibraryFixture, isMended: Bool) throws {
    func part(_ pair: (String, String)) -> String { isMended ? pair.1 : pair.0 }
    let item = part(mistake.item)
    let query = item.hasPrefix("?") ? item : ""
    let list =
      mistake.isFeed
      ? "feed: ./feed.xml"
      : "items: [{ id: song, title: Song, url: \"\(server.url("/song.mp3" + query))\"\(query.isEmpty ? item : "") }]"
    try home.declare(
      """
      downloads: { \(part(mistake.downloads)) }
      checks: { sniff: \(part(mistake.checks)) }
      playlists: { mix: { \(part(mistake.playlist))\(list) } }
      """)
  }

  @Test("the next run tries again, and no message quotes the mistake", arguments: mistakes)
  func mended(mistake: Mistake) throws {
    let (home, server) = (try LibraryFixture(), try FaultServer())
    server.serve("/song.mp3", Resource(bytes: Self.bytes))
    if !mistake.answers.isEmpty { server.script("/song.mp3", mistake.answers) }
    try FileBytes.write(Array(feed(server).utf8), to: home.folder.file("feed.xml"))
    try declare(mistake, server, home, isMended: false)
    let first = try home.command("run").run()
    #expect(first.ending == .exited(3), "\(first.standardOutput)\(first.standardError)")
    let asked = server.requests.count
    let second = try home.command("run").run()
    #expect(second.ending == .exited(3) && server.requests.count == asked)
    #expect(second.standardOutput.contains(mistake.quote), "\(second.standardOutput)")
    try declare(mistake, server, home, isMended: true)
    for command in ["list", "status", "plan"] {
      let shown = try home.command(command).run()
      // Commands that only look read no secret.
      guard mistake.name != "a wrong password" || command == "plan" else { continue }
      #expect(!shown.standardOutput.contains(mistake.quote), "\(command): \(shown.standardOutput)")
    }
    let third = try home.command("run").run()
    #expect(third.ending == .exited(0), "\(third.standardOutput)\(third.standardError)")
    #expect(try home.ownedPaths().count == 1)
  }

  private func feed(_ server: FaultServer) -> String {
    """
    <rss version="2.0"><channel><title>F</title><item><title>Song</title><guid>1</guid>
    <enclosure url="\(server.url("/song.mp3"))" type="audio/mpeg"/></item></channel></rss>
    """
  }

  @Test("of a changed secret the queue file keeps twelve bits, and only servers' answers are judged by them")
  func secrets() throws {
    let (home, server) = (try LibraryFixture(), try FaultServer())
    server.serve("/song.mp3", Resource(bytes: Self.bytes))
    func declare(_ password: String) throws {
      try home.declare(
        """
        playlists:
          mix:
            auth: { user: anna, password: \(password) }
            items: [{ id: song, url: "\(server.url("/song.mp3"))", checksum: "md5:\(String(repeating: "2", count: 32))" }]
        """)
    }
    try declare("correct-horse")
    let (result, _) = try home.run()
    #expect(result.ending == .exited(3))
    #expect(try !home.traces(result).contains("correct-horse"))
    let queue = try JSONValue(home.queueFile())
    guard case .string(let mark)? = queue[path: "items.0.error.inputs"] else {
      Issue.record("the failure has no mark of its inputs")
      return
    }
    #expect(mark.utf8.count == 20, "\(mark)")
    let asked = server.requests.count
    try declare("battery-staple")
    // A complete file with the wrong content does not become the right one by another password.
    #expect(try home.run().result.ending == .exited(3))
    #expect(server.requests.count == asked)
  }
}
