// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("Pictures of episodes")
struct ArtworkTests {
  private static let cover: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0x41, count: 3000)
  private static let own: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + [UInt8](repeating: 0x42, count: 2000)

  private let server: FaultServer
  private let other: FaultServer
  private let home: LibraryFixture

  init() throws {
    (server, other, home) = (try FaultServer(), try FaultServer(), try LibraryFixture())
    server.serveAudio("a", "b", "c", seconds: 2)
    other.serve("/cover.jpg", Resource(bytes: Self.cover))
    server.serve("/own.png", Resource(bytes: Self.own))
    serveFeed()
  }

  private func serveFeed(cover: String? = nil) {
    let items = ["a", "b", "c"].map { name in
      "<item><title>\(name)</title><guid>\(name)</guid><enclosure url='\(server.url("/\(name).mp3"))' type='audio/mpeg'/>"
        + (name == "c" ? "<itunes:image href='\(server.url("/own.png"))'/></item>" : "</item>")
    }
    let feed =
      "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>Talk</title>"
      + "<itunes:image href='\(cover ?? other.url("/cover.jpg"))'/>\(items.joined())</channel></rss>"
    server.serve("/talk.xml", Resource(text: feed, contentType: "application/rss+xml"))
  }

  private func declare(_ tags: String) throws {
    try home.declare(
      """
      tags: { \(tags) }
      downloads: { retries: 0, network: { allow_private: true } }
      report: { m3u8: false }
      playlists:
        talk:
          feed: "\(server.url("/talk.xml"))"
          layout: "{playlist}/{title}.{ext}"
          select: { initial: all }
          auth: { user: anna, password: hush }
      """)
  }

  private func file(_ name: String) throws -> [UInt8] { try FileBytes.read("\(home.library)/talk/\(name)") }

  @Test("are embedded: the episode's, else the source's, which is fetched once and without the login of the source")
  func embed() throws {
    try declare("artwork: embed")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "warnings"] == .array([]), "\(report)")
    for name in ["a", "b"] { #expect(try file("\(name).mp3").contains(Self.cover), "\(name)") }
    #expect(try file("c.mp3").contains(Self.own))
    #expect(other.requests.map(\.path) == ["/cover.jpg"])
    #expect(other.requests.allSatisfy { $0.headers["Authorization"] == nil })
    #expect(try home.strays() == [])
    _ = try home.run()
    #expect(other.requests.count == 1)
  }

  @Test("are put into the folder once, and never over another file")
  func folder() throws {
    try declare("artwork: folder")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try file("cover.jpg") == Self.cover)
    #expect(try !file("a.mp3").contains(Self.cover))
    #expect(other.requests.count == 1)
    #expect(try home.strays() == ["talk/cover.jpg"])
    // A picture that is there, whoever put it there, costs no request.
    try FileBytes.write("mine", to: "\(home.library)/talk/cover.jpg")
    #expect(unlinkFile("a.mp3"))
    #expect(try home.run().result.ending == .exited(0))
    #expect(try file("cover.jpg") == Array("mine".utf8))
    #expect(other.requests.count == 1)
  }

  private func unlinkFile(_ name: String) -> Bool {
    // A file that somebody deleted is fetched again.
    (try? Command("/bin/rm", ["\(home.library)/talk/\(name)"]).run().ending) == .exited(0)
  }

  @Test(
    "that cannot be had are one warning, and the files are published",
    arguments: [
      ("absent", "404"), ("page", "neither a JPEG nor a PNG"), ("huge", "was left out: the server sent more than"),
    ])
  func failures(kind: String, words: String) throws {
    other.serve("/page", Resource(bytes: Array("<html><body>Hello</body></html>".utf8)))
    other.serve("/huge", Resource(bytes: Self.cover + [UInt8](repeating: 0, count: 10_000_001)))
    serveFeed(cover: other.url("/\(kind)"))
    try declare("mode: fill, artwork: embed")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    guard case .array(let warnings)? = report[path: "warnings"] else { return #expect(Bool(false), "\(report)") }
    #expect(warnings.count == 1 && "\(warnings)".contains(words), "\(warnings)")
    #expect(other.requests.count == 1)
    #expect(try home.ownedPaths().count == 3)
    #expect(try home.strays() == [])
  }
}

extension [UInt8] {
  /// True if these bytes are in a row somewhere.
  fileprivate func contains(_ part: [UInt8]) -> Bool { firstRange(of: part) != nil }
}
