// SPDX-License-Identifier: Apache-2.0

/// The plays in the counters of a server that come from here: those that were pushed to it, and the songs that it streamed
/// into the library, which some servers count as plays.
package struct ServerCountsOfOurs: Sendable {
  /// The pushes for which the server told its count before them.
  private let pushes: [ItemID: [CountedPush]]
  /// The time at which the last stream of an item ended.
  private let streams: [ItemID: Timestamp]

  /// The time by which a stream may begin before its end. The server counts it at its beginning.
  private static let streaming = Duration.hours(1)
  /// The time by which the clock of the server may be ahead.
  private static let clocks = Duration.minutes(5)

  package init() { (pushes, streams) = ([:], [:]) }

  package init(pushes: [ItemID: [CountedPush]], in queue: Queue, at server: MediaServer) {
    self.pushes = pushes
    streams = queue.items.reduce(into: [:]) { streams, item in
      guard let file = item.lastFile, let quality = file.quality, quality != .source,
        SubsonicURL.songID(of: item.item.main.url, at: server.url) != nil
      else { return }
      streams[item.id] = file.completedAt
    }
  }

  /// The growth of a counter without the plays that come from here. If a stream may have counted, and other plays as
  /// well, one play is taken for the stream: a download must never count as a play.
  func rest(_ growth: Int, of counter: PlayCounter, _ id: ItemID, since seen: PlayLog.Counter?) -> Int {
    let pushed =
      pushes[id]?.count { push in
        push.count >= seen?.value ?? 0 && push.hasArrived(count: counter.value, last: counter.lastAt)
      } ?? 0
    let rest = max(0, growth - pushed)
    guard rest > 0, let end = streams[id], seen.map({ $0.lastAt < end }) ?? true else { return rest }
    return isStream(counter, of: id) ? 0 : max(1, rest - 1)
  }

  /// True if the counter's last play may be a stream into the library.
  func isStream(_ counter: PlayCounter, of id: ItemID) -> Bool {
    guard let end = streams[id] else { return false }
    return counter.lastAt >= end - Self.streaming && counter.lastAt <= end + Self.clocks
  }

  /// True if the counter's last play was pushed from here.
  func isPush(_ counter: PlayCounter, of id: ItemID) -> Bool {
    pushes[id]?.contains { $0.at == counter.lastAt } ?? false
  }
}
