// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("the fields of an item in the queue file")
struct QueueItemFieldTests {
  /// Items of every shape, with the names of their fields in the order of the file.
  private func written(_ count: Int) throws -> [(item: QueueItem, names: [String])] {
    var generator = QueueGenerator(seed: 11)
    let empty = Queue(libraryID: "l", savedAt: Timestamp(secondsSince1970: 0))
    return try (0..<count).compactMap { number in
      guard let item = generator.queueItem(try #require(ItemID("item-\(number)"))) else { return nil }
      var queue = empty
      queue[item.id] = item
      let bytes = QueueFile.encode(queue)
      #expect(try QueueFile.decode(bytes)[item.id] == item)
      guard case .object(let file) = try JSONValue(parsing: bytes),
        case .array(let lines)? = file.first(where: { $0.name == "items" })?.value,
        case .object(let line)? = lines.first
      else { return nil }
      return (item, line.map(\.name))
    }
  }

  @Test("each field of the table is written and read back, in the order of the table, and no other")
  func everyField() throws {
    let table = QueueItemField.allCases.map(\.name)
    var found: Set<String> = []
    for (item, names) in try written(600) {
      let unknown = item.unknownFields.map(\.name)
      let known = names.filter { !unknown.contains($0) }
      #expect(known == table.filter(known.contains), "\(item.id)")
      found.formUnion(known)
    }
    #expect(found == Set(table))
  }

  @Test("an item has only the fields of its state, and each of them in some item")
  func everyState() throws {
    var found: [ItemState.Name: Set<String>] = [:]
    for (item, names) in try written(1500) {
      found[item.state.name, default: []].formUnion(names.filter { !item.unknownFields.map(\.name).contains($0) })
    }
    for state in ItemState.Name.allCases {
      let allowed = QueueItemField.allCases.filter { QueueItemFields.allowed(in: state).contains($0) }
      #expect(found[state] == Set(allowed.map(\.name)), "\(state)")
    }
  }

  @Test("an upgrade has the fields of a transfer")
  func upgrades() {
    let fields = QueueItemField.allCases.filter { QueueItemFields.transfer.contains($0) }
    #expect(
      fields == [
        .candidate, .attempts, .bytesReceived, .bytesTotal, .validator, .partial, .partialURL, .extents, .publishing,
        .error, .requested, .deferred, .nextAttemptAt,
      ])
    let file = QueueItemField.allCases.filter { QueueItemFields.file.contains($0) }
    #expect(
      file == [
        .candidate, .path, .movingTo, .size, .sha256, .sourceSize, .sourceSHA256, .mediaSHA256, .sealed, .verifiedBy,
        .quality, .confidence, .origin, .completedAt,
      ])
  }
}
