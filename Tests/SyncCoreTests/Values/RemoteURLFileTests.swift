// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the URL of a local file")
struct RemoteURLFileTests {
  @Test(
    "is made from a path, without dot segments",
    arguments: [
      ("/m/a b.mp3", "file:///m/a%20b.mp3"), ("//m/./x/../a.mp3/", "file:///m/a.mp3"), ("/../../a", "file:///a"),
      ("/m/%41#?", "file:///m/%2541%23%3F"), ("m/ü", "file:///m/%C3%BC"),
    ])
  func paths(_ path: String, _ text: String) throws {
    let url = try RemoteURL(file: path.utf8)
    #expect(url.text == text && url.redacted == text && url.isFile && url.host.isEmpty && !url.hasCredentials)
    #expect(try RemoteURL(stored: text).text == text)
    #expect(try RemoteURL(file: #require(url.filePath)) == url)
  }

  @Test("keeps bytes that are not UTF-8")
  func bytes() throws {
    let path: [UInt8] = [0x2F, 0xE9, 0x25, 0x2F, 0xFF]
    let url = try RemoteURL(file: path)
    #expect(url.text == "file:///%E9%25/%FF" && url.filePath == path)
  }

  @Test("has a path that names something, of bounded length and without NUL")
  func refused() throws {
    for path in ["", "/", "/..", "/a\0b", "/" + String(repeating: "ü", count: 2000)] {
      #expect(throws: RemoteURL.Problem.self) { try RemoteURL(file: path.utf8) }
    }
  }

  @Test(
    "is not read from text, except as it was stored",
    arguments: ["file:///m/a.mp3", "FILE:///m/a.mp3", "file:/m/a.mp3", "file://host/a.mp3"])
  func text(_ text: String) throws {
    #expect(throws: RemoteURL.Problem.unsupportedScheme("file")) { try RemoteURL(text) }
    let base = try RemoteURL(file: "/m/feed.xml".utf8)
    #expect(throws: RemoteURL.Problem.unsupportedScheme("file")) { try RemoteURL(reference: text, base: base) }
    #expect(throws: RemoteURL.Problem.self) { try RemoteURL(reference: "a.mp3", base: base) }
  }

  @Test("as it was stored is canonical", arguments: ["file:///m/../a", "file:///a%2f", "file:///a b", "file:///"])
  func stored(_ text: String) { #expect(throws: RemoteURL.Problem.self) { try RemoteURL(stored: text) } }

  @Test("tells files apart by their whole path")
  func identity() throws {
    let urls = try ["/m/a.mp3", "/m/A.mp3", "/m/a.mp3?utm_source=x"].map { try RemoteURL(file: $0.utf8).identity }
    #expect(Set(urls).count == 3)
  }
}
