// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("plans in files, and feeds")
struct ApplyFeedTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
  }

  @Test("a feed that cannot be read when the plan is applied is named with its reason")
  func unreadFeed() throws {
    let item =
      "<item><title>a</title><guid>a</guid><enclosure url=\"\(server.url("/a.mp3"))\" type=\"audio/mpeg\"/></item>"
    server.serve(
      "/rss",
      Resource(
        text: "<rss version=\"2.0\"><channel><title>F</title>\(item)</channel></rss>",
        contentType: "application/rss+xml"))
    try home.declare(
      "downloads: { network: { allow_private: true } }\nplaylists: { news: { feed: \"\(server.url("/rss"))\" } }")
    let file = home.folder.file("car.plan")
    #expect(try home.command("plan", "-q", "-o", file).run().ending == .exited(0))
    server.script("/rss", [.status(404)])
    var command = home.command("apply")
    command.arguments = ["apply", file]
    let result = try command.run()
    #expect(result.ending == .exited(12))
    #expect(
      result.standardError.contains(
        "no longer holds: news: the source could not be fetched: the server answered 404 (not found); put the source's"
          + " new address into the manifest, or take the playlist out; and \""),
      "\(result.standardError)")
    #expect(result.standardError.contains(" would not be downloaded now; nothing was done. Make a new one with: "))
  }
}
