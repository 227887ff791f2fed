// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

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
