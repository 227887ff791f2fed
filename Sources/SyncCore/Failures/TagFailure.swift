// SPDX-License-Identifier: Apache-2.0

/// The reason why one file is published without the tags that the manifest asks for.
package enum TagFailure: Hashable, Sendable {
  /// The program that writes tags knows no tags in files of this format.
  case format(String)
  /// TagLib cannot read the file.
  case unreadable
  /// The file brought the program down.
  case crashed
  case tooSlow
  /// The disk lacks this many bytes for the copy that gets the tags.
  case noRoom(lacking: ByteCount)
  /// The system refused to make or to write the copy.
  case refused(ErrnoCode)
  /// The copy does not have the tags, or its audio is not that of the file.
  case damaged
}
