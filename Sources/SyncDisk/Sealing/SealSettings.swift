// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The keys that seal and open a library's media, and the room that has to stay free.
package struct SealSettings: Sendable {
  /// The keys of the library. Nil if it has none.
  package let keys: Keyset?
  /// The content keys of licences.
  package var contentKeys: [ItemID: SealingKey] = [:]
  /// The id of the library, to which each file is bound.
  package let library: String
  package let minimumFree: ByteCount

  package init(_ keys: Keyset?, library: String, minimumFree: ByteCount) {
    (self.keys, self.library, self.minimumFree) = (keys, library, minimumFree)
  }

  package func associatedData(_ id: ItemID) -> String { Sealing.associatedData(library: library, item: id) }

  /// The keys that may open the file of an item.
  package func openingKeys(of id: ItemID) -> [SealingKey] {
    (contentKeys[id].map { [$0] } ?? []) + (keys?.keys ?? [])
  }
}
