// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The port through which media files are examined and tagged.
package protocol TagEditor: Sendable {
  /// The playing time of a file. Nil if the file does not tell it, or cannot be read as what it should be.
  /// - Parameter isExact: True to read the whole file if its header may be wrong.
  func duration(of file: MediaFile, isExact: Bool) async throws(TagProblem) -> Duration?

  /// The names that a file has for itself. Nil if it cannot be read as what it should be.
  func names(in file: MediaFile) async throws(TagProblem) -> MediaNames?

  /// Writes tags into a copy of a file. The file itself stays as it is.
  func write(_ order: TagOrder) async throws(TagProblem) -> TagResult
}

/// The tags for a copy of a file.
package struct TagOrder: Sendable {
  package var file: MediaFile
  /// The absolute path of the copy, which replaces any file there. Nil to learn only if there is something to write.
  package var copy: String?
  package var fields: TagFields
  /// True to replace fields that the file has.
  package var overwrites: Bool

  package init(_ fields: TagFields, for file: MediaFile, overwrites: Bool, copy: String? = nil) {
    (self.fields, self.file, self.overwrites, self.copy) = (fields, file, overwrites, copy)
  }
}

package enum TagResult: Equatable, Sendable {
  /// The copy has the tags. It is not flushed.
  case written
  /// The file lacks some of them, and no copy was asked for.
  case lacking
  /// The file has them already. There is no copy.
  case unchanged
  /// There is no copy.
  case failed(TagFailure)
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
