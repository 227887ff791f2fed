// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// The checked publications that go into the library with the next group. While one group is being published, the next
/// one gathers.
struct PublicationQueue {
  /// Keeps the order of publication if players show files in the order in which they were written. Otherwise it is
  /// empty and no publication waits for another.
  private var order = PublishSequencer()
  private var groups = WorkGroups<Publication>(upTo: PublicationGroup.maximum)

  /// True if the disk does not keep up.
  var isFull: Bool { groups.isFull }

  mutating func keepOrder(of downloads: [PlannedDownload]) { order = PublishSequencer(downloads) }

  mutating func add(_ publication: Publication) { groups.add(order.ready(publication)) }

  /// Notes that an item is done, so that others need not wait for it.
  mutating func ended(_ id: ItemID) { groups.add(order.ended(id)) }

  /// Releases all publications that wait for others.
  mutating func releaseAll() { groups.add(order.giveUp()) }

  /// The next group to publish. Nil while another one is being published, or if there is none.
  mutating func begin() -> [Publication]? { groups.begin() }

  mutating func end() { groups.end() }

  /// Removes the waiting publications unless one group is being published.
  mutating func dismiss() -> [ItemID] { groups.dismiss().map(\.download.id) }
}
