// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A small body that is complete, but only in memory. It is written away from the network's thread, which would spend a
/// fifth of its time on that if all files were small.
package struct SmallBody: Sendable {
  let bytes: [UInt8]
  /// Begun, without any of the bytes.
  let digest: RunningDigest
  let open: @Sendable () throws(FileError) -> any OpenFile

  /// Writes the whole body into its partial, and hashes it.
  /// - Returns: The digest, and the partial, which is open for its publication.
  func write() throws(FileError) -> (FileDigest, any OpenFile) {
    let file = try open()
    try file.truncate(to: .zero)
    try file.write(bytes, at: 0)
    var digest = digest
    bytes.withUnsafeBytes { digest.update($0) }
    return (digest.finish(), file)
  }
}
