// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The digests of a whole file, and the kind of content that its first bytes show.
package struct FileDigest: Sendable {
  package var size: ByteCount
  package var sha256: SyncCore.SHA256Digest
  /// The digest by the requested algorithm, lower-case hexadecimal.
  package var declared: String?
  var content: SniffedContent

  /// Reads the file once.
  package static func compute(
    _ place: FilePlace, in files: some FileSystem, also algorithm: Checksum.Algorithm? = nil
  ) throws(Failure) -> FileDigest {
    var digest = RunningDigest(also: algorithm)
    do throws(FileError) {
      let file = try files.open(place, for: .reading)
      try file.readChunks(of: 1 << 20) { chunk throws(FileError) in digest.update(chunk) }
      try file.close()
    } catch { throw error.failure }
    return digest.finish()
  }

  /// True if the file has that hash; false for one that cannot be read.
  package static func isContent(_ place: FilePlace, _ sha256: SyncCore.SHA256Digest, in files: some FileSystem) -> Bool
  {
    do throws(Failure) { return try compute(place, in: files).sha256 == sha256 } catch { return false }
  }
}
