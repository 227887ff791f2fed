// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a remote URL")
struct RemoteURLTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var host: String
    var port: Int
    var path: String
    var redacted: String
    var testDescription: String { text }
  }

  @Test(
    "is taken apart as the engine does",
    arguments: [
      Row(text: "http://a.example", host: "a.example", port: 80, path: "/", redacted: "http://a.example/"),
      Row(
        text: "HTTPS://A.Example:8443/x/y.mp3?token=1#t=3", host: "a.example", port: 8443, path: "/x/y.mp3",
        redacted: "https://a.example:8443/x/y.mp3?…"),
      Row(
        text: "https://anna:pa:ss@a.example/x", host: "a.example", port: 443, path: "/x",
        redacted: "https://a.example/x"),
      Row(text: "https://a.example:443/x", host: "a.example", port: 443, path: "/x", redacted: "https://a.example/x"),
      Row(text: "http://[::1]:81/x", host: "::1", port: 81, path: "/x", redacted: "http://[::1]:81/x"),
      Row(text: "http://[2001:DB8::1]", host: "2001:db8::1", port: 80, path: "/", redacted: "http://[2001:db8::1]/"),
      Row(
        text: "http://a.example?q@b.example/", host: "a.example", port: 80, path: "/", redacted: "http://a.example/?…"),
      Row(text: "http://a.example:/x", host: "a.example", port: 80, path: "/x", redacted: "http://a.example/x"),
      Row(text: "http://a.example/ü", host: "a.example", port: 80, path: "/ü", redacted: "http://a.example/ü"),
      // A combining mark makes one Character with the separator before it; the wire knows bytes only.
      Row(
        text: "http://evil.example/\u{301}@good.example/", host: "evil.example", port: 80,
        path: "/\u{301}@good.example/", redacted: "http://evil.example/\u{301}@good.example/"),
      Row(
        text: "http://evil.example#\u{301}@good.example/", host: "evil.example", port: 80, path: "/",
        redacted: "http://evil.example/"),
      Row(
        text: "http://evil.example?\u{301}@good.example/", host: "evil.example", port: 80, path: "/",
        redacted: "http://evil.example/?…"),
      Row(
        text: "http://a@\u{301}b.example/", host: "\u{301}b.example", port: 80, path: "/",
        redacted: "http://\u{301}b.example/"),
    ])
  func parts(row: Row) throws {
    let url = try RemoteURL(row.text)
    #expect(Array(url.host.unicodeScalars) == Array(row.host.unicodeScalars))
    #expect(url.port == row.port)
    #expect(url.path == row.path)
    #expect(url.redacted == row.redacted)
    #expect(url.description == row.redacted)
  }

  @Test("keeps what it is sent with and loses its fragment")
  func text() throws {
    let url = try RemoteURL("https://anna:secret@a.example/x?token=1#t=3")
    #expect(url.text == "https://a.example/x?token=1")
    #expect(url.requestText == "https://anna:secret@a.example/x?token=1")
    #expect(url == (try RemoteURL("https://a.example/x?token=1")))
    #expect(url.hasQuery)
    #expect(url.hasCredentials)
    #expect(!"\(url)".contains("secret"))
    #expect(!"\(url)".contains("token"))
  }

  @Test(
    "anything but an absolute http or https URL is refused with its reason",
    arguments: [
      ("", RemoteURL.Problem.notAbsolute), ("x.mp3", .notAbsolute), ("/x.mp3", .notAbsolute),
      ("//a.example/x", .notAbsolute),
      ("a.example:80/x", .notAbsolute), ("http:/a.example", .notAbsolute),
      ("ftp://a.example/x", .unsupportedScheme("ftp")),
      ("file:///etc/passwd", .unsupportedScheme("file")), ("data:,x", .unsupportedScheme("data")),
      ("mailto:a@b", .unsupportedScheme("mailto")), ("gopher://a.example", .unsupportedScheme("gopher")),
      ("http://", .noHost), ("http:///x", .noHost), ("http://:80/", .noHost), ("http://a@/x", .noHost),
      ("http://[::1/", .noHost), ("http://[]/", .noHost), ("http://[::1]x/", .noHost),
      ("http://a.example:0/", .badPort("0")), ("http://a.example:65536/", .badPort("65536")),
      ("http://a.example:x/", .badPort("x")), ("http://a.example:-1/", .badPort("-1")),
      ("http://a:b:c/", .badPort("b:c")),
      ("http://127%2e0%2e0%2e1:9/", .badHost), ("http://loc%61lhost/", .badHost), ("http://a.example%00/", .badHost),
      ("http://[localhost]/", .badHost), ("http://[::1%2f@b.example]/", .badHost), ("http://a[1].example/", .badHost),
      ("http://[v1.x]/", .badHost),
      ("http://a.example/a b", .illegalCharacter), ("http://a.example/\n", .illegalCharacter),
      ("http://a.example\\@b.example/", .illegalCharacter), ("http://a\0b/", .illegalCharacter),
      ("http://a.example/\u{7F}", .illegalCharacter),
    ])
  func refused(text: String, problem: RemoteURL.Problem) {
    #expect(throws: problem) { try RemoteURL(text) }
  }

  @Test("an origin is scheme, host and port")
  func origin() throws {
    #expect(try RemoteURL("https://a.example/x").origin == RemoteURL("https://A.example:443/y").origin)
    #expect(try RemoteURL("https://a.example/").origin != RemoteURL("http://a.example/").origin)
    #expect(try RemoteURL("https://a.example/").origin != RemoteURL("https://a.example:444/").origin)
    #expect(try RemoteURL("https://a.example/").origin != RemoteURL("https://b.example/").origin)
  }

  @Test(
    "the last component of its path", arguments: [("/x/y.mp3", "y.mp3"), ("/x/", ""), ("", ""), ("/a%2Fb", "a%2Fb")])
  func lastComponent(path: String, expected: String) throws {
    #expect(try RemoteURL("http://a.example\(path)?q=/z").lastPathComponent == expected)
  }
}
