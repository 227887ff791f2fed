// SPDX-License-Identifier: Apache-2.0

/// The facts about a file whose tags the manifest manages, which stay true when somebody changes its tags.
package struct TaggedContent: Hashable, Sendable {
  /// The hash and the size of the bytes that were received.
  package var sourceSHA256: SHA256Digest
  package var sourceSize: ByteCount
  /// The hash of the file's audio without its tags. Nil if the format is not known so well.
  package var mediaSHA256: SHA256Digest?

  package init(sourceSHA256: SHA256Digest, sourceSize: ByteCount, mediaSHA256: SHA256Digest?) {
    (self.sourceSHA256, self.sourceSize, self.mediaSHA256) = (sourceSHA256, sourceSize, mediaSHA256)
  }
}

extension StoredFile {
  /// The hash of the bytes that were received, to which a declared checksum refers.
  package var sourceSHA256: SHA256Digest { tagged?.sourceSHA256 ?? plainSHA256 }
  /// The size of the bytes that were received, to which a declared size refers.
  package var sourceSize: ByteCount { tagged?.sourceSize ?? plainSize }

  /// The hash and the size of the file in clear.
  package var plainSHA256: SHA256Digest { sealed?.sha256 ?? sha256 }
  package var plainSize: ByteCount { sealed?.size ?? size }
}
