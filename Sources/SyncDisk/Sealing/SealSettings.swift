// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The key that seals a library's media, and the room that has to stay free.
package struct SealSettings: Sendable {
  package let keys: Keyset
  /// The id of the library, to which each file is bound.
  package let library: String
  package let minimumFree: ByteCount

  package init(_ keys: Keyset, library: String, minimumFree: ByteCount) {
    (self.keys, self.library, self.minimumFree) = (keys, library, minimumFree)
  }

  package func associatedData(_ id: ItemID) -> String { Sealing.associatedData(library: library, item: id) }
}
