// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The list that `play` works through, `play_queue.json` in the state folder: one JSON object with a check at its end.
///
///     {"list":"8b1f…","items":["night-drive","news:1"],"seed":7,"repeat":"all","crc":"…"}
package enum PlayListFile {
  package static func encode(_ list: PlayList) -> [UInt8] {
    JSONWriter.sealedLines([list]) { writer, list in
      writer.object { writer in
        writer.field("list", list.id)
        writer.array("items") { writer in for item in list.items { writer.value(item.text) } }
        writer.field("seed", list.seed.map { String($0) })
        writer.field("repeat", list.repeats.rawValue)
      }
    }
  }

  /// Nil for bytes that are not as they were written.
  package static func read(_ bytes: [UInt8]) -> PlayList? {
    sealedLine(bytes) { cursor throws(QueueFileProblem) in try cursor.playList() }
  }

  /// The value of a file that is one line with a check.
  static func sealedLine<Value>(
    _ bytes: [UInt8], _ read: (inout QueueCursor) throws(QueueFileProblem) -> Value?
  ) -> Value? {
    guard bytes.last == UInt8(ascii: "\n") else { return nil }
    let line = 0..<bytes.count - 1
    guard LineCheck.isWhole(bytes, line) else { return nil }
    var cursor = QueueCursor(JSONReader(bytes, in: line))
    do throws(QueueFileProblem) { return try read(&cursor) } catch { return nil }
  }
}

private enum ListField: String, CaseIterable {
  case list, items, seed, `repeat`
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  fileprivate mutating func playList() throws(QueueFileProblem) -> PlayList? {
    var list = PlayList(id: "")
    try object(ListField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.list): list.id = try cursor.string()
      case .known(.items):
        var items: [ItemID] = []
        try cursor.array { cursor throws(QueueFileProblem) in items.append(try cursor.parsed { ItemID($0) }) }
        list.items = items
      case .known(.seed): list.seed = try cursor.parsed { UInt64($0) }
      case .known(.repeat): list.repeats = try cursor.parsed { PlayOrder.Repeat(rawValue: $0) }
      case .unknown: try cursor.skip()
      }
    }
    return list.id.isEmpty ? nil : list
  }
}
