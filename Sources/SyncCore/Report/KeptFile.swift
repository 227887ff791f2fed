// SPDX-License-Identifier: Apache-2.0

/// Why a file stays that was to be removed by command. Its item is what it was.
package enum KeptFile: Hashable, Sendable {
  /// It is not the one that was published.
  case notOurs(LibraryPath)
  /// The system does not let it go.
  case refused(LibraryPath, FileError)
}
