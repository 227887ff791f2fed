// SPDX-License-Identifier: Apache-2.0

/// A document or a picture that goes with an item, besides its media.
package enum AttachmentKind: Hashable, Sendable { case picture, chapters }

/// The reason why the picture or the chapters of an item are not where the manifest wants them.
package enum AttachmentFailure: Error, Hashable, Sendable {
  case notFetched(Failure)
  /// The server sent something else than a picture of a kind that players show, or than chapters.
  case notOfThatKind
  /// The picture could not be put into the folder.
  case notWritten(FileError)
  /// Files of this format have no place for it that the program knows.
  case noPlace(fileExtension: String)
}
