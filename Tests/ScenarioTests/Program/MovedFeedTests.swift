// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a feed that has moved")
struct MovedFeedTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = try LibraryFixture.hearingTalk()
    server.serve("/new.xml", Resource(text: Self.document))
  }

  private static let document = """
    <rss><channel><title>Talk</title><item><title>A</title><guid>1</guid><enclosure url="/a.mp3"/></item></channel></rss>
    """

  private func lines(_ path: String) -> [String] { server.requests(to: path).map(\.line) }

  @Test("for good is read at its new address from then on, and says so once", arguments: [301, 308])
  func forGood(_ status: Int) throws {
    server.script("/talk.xml", [.redirect(to: "/new.xml", status: status)])
    let (first, report) = try home.run()
    #expect(first.ending == .exited(0), "\(first.standardError)")
    let sentence = "talk: the feed has moved to \(server.url("/new.xml"))"
    #expect(report[path: "warnings"]?.description.contains(sentence) == true, "\(report)")
    #expect(report[path: "sources.0.moved_to"] == .string(server.url("/new.xml")))

    let (second, again) = try home.run()
    #expect(second.ending == .exited(0), "\(second.standardError)")
    #expect(again[path: "warnings"]?.description.contains("has moved") == false, "\(again)")
    #expect(again[path: "totals.unchanged"] == .number(1))
    #expect(lines("/talk.xml").count == 1 && lines("/new.xml").count == 2)
    let status = try home.command("status").run().standardOutput
    #expect(status.contains("moved to \(server.url("/new.xml"))"), "\(status)")
  }

  @Test("by its own word is read at its new address, and at the old one if that does not exist")
  func newFeedURL() throws {
    let moved = Self.document.replacing(
      "<rss><channel>",
      with: """
        <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
        <itunes:new-feed-url>\(server.url("/new.xml"))</itunes:new-feed-url>
        """)
    server.serve("/talk.xml", Resource(text: moved))
    let (first, report) = try home.run()
    #expect(first.ending == .exited(0), "\(first.standardError)")
    #expect(report[path: "sources.0.moved_to"] == .string(server.url("/new.xml")))
    #expect(report[path: "warnings"]?.description.contains("has moved") == true, "\(report)")
    #expect(try home.run().result.ending == .exited(0))
    #expect(lines("/talk.xml").count == 1 && lines("/new.xml").count == 1)
    server.script("/new.xml", [.status(404)])
    let (third, again) = try home.run()
    #expect(third.ending == .exited(0), "\(third.standardError)")
    #expect(again[path: "warnings"]?.description.contains("has moved") == false, "\(again)")
    #expect(lines("/talk.xml").count == 2 && lines("/new.xml").count == 2)
  }

  @Test("for a while is asked at its own address", arguments: [302, 303, 307])
  func forAWhile(_ status: Int) throws {
    server.script("/talk.xml", [.redirect(to: "/new.xml", status: status), .redirect(to: "/new.xml", status: status)])
    let (_, report) = try home.run()
    #expect(report[path: "warnings"]?.description.contains("has moved") == false, "\(report)")
    #expect(try home.run().result.ending == .exited(0))
    #expect(lines("/talk.xml").count == 2)
  }

  @Test("is asked at the address in the manifest when the new one fails, or the manifest has another")
  func back() throws {
    server.script("/talk.xml", [.redirect(to: "/new.xml", status: 301)])
    #expect(try home.run().result.ending == .exited(0))
    server.script("/new.xml", [.status(404)])
    server.serve("/talk.xml", Resource(text: Self.document))
    server.script("/talk.xml", [.honest])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.unchanged"] == .number(1))
    #expect(report[path: "sources.0.moved_to"] == nil)
    #expect(try home.run().result.ending == .exited(0))
    #expect(lines("/talk.xml").count == 3 && lines("/new.xml").count == 2)
  }

  @Test("that is not a feed at its new address is asked at its own address again")
  func noFeed() throws {
    server.serve("/new.xml", Resource(text: "<html><body>Sign in</body></html>"))
    server.script("/talk.xml", [.redirect(to: "/new.xml", status: 301)])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "sources.0.moved_to"] == nil)
    server.serve("/talk.xml", Resource(text: Self.document))
    server.script("/talk.xml", [.honest])
    #expect(try home.run().result.ending == .exited(0))
    #expect(lines("/new.xml").count == 1)
  }

  @Test("to another host gets no credentials there, nor by way of it")
  func credentials() throws {
    let other = try FaultServer(address: "127.0.0.9")
    other.serve("/new.xml", Resource(text: Self.document.replacing("/a.mp3", with: server.url("/a.mp3"))))
    server.serve("/back.xml", Resource(text: Self.document))
    try FileBytes.write("hush-hush", to: home.folder.file("password"))
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        talk:
          feed: "\(server.url("/talk.xml"))"
          select: { initial: all }
          auth: { user: anna, password_file: ./password }
      """)
    server.script("/talk.xml", [.redirect(to: other.url("/new.xml"), status: 301)])
    #expect(try home.run().result.ending == .exited(0))
    other.script("/new.xml", [.redirect(to: server.url("/back.xml"), status: 302)])
    #expect(try home.run().result.ending == .exited(0))
    #expect(server.requests(to: "/talk.xml").map { $0.authorization != nil } == [true])
    #expect(other.requests.map(\.authorization) == [nil, nil])
    #expect(server.requests(to: "/back.xml").map(\.authorization) == [nil])
  }
}
