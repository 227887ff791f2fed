// SPDX-License-Identifier: Apache-2.0

/// The plays in the counters of a server that come from here: those that were pushed to it, and the songs that it streamed
/// into the library, which some servers count as plays.
package struct OwnPlays: Sendable {
  /// The pushes for which the server told its count before them.
  private let pushes: [ItemID: [CountedPush]]
  /// The time at which the last stream of an item ended. Nil while one is still to come, or may have broken off.
  private let streams: [ItemID: Timestamp?]

  /// The time by which a stream may begin before its end. The server counts it at its beginning.
  private static let streaming = Duration.hours(1)
  /// The time by which the clock of the server may be ahead.
  private static let clocks = Duration.hours(1)

  package init() { (pushes, streams) = ([:], [:]) }

  package init(pushes: [ItemID: [CountedPush]], in queue: Queue, at server: MediaServer) {
    self.pushes = pushes
    streams = queue.items.reduce(into: [:]) { streams, item in
      let url = item.item.main.url
      guard SubsonicURL.songID(of: url, at: server.url) != nil else { return }
      let file = item.state.storedFile
      // Another quality than the original comes by a stream.
      let wasStreamed = item.lastFile?.quality.map { $0 != .source } ?? false
      let isStreaming = item.upgrade != nil || (file == nil || !wasStreamed) && SubsonicURL.original(of: url) != url
      if isStreaming {
        streams[item.id] = .some(nil)
      } else if wasStreamed {
        streams[item.id] = item.lastFile?.completedAt
      }
    }
  }

  /// The growth of a counter without the plays that come from here. A download must never count as a play. So while a
  /// song is being streamed nothing counts, and after that one play at most, if it is later than the stream.
  func rest(_ growth: Int, of counter: PlayCounter, _ id: ItemID, since seen: PlayLog.Counter?) -> Int {
    let pushed =
      pushes[id]?.count { push in
        push.count >= seen?.value ?? 0 && push.hasArrived(count: counter.value, last: counter.lastAt)
      } ?? 0
    let rest = max(0, growth - pushed)
    guard rest > 0, let stream = streams[id] else { return rest }
    guard let end = stream else { return 0 }
    if let seen, seen.lastAt >= end - Self.streaming { return rest }
    return isStream(counter, of: id) ? 0 : 1
  }

  /// True if the counter's last play may be a stream into the library.
  func isStream(_ counter: PlayCounter, of id: ItemID) -> Bool {
    guard let stream = streams[id] else { return false }
    return stream.map { counter.lastAt <= $0 + Self.clocks } ?? true
  }

  /// True if the counter's last play was pushed from here.
  func isPush(_ counter: PlayCounter, of id: ItemID) -> Bool {
    pushes[id]?.contains { ($0.at - counter.lastAt).magnitude < .minutes(1) } ?? false
  }
}
