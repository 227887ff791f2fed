// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a JSON Feed")
struct JSONFeedTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws { (home, server) = try LibraryFixture.hearingTalk() }

  private func serve(_ document: String, etag: String) {
    server.serve("/talk.xml", Resource(bytes: Array(document.utf8), etag: etag))
  }

  private static let document = """
    {"version": "https://jsonfeed.org/version/1.1", "title": "Talk", "items": [
      {"id": 1, "title": "Tea &amp; toast", "date_published": "2026-01-05T08:30:00Z",
       "attachments": [{"url": "/a.mp3", "mime_type": "audio/mpeg"}]},
      {"id": 2, "title": "Only text"}]}
    """

  @Test("is fetched, kept, and asked for conditionally the next time")
  func fetched() throws {
    serve(Self.document, etag: "\"1\"")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect(report[path: "warnings.0"]?.description.contains("\"Only text\" has nothing to fetch") == true, "\(report)")
    let names = try home.ownedPaths()
    #expect(names.count == 1 && names.contains { $0.contains("Tea & toast") }, "\(names)")

    let (again, second) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(second[path: "totals.unchanged"] == .number(1))
    #expect(server.requests(to: "/talk.xml").map(\.line) == ["GET /talk.xml 200", "GET /talk.xml 304"])
    #expect(server.requests(to: "/a.mp3").count == 1)
  }

  @Test(
    "that is replaced by other JSON, or breaks off, loses nothing",
    arguments: [
      (#"{"error": "gone"}"#, "the document is JSON, but not a JSON Feed"),
      (#"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id""#, "breaks off or is damaged at line 1"),
    ])
  func replaced(_ document: String, _ sentence: String) throws {
    serve(Self.document, etag: "\"1\"")
    #expect(try home.run().result.ending == .exited(0))
    let names = try home.ownedPaths()
    serve(document, etag: "\"2\"")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "warnings"]?.description.contains(sentence) == true, "\(report)")
    #expect(try home.ownedPaths() == names && names.count == 1)
  }
}
