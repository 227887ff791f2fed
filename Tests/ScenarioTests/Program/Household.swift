// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A library of one feed whose plays a server keeps as well.
struct Household {
  let home: LibraryFixture
  let origin: FaultServer
  var feed: String { origin.url("/feed.xml") }

  init() throws {
    (home, origin) = (try LibraryFixture(), try FaultServer())
    origin.serveAudio("a", "b", "c", seconds: 4)
    serveFeed("/feed.xml", title: "N")
  }

  /// Another device of the same person.
  init(sharing other: Household) throws { (home, origin) = (try LibraryFixture(), other.origin) }

  /// Serves a feed of the three episodes.
  func serveFeed(_ path: String, title: String) {
    let items = ["a", "b", "c"].map { id in
      "<item><title>\(id)</title><guid>\(id)</guid><enclosure url=\"\(origin.url("/\(id).mp3"))\" type=\"audio/mpeg\"/>"
        + "<itunes:duration>600</itunes:duration></item>"
    }
    let text =
      "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><title>\(title)</title>"
      + "\(items.joined())</channel></rss>"
    origin.serve(path, Resource(bytes: Array(text.utf8), contentType: "application/rss+xml"))
  }

  /// - Parameters:
  ///   - direction: It may be followed by further keys of the history.
  ///   - keys: Further keys of the server.
  ///   - playlists: Further lines with playlists.
  func declare(
    _ url: String, user: String, password: String, _ direction: String = "both", device: String = "car",
    keys: String = "", playlists: String = ""
  ) throws {
    try home.declare(
      """
      servers:
        pods:
          { type: gpodder, url: "\(url)", device: \(device), auth: { user: "\(user)", password: \(password) }\(keys) }
      history: [ { server: pods, direction: \(direction) } ]
      storage: { min_free: 0 }
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        news: { feed: "\(feed)" }
        own: { items: [ { id: own, title: own, url: "\(origin.url("/a.mp3"))?own" } ] }
      \(playlists)
      """)
  }

  func declare(
    _ pods: GpodderServer, _ direction: String = "both", device: String = "car", keys: String = ""
  ) throws {
    try declare(
      pods.url, user: GpodderServer.user, password: GpodderServer.password, direction, device: device, keys: keys)
  }

  /// A time of one month.
  static func time(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2026-12-\(two(1 + minute / 1440))T\(two(minute / 60 % 24)):\(two(minute % 60)):00Z"
  }

  func command(at minute: Int) -> Command { home.command("run", "--json", "--now", Self.time(minute)) }

  @discardableResult
  func run(_ status: Int32 = 0, at minute: Int = 0) throws -> JSONValue {
    let result = try command(at: minute).run()
    #expect(result.ending == .exited(status), "\(result.standardError)")
    return try JSONValue(result.stdout)
  }

  func play(_ id: String, at minute: Int) throws {
    let result = try home.editing("played", id, "--now", Self.time(minute)).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  /// A first run at minute 0, and plays after it.
  func begin(_ pods: GpodderServer, _ direction: String = "both", playing ids: String...) throws {
    try declare(pods, direction)
    try run(at: 0)
    for id in ids { try play(id, at: 1) }
  }

  func plays(_ id: String) throws -> Double { try home.list()[id]?[path: "play_count"].flatMap(Self.number) ?? 0 }

  static func number(_ value: JSONValue) -> Double? { if case .number(let number) = value { number } else { nil } }

  /// What the report says of the server.
  static func entry(_ report: JSONValue, _ name: String) -> Double? {
    report[path: "history.0.\(name)"].flatMap(number)
  }
}
