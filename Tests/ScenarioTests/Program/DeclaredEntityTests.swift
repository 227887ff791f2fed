// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("feeds that declare entities")
struct DeclaredEntityTests {
  private static func feed(_ declarations: String, title: String) -> String {
    """
    <!DOCTYPE rss [\(declarations)]>
    <rss><channel><title>Talk</title><item><title>\(title)</title>
      <pubDate>Mon, 05 Jan 2026 08:30:00 GMT</pubDate><enclosure url="/a.mp3" type="audio/mpeg"/></item></channel></rss>
    """
  }

  @Test("have their texts in the names of files, and no file of this machine", arguments: [false, true])
  func expanded(inUTF16: Bool) throws {
    let (home, server) = try LibraryFixture.hearingTalk()
    let document = Self.feed(
      "<!ENTITY show 'Tea &amp; toast'><!ENTITY file SYSTEM 'file:///etc/hostname'>", title: "&show; &file;")
    let wide = document.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    server.serve("/talk.xml", Resource(bytes: inUTF16 ? wide : Array(document.utf8)))
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try home.ownedPaths() == ["talk/2026-01-05 Tea & toast &file;.mp3"])
  }

  @Test("are refused for good if their entities grow without bound, and nothing is fetched")
  func bomb() throws {
    let (home, server) = try LibraryFixture.hearingTalk()
    let levels = (1...9).map { "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>" }.joined()
    server.serve("/talk.xml", Resource(text: Self.feed("<!ENTITY e0 'lol'>" + levels, title: "&e9;")))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    let sentence = "the source has more than is accepted: 8.00 MiB of text from declared entities"
    #expect(report[path: "warnings.0"]?.description.contains(sentence) == true, "\(report)")
    #expect(try home.ownedPaths().isEmpty)
  }
}
