// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Recognises finished files of which somebody has changed nothing but the tags.
package struct RetaggedFiles: Sendable {
  let library: Library

  package init(library: Library) { self.library = library }

  /// The file with its present size and hash, if its audio is the recorded one. Nil if it is not, or if nothing is
  /// recorded about it. Reads the file.
  package func retagged(_ file: StoredFile) -> StoredFile? {
    guard let media = file.tagged?.mediaSHA256, let root = library.mediaRoot,
      let digest = FileDigest.compute(root[file.path], in: library.files, ifMediaIs: media)
    else { return nil }
    var retagged = file
    (retagged.size, retagged.sha256) = (digest.size, digest.sha256)
    return retagged
  }
}
