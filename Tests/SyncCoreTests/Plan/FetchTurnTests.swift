// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("whose turn it is")
struct FetchTurnTests {
  private struct Entry {
    var name: String
    var priority = Priority.normal
    var published: Int64?
    var bytes: Int64 = 0
  }

  /// In the order of the manifest.
  private static let entries = [
    Entry(name: "plain"), Entry(name: "low", priority: .low, published: 300, bytes: 10),
    Entry(name: "old", published: 100, bytes: 30), Entry(name: "high", priority: .high, published: 200, bytes: 20),
  ]

  @Test(
    "each order has its own first, the manifest decides among equals, and what lacks the datum comes last",
    arguments: [
      (DownloadPolicy.Order.priority, ["high", "plain", "old", "low"]), (.manifest, ["plain", "low", "old", "high"]),
      (.newest, ["low", "high", "old", "plain"]), (.oldest, ["old", "high", "low", "plain"]),
      (.smallest, ["low", "high", "old", "plain"]),
    ])
  func order(order: DownloadPolicy.Order, names: [String]) {
    let turns = Self.entries.enumerated().map { position, entry in
      let published = entry.published.map { Timestamp(secondsSince1970: $0) }
      return (
        entry.name,
        FetchTurn(
          order, priority: entry.priority, published: published, bytes: ByteCount(entry.bytes), position: position)
      )
    }
    #expect(turns.sorted { $0.1 < $1.1 }.map(\.0) == names)
  }
}
