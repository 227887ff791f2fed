// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("an episode that its feed changes")
struct ChangedEpisodeTests {
  /// An episode as one reading of the feed has it.
  struct Episode: Sendable {
    var guid: String? = "ep-1"
    var title = "Part one"
    var day = 5
    var file = "one"
  }

  /// The readings of one feed, and the rule that recognises the episode in the last one.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let readings: [[Episode]]
    let rule: String

    init(_ description: String, _ rule: String, _ readings: [Episode]...) {
      (testDescription, self.rule, self.readings) = (description, rule, readings)
    }
  }

  private static let bare = Episode(guid: nil)

  static let cases = [
    Case("a new date", "guid", [Episode()], [Episode(day: 6)]),
    Case("a new title", "guid", [Episode()], [Episode(title: "Part 1")]),
    Case("another host", "guid", [Episode()], [Episode(file: "moved/one")]),
    Case("a new date, title and host", "guid", [Episode()], [Episode(title: "Part 1", day: 6, file: "moved/one")]),
    Case("a new guid", "url", [Episode()], [Episode(guid: "other")]),
    Case("a new guid, date and title", "url", [Episode()], [Episode(guid: "other", title: "Part 1", day: 6)]),
    Case("a guid at last", "url", [bare], [Episode()]),
    Case("no guid any more", "url", [Episode()], [bare]),
    Case("a new guid and host", "title_date_duration", [Episode()], [Episode(guid: "other", file: "moved/one")]),
    Case("another host, without a guid", "title_date_duration", [bare], [Episode(guid: nil, file: "moved/one")]),
    Case("a new date, without a guid", "url", [bare], [Episode(guid: nil, day: 6)]),
    Case("a new title, without a guid", "url", [bare], [Episode(guid: nil, title: "Part 1")]),
    Case(
      "another host, then a new guid, date and title", "url", [Episode()], [Episode(file: "moved/one")],
      [Episode(guid: "other", title: "Part 1", day: 6, file: "moved/one")]),
    Case(
      "another host, then a new date and title, without a guid", "url", [bare], [Episode(guid: nil, file: "moved/one")],
      [Episode(guid: nil, title: "Part 1", day: 6, file: "moved/one")]),
    Case("the same entry twice", "url", [Episode()], [Episode(), Episode()]),
    Case("the same file under two guids", "guid", [Episode()], [Episode(guid: "other"), Episode()]),
    Case("the same file under two titles", "url", [bare], [bare, Episode(guid: nil, title: "Part 1", day: 6)]),
  ]

  @Test("is neither fetched twice nor lost, also when its source is mirrored", arguments: cases)
  func unchanged(_ change: Case) throws {
    let (home, server) = (try LibraryFixture(), try FaultServer())
    let audio = Resource(bytes: GeneratedAudio(title: "One", seconds: 1, seed: 1).bytes)
    for path in ["/one.mp3", "/moved/one.mp3"] { server.serve(path, audio) }
    try home.declare(
      """
      storage: { orphans: remove }
      downloads: { network: { allow_private: true } }
      playlists: { world: { feed: "\(server.url("/world.xml"))", select: { initial: all }, mirror: true } }
      """)
    for (number, episodes) in change.readings.enumerated() {
      let items = episodes.map { item($0, server) }.joined()
      let document = "<rss version=\"2.0\"><channel><title>World</title>\(items)</channel></rss>"
      server.serve("/world.xml", Resource(text: document))
      for run in 0...1 {
        let (result, report) = try home.run()
        #expect(result.ending == .exited(0), "\(result.standardError)")
        let downloads = number == 0 && run == 0 ? 1 : 0
        #expect(report[path: "totals.downloaded"] == .number(Double(downloads)), "reading \(number), run \(run)")
        #expect(report[path: "totals.removed"] == .number(0))
        #expect(try home.ownedPaths().count == 1)
        // Later runs know it by its new names.
        guard number == change.readings.count - 1, run == 0 else { continue }
        #expect(String(decoding: try home.queueFile(), as: UTF8.self).contains(#""matched_by":"\#(change.rule)""#))
      }
    }
    let (id, listed) = try #require(try home.list().first)
    #expect(listed[path: "state"] == .string("completed"))
    let explained = try home.editing("explain", id).run().standardOutput
    let origins = explained.split(separator: "\n").filter { $0.hasSuffix("the file here came from it") }
    #expect(origins.count == 1 && origins[0].contains(server.url("/one.mp3")), "\(explained)")
    #expect(server.requests.count { $0.path.hasSuffix(".mp3") } == 1)
  }

  private func item(_ episode: Episode, _ server: FaultServer) -> String {
    """
    <item><title>\(episode.title)</title>\(episode.guid.map { "<guid>\($0)</guid>" } ?? "")
    <pubDate>Mon, 0\(episode.day) Jan 2026 08:10:00 +0000</pubDate><itunes:duration>0:01</itunes:duration>
    <enclosure url="\(server.url("/\(episode.file).mp3"))" type="audio/mpeg"/></item>
    """
  }
}
