// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("redirects")
struct RedirectsTests {
  @Test("ten are followed, the eleventh is refused")
  func limit() throws {
    var way = Redirects(from: try RemoteURL("https://a.example/0"))
    for hop in 1...10 { try way.follow("https://a.example/\(hop)") }
    #expect(way.current.text == "https://a.example/10")
    #expect(throws: Failure.redirectRefused(to: "https://a.example/11", .tooMany(limit: 10))) {
      try way.follow("https://a.example/11")
    }
    #expect(way.current.text == "https://a.example/10")
  }

  @Test("a circle is refused, also a circle of one")
  func circle() throws {
    var way = Redirects(from: try RemoteURL("https://a.example/0"))
    let refusal = Failure.redirectRefused(to: "https://a.example/0", .circle)
    #expect(throws: refusal) { try way.follow("https://a.example/0") }
    try way.follow("https://a.example/1")
    #expect(throws: refusal) { try way.follow("https://a.example/0") }
  }

  @Test("from http to https, never back")
  func downgrade() throws {
    var way = Redirects(from: try RemoteURL("http://a.example/0"))
    try way.follow("https://a.example/0")
    let refusal = Failure.redirectRefused(to: "http://b.example/?…", .downgrade)
    #expect(throws: refusal) { try way.follow("http://b.example/?token=x") }
  }

  @Test(
    "anything but http and https is refused, without its secrets",
    arguments: [
      ("file:///etc/passwd", "file:///etc/passwd"), ("ftp://anna:secret@a.example/x", "ftp://a.example/x"),
      ("gopher://a.example:70/_x?token=secret", "gopher://a.example:70/_x"),
      ("data:audio/mpeg,x#secret", "data:audio/mpeg,x"),
      ("", ""), ("//anna:secret@a.example", "//a.example"),
      ("ftp://a.example/x@y", "ftp://a.example/x@y"),
    ])
  func schemes(target: String, shown: String) throws {
    var way = Redirects(from: try RemoteURL("https://a.example/0"))
    #expect(throws: Failure.redirectRefused(to: shown, .notHTTP)) { try way.follow(target) }
    #expect(way.visited.count == 1)
  }

  @Test("a URL without a host is refused as such", arguments: ["https://", "https:///a.example/x"])
  func hosts(target: String) throws {
    var way = Redirects(from: try RemoteURL("https://a.example/0"))
    #expect(throws: Failure.redirectRefused(to: target, .noHost)) { try way.follow(target) }
  }
}
