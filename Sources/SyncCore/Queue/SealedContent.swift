// SPDX-License-Identifier: Apache-2.0

/// The media in a sealed file. The size and the hash of the record itself are those of the sealed file on the disk.
package struct SealedContent: Hashable, Sendable {
  /// The hash and the size of the file before it was sealed, with its tags.
  package var sha256: SHA256Digest
  package var size: ByteCount
  /// The key that it was sealed with.
  package var key: KeyID

  /// True for a file that the content key of the item's licence opens.
  package var isByContentKey: Bool { key == .content }

  package init(sha256: SHA256Digest, size: ByteCount, key: KeyID) {
    (self.sha256, self.size, self.key) = (sha256, size, key)
  }
}
