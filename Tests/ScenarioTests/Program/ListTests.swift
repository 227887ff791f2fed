// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a list")
struct ListTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    for name in ["a", "b", "c"] { server.serveAudio(name) }
  }

  /// The playlist that the list of each format describes: two songs that the server has.
  enum Format: String, CaseIterable {
    case m3u8, pls, xspf, jspf

    /// - Parameter origin: Comes before the names of the files. Empty in a list from a URL.
    func list(of files: [(name: String, title: String)], at origin: String = "") -> String {
      switch self {
      case .m3u8: "#EXTM3U\n" + files.map { "#EXTINF:-1,The Example - \($0.title)\n\(origin)\($0.name)\n" }.joined()
      case .pls:
        "[playlist]\n"
          + files.enumerated().map {
            "File\($0 + 1)=\(origin)\($1.name)\nTitle\($0 + 1)=The Example - \($1.title)\nLength\($0 + 1)=-1\n"
          }.joined() + "NumberOfEntries=\(files.count)\nVersion=2\n"
      case .xspf:
        "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList>"
          + files.map {
            "<track><location>\(origin)\($0.name)</location><title>\($0.title)</title><creator>The Example</creator></track>"
          }.joined() + "</trackList></playlist>"
      case .jspf:
        "{\"playlist\":{\"track\":["
          + files.map {
            "{\"location\":[\"\(origin)\($0.name)\"],\"title\":\"\($0.title)\",\"creator\":\"The Example\"}"
          }.joined(separator: ",") + "]}}"
      }
    }
  }

  private static let songs = [("b.mp3", "Second Wind"), ("a.mp3", "Night Drive")]

  private func declare(_ list: String, _ more: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { road: { title: Road trip, list: "\(list)"\(more) } }
      """)
  }

  private func serve(_ text: String, etag: String) {
    server.serve("/lists/road", Resource(bytes: Array(text.utf8), etag: etag))
  }

  /// The titles in the playlist file, in its order.
  private func titles() throws -> [String] {
    try FileBytes.text("\(home.library)/Road trip.m3u8").split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }.map {
      String($0.split(separator: " - ").last ?? "")
    }
  }

  @Test(
    "from a URL is fetched whole, in its order, and asked for conditionally the next time", arguments: Format.allCases)
  func remote(_ format: Format) throws {
    serve(format.list(of: Self.songs.map { ("../\($0.0)", $0.1) }), etag: "\"1\"")
    try declare(server.url("/lists/road"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(2), "\(report)")
    #expect(try home.ownedPaths() == ["Road trip/Night Drive.mp3", "Road trip/Second Wind.mp3"])
    #expect(try titles() == ["Second Wind", "Night Drive"])
    #expect(try home.strays() == [])

    let (again, second) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(second[path: "totals.unchanged"] == .number(2))
    #expect(server.requests(to: "/lists/road").map(\.line) == ["GET /lists/road 200", "GET /lists/road 304"])
    #expect(server.requests(to: "/a.mp3").count == 1 && server.requests(to: "/b.mp3").count == 1)
  }

  @Test("in a file is read in each run, and a new order moves nothing", arguments: Format.allCases)
  func file(_ format: Format) throws {
    let path = home.folder.file("road.\(format.rawValue)")
    try FileBytes.write(format.list(of: Self.songs, at: server.url("/")), to: path)
    try declare("./road.\(format.rawValue)")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(2), "\(report)")
    #expect(try titles() == ["Second Wind", "Night Drive"])
    let paths = try home.ownedPaths()

    try FileBytes.write(
      format.list(of: [("c.mp3", "Third Rail")] + Self.songs.reversed(), at: server.url("/")), to: path)
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(second[path: "totals.downloaded"] == .number(1), "\(second)")
    #expect(try titles() == ["Third Rail", "Night Drive", "Second Wind"])
    #expect(try home.ownedPaths() == paths.union(["Road trip/Third Rail.mp3"]))
  }

  @Test("names local files in vain that it may not name, and the others are fetched", arguments: Format.allCases)
  func local(_ format: Format) throws {
    let secret = home.folder.file("secret.mp3")
    try FileBytes.write("secret", to: secret)
    serve(format.list(of: [("file://\(secret)", "One"), ("../a.mp3", "Two")]), etag: "\"1\"")
    try declare(server.url("/lists/road"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "warnings"]?.description.contains("is a local file, which only a list in a file") == true)
    #expect(report[path: "sources.0.flaws.0.kind"]?.description == "local_file", "\(report)")
    #expect(try home.ownedPaths() == ["Road trip/Two.mp3"])

    let path = home.folder.file("lists/road.list")
    try FileBytes.write(format.list(of: [("../secret.mp3", "One"), (server.url("/a.mp3"), "Two")]), to: path)
    try declare(path)
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.ownedPaths() == ["Road trip/Two.mp3"])
  }

  @Test(
    "that is replaced by something else loses nothing",
    arguments: [
      ("#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:6,\n1.ts\n", "parts of one HLS stream (#EXT-X-VERSION)"),
      ("Service unavailable\n", "it is neither M3U, PLS, XSPF nor JSPF"),
      ("<html><p>Log in</p></html>", "the address gives a web page"),
      ("<playlist><trackList><track>", "the source breaks off or is damaged"),
    ])
  func replaced(_ text: String, _ sentence: String) throws {
    serve(Format.m3u8.list(of: [("../a.mp3", "One"), ("../b.mp3", "Two")]), etag: "\"1\"")
    try declare(server.url("/lists/road"), ", mirror: true")
    #expect(try home.run().result.ending == .exited(0))
    let paths = try home.ownedPaths()
    serve(text, etag: "\"2\"")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "warnings"]?.description.contains(sentence) == true, "\(report)")
    #expect(try home.ownedPaths() == paths && paths.count == 2)
  }

  @Test("whose first location fails is fetched from the next one")
  func alternative() throws {
    serve(
      "{\"playlist\":{\"track\":[{\"title\":\"One\",\"duration\":61000,\"location\":[\"/gone.mp3\",\"/a.mp3\"]}]}}",
      etag: "\"1\"")
    try declare(server.url("/lists/road"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError) \(report)")
    #expect(try home.ownedPaths() == ["Road trip/One.mp3"])
    // The duration is that of the entry.
    #expect(report[path: "items.0.candidate"] != nil && report[path: "items.0.confidence"] == nil, "\(report)")
  }
}
