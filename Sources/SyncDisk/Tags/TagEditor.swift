// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The port through which media files are examined and tagged.
package protocol TagEditor: Sendable {
  /// The playing time of a file. Nil if the file does not tell it, or cannot be read as what it should be.
  /// - Parameter isExact: True to read the whole file if its header may be wrong.
  func duration(of file: MediaFile, isExact: Bool) async throws(TagProblem) -> Duration?

  /// The names that a file has for itself. Nil if it cannot be read as what it should be.
  func names(in file: MediaFile) async throws(TagProblem) -> MediaNames?
}

/// A media file to examine.
package struct MediaFile: Hashable, Sendable {
  /// The absolute path, whose name may be that of a partial.
  package var path: String
  /// The extension that the content calls for.
  package var fileExtension: String

  package init(path: String, fileExtension: String) {
    self.path = path
    self.fileExtension = fileExtension
  }
}
