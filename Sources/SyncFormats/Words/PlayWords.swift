// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The sentences of the `play` command.
package enum PlayWords {
  /// The line when an item begins.
  package static func began(_ item: QueueItem, number: Int, of count: Int, at position: Duration) -> String {
    let start = position > .zero ? ", from \(clock(position))" : ""
    return "Playing \(name(of: item).quoted) (\(number) of \(count))\(start)"
  }

  /// The line that is drawn again and again on a terminal.
  package static func now(
    _ item: QueueItem, number: Int, of count: Int, position: Duration, duration: Duration?, isPaused: Bool
  ) -> String {
    let length = duration.map { " / \(clock($0))" } ?? ""
    return "\(isPaused ? "Paused " : "")\(clock(position))\(length)  \(number)/\(count)  \(name(of: item).printable)"
  }

  package static let keys = "space: pause, n: next, p: previous, left and right: 10 seconds, q: quit"
  package static let noCrossfade = "mpv has no crossfade, so player.crossfade has no effect"
  package static let notCounted = "what was played is not in the state yet; the next command that changes it counts it"
  package static let queueAndItems = "--queue list and --queue clear take no items"
  package static let queueNeedsItems = "--queue add needs a playlist or items"
  package static let seedNeedsShuffle = "--seed needs --shuffle"
  package static let emptyList = "The list is empty."

  package static func added(_ count: Int, total: Int) -> String {
    "Added \(count.counted("item")); the list has \(total.counted("item"))."
  }

  package static func cleared(_ count: Int) -> String { "Removed \(count.counted("item")) from the list." }

  package static func notRecorded(_ error: FileError) -> String {
    "what is played cannot be recorded: \(error.words)"
  }

  /// A line of the list.
  package static func listed(_ id: ItemID, _ item: QueueItem?, isNext: Bool) -> String {
    "\(isNext ? "> " : "  ")\(item.map { name(of: $0).printable } ?? "not in the queue") (\(id.text.printable))"
  }

  /// The artist and the title.
  private static func name(of item: QueueItem) -> String {
    item.item.artist.map { "\($0) - \(item.item.title)" } ?? item.item.title
  }

  /// For example `3:07` and `1:02:03`.
  package static func clock(_ duration: Duration) -> String {
    let seconds = max(0, duration.milliseconds / 1000)
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }
}

/// A line of `play --json`.
package enum PlayLines {
  package static func ended(
    _ item: QueueItem, _ playback: Playback, _ ending: Playback.Ending, _ verdict: PlayVerdict
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("id", item.id.text)
      writer.field("title", item.item.title)
      writer.field("player", playback.player.rawValue)
      writer.field("began", playback.began)
      writer.field("ending", ending.rawValue)
      writer.field("played", playback.played)
      writer.field("position", playback.position)
      writer.field("duration", playback.duration)
      writer.field("counted", verdict.counts)
    }
    writer.endLine()
    return writer.bytes
  }

  /// An item that was not played.
  package static func notPlayed(_ id: ItemID, _ words: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("id", id.text)
      writer.field("error", words)
    }
    writer.endLine()
    return writer.bytes
  }

  /// An item of the list.
  package static func listed(_ id: ItemID, _ item: QueueItem?, isNext: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("id", id.text)
      writer.field("title", item?.item.title)
      writer.flag("next", isNext)
    }
    writer.endLine()
    return writer.bytes
  }
}
