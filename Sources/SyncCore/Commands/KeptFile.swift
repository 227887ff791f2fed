// SPDX-License-Identifier: Apache-2.0

/// The reason why a file stays that a command should have removed. Its item is unchanged.
package enum KeptFile: Hashable, Sendable {
  /// The file is not the one that was published.
  case notOurs(LibraryPath)
  /// The system refuses to remove the file.
  case refused(LibraryPath, FileError)
}
