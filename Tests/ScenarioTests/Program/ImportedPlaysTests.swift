// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// Statements of a feed or a header that the bytes do not confirm.
@Suite("what others say about a file's length")
struct ImportedPlaysTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let audio = GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serve("/a.mp3", Resource(bytes: audio))
  }

  private func declare(_ sections: String, length: String) throws {
    let enclosure = "<enclosure url=\"\(server.url("/a.mp3"))\" length=\"\(length)\" type=\"audio/mpeg\"/>"
    server.serve(
      "/feed.xml",
      Resource(
        text: "<rss version=\"2.0\"><channel><title>F</title><item><title>T</title><guid>1</guid>\(enclosure)</item>"
          + "</channel></rss>"))
    try home.declare("\(sections)\nplaylists: { brief: { feed: \"\(server.url("/feed.xml"))\" } }")
  }

  @Test(
    "a length that no file system has room for keeps nobody from asking",
    arguments: ["", ", max_item_size: 2000TB"])
  func immense(limit: String) throws {
    try declare("downloads: { network: { allow_private: true }\(limit) }", length: "900000000000000")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
  }

  @Test("a length beyond the budget defers the item, for the budget is a wish")
  func budget() throws {
    try declare("storage: { budget: 1GB }\ndownloads: { network: { allow_private: true } }", length: "3000000000")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.deferred"] == .number(1))
    #expect(server.requests.map(\.path) == ["/feed.xml"])
  }

  @Test("a length beside a chunked body counts for nothing", arguments: ["5", "99999999"])
  func chunked(length: String) throws {
    server.script("/a.mp3", [.chunked().with { $0.headers = [HTTPHeader("Content-Length", length)] }])
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try FileBytes.read("\(home.library)/all/A.mp3") == audio)
  }
}
