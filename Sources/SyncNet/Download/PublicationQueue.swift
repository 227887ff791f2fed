// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// The checked publications that go into the library with the next group. While one group is being published, the next
/// one gathers.
struct PublicationQueue {
  /// Keeps the order of publication if players show files in the order in which they were written. Otherwise it is
  /// empty and no publication waits for another.
  private var order = PublishSequencer()
  private var waiting: [Publication] = []
  private var isPublishing = false

  /// True if the disk does not keep up.
  var isFull: Bool { waiting.count >= PublicationGroup.maximum }

  mutating func keepOrder(of downloads: [PlannedDownload]) { order = PublishSequencer(downloads) }

  mutating func add(_ publication: Publication) { waiting += order.ready(publication) }

  /// Notes that an item is done, so that others need not wait for it.
  mutating func ended(_ id: ItemID) { waiting += order.ended(id) }

  /// Releases all publications that wait for others.
  mutating func releaseAll() { waiting += order.giveUp() }

  /// The next group to publish. Nil while another one is being published, or if there is none.
  mutating func begin() -> [Publication]? {
    guard !isPublishing, !waiting.isEmpty else { return nil }
    let group = Array(waiting.prefix(PublicationGroup.maximum))
    waiting.removeFirst(group.count)
    isPublishing = true
    return group
  }

  mutating func end() { isPublishing = false }

  /// Removes the waiting publications unless one group is being published.
  mutating func dismiss() -> [ItemID] {
    guard !isPublishing else { return [] }
    defer { waiting = [] }
    return waiting.map(\.download.id)
  }
}
