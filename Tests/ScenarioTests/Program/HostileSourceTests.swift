// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a source that means harm")
struct HostileSourceTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws { (home, server) = try LibraryFixture.hearingTalk() }

  private func declare(_ kind: String, _ path: String, _ select: String = "initial: all") throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { talk: { \(kind): "\(server.url(path))", select: { \(select) } } }
      """)
  }

  @Test(
    "cannot name a file of this machine",
    arguments: [
      ("list", "/s.m3u", "#EXTM3U\nfile:///etc/shadow\n/etc/shadow\n../../etc/shadow\n"),
      (
        "list", "/s.xspf",
        "<playlist xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>file:///etc/shadow</location></track>"
          + "</trackList></playlist>"
      ), ("feed", "/s.xml", "<rss><channel><item><enclosure url=\"file:///etc/shadow\"/></item></channel></rss>"),
      ("opml", "/s.opml", "<opml><body><outline text=\"x\" xmlUrl=\"file:///etc/shadow\"/></body></opml>"),
    ])
  func localFile(_ kind: String, _ path: String, _ document: String) throws {
    server.serve(path, Resource(text: document))
    try declare(kind, path)
    let (result, report) = try home.run()
    #expect(report[path: "totals.downloaded"] == .number(0), "\(report)")
    #expect(try home.ownedPaths().isEmpty)
    #expect(!result.standardOutput.contains("root:"))
  }

  private static let version = "\"version\": \"https://jsonfeed.org/version/1.1\""
  private static let file = "\"attachments\": [{\"url\": \"/a.mp3\", \"mime_type\": \"audio/mpeg\""

  @Test("may write numbers that no type holds")
  func numbers() throws {
    server.serve(
      "/n.json",
      Resource(
        text: """
          {\(Self.version), "items": [{"id": 1e400, "date_published": 99999999999999999999,
          \(Self.file), "size_in_bytes": 1e400, "duration_in_seconds": 99999999999999999999}]}]}
          """))
    try declare("feed", "/n.json")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(report)")
    #expect(try home.list().keys.sorted() == ["talk:1e400"])
  }

  @Test(
    "that repeats a name, is not UTF-8 or has too many levels adds nothing",
    arguments: [
      ("{\(version), \"items\": [{\"id\": 1, \"id\": 2, \(file)}]}]}", 5),
      ("{\(version), \"title\": \"\u{FF}\", \"items\": []}", 5),
      ("{\(version), \"items\": \(String(repeating: "[", count: 200_000))", 3),
    ] as [(String, Int32)])
  func damaged(_ document: String, _ status: Int32) throws {
    // Each character is one byte.
    server.serve("/d.json", Resource(bytes: document.unicodeScalars.map { UInt8($0.value) }))
    try declare("feed", "/d.json")
    let (result, report) = try home.run(timeout: 20)
    #expect(result.ending == .exited(status), "\(report)")
    #expect(try home.list().isEmpty)
  }

  @Test("that lists itself as one of its feeds is read twice at most")
  func itself() throws {
    let url = server.url("/me.opml")
    server.serve(
      "/me.opml",
      Resource(
        text: """
          <opml><body><outline text="me" xmlUrl="\(url)"/><outline type="include" text="i" url="\(url)"/></body></opml>
          """))
    try declare("opml", "/me.opml")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(report)")
    #expect(server.requests(to: "/me.opml").count == 2)
    let warnings = "\(report[path: "warnings"]?.description ?? "")"
    #expect(warnings.contains("the address gives an OPML document, a list of feeds"), "\(warnings)")
  }
}
