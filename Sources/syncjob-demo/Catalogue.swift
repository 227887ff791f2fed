// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport

/// One generated file of the demonstration.
struct Track: Sendable {
  let path: String
  let audio: GeneratedAudio

  init(
    _ path: String, _ title: String, album: String, seconds: Double, seed: UInt64,
    bitRate: GeneratedAudio.BitRate = .kbps32
  ) {
    self.path = path
    audio = GeneratedAudio(
      title: title, artist: "The Loopbacks", album: album, seconds: seconds, seed: seed, bitRate: bitRate)
  }

  var title: String { audio.tag.title }
  var resource: Resource { Resource(bytes: audio.bytes, etag: "\"demo-\(audio.seed)\"") }
  var summary: String { "\(path) \(audio.size) \(Int(audio.seconds.rounded())) \(title)" }
}

/// All files of the demonstration. `manifests/demo.yaml` names the same paths and sizes.
enum Catalogue {
  static let harbourLights = Track("/harbour-lights.mp3", "Harbour Lights", album: "Roads", seconds: 120, seed: 1)
  /// Its first response breaks off.
  static let paperBoats = Track("/paper-boats.mp3", "Paper Boats", album: "Roads", seconds: 200, seed: 2)
  /// Its first response is 503.
  static let slowTide = Track("/slow-tide.mp3", "Slow Tide", album: "Roads", seconds: 150, seed: 3)
  /// Served by the slow host.
  static let longRoad = Track("/long-road.mp3", "Long Road", album: "Roads", seconds: 130, seed: 4)
  /// Larger than the space left in the budget.
  static let midnightSymphony = Track(
    "/midnight-symphony.mp3", "Midnight Symphony", album: "Roads", seconds: 300, seed: 5, bitRate: .kbps64)

  /// Replacements for `/night-drive.mp3`, which is missing. The replacement of 3:50 is missing too.
  static let nightDrives = [
    Track("/night-drive-500.mp3", "Night Drive", album: "Elsewhere", seconds: 300, seed: 10),
    Track("/night-drive-410.mp3", "Night Drive", album: "Elsewhere", seconds: 250, seed: 11),
    Track("/night-drive-340.mp3", "Night Drive", album: "Elsewhere", seconds: 220, seed: 12),
  ]

  static let episodes = [("Harbours", 130.0), ("Bridges", 140), ("Tunnels", 150), ("Ferries", 120), ("Ports", 160)]
    .enumerated().map { number, episode in
      Track(
        "/episodes/\(number + 1).mp3", episode.0, album: "World Brief", seconds: episode.1, seed: 20 + UInt64(number))
    }

  static let onOrigin = [harbourLights, paperBoats, slowTide, midnightSymphony] + nightDrives + episodes
  static let all = onOrigin + [longRoad]
  /// The ids of the items of `manifests/demo.yaml`. Each has a single licence at `/l/ID` of the licence server.
  static let items = [
    "harbour-lights", "paper-boats", "slow-tide", "night-drive", "lost-tape", "long-road", "midnight-symphony",
  ]
}

/// The feed of the demonstration: RSS 2.0 with iTunes durations, one episode a week, newest first.
struct DemoFeed {
  let origin: String
  let episodes: [Track]
  /// 5 January 2026, 08:00 UTC.
  private static let firstPublished = 1_767_600_000
  private static let week = 7 * 86_400

  var resource: Resource {
    Resource(text: text, contentType: "application/rss+xml; charset=utf-8", etag: "\"feed-\(episodes.count)\"")
  }

  private var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
      <channel>
        <title>World Brief</title>
        <link>\(origin)/</link>
        <description>Five short pieces about getting across water.</description>
        <itunes:author>The Loopbacks</itunes:author>
    \(episodes.enumerated().reversed().map(item).joined(separator: "\n"))
      </channel>
    </rss>

    """
  }

  private func item(_ number: Int, _ episode: Track) -> String {
    """
        <item>
          <title>\(episode.title)</title>
          <guid isPermaLink="false">world-brief-\(number + 1)</guid>
          <pubDate>\(HTTPDate.text(Self.firstPublished + number * Self.week))</pubDate>
          <itunes:duration>\(Int(episode.audio.seconds.rounded()))</itunes:duration>
          <enclosure url="\(origin)\(episode.path)" length="\(episode.audio.size)" type="audio/mpeg"/>
        </item>
    """
  }
}
