// SPDX-License-Identifier: Apache-2.0

/// The reason why no file can be examined or tagged, whatever the file.
package enum TagProblem: Error, Hashable, Sendable {
  /// The program that reads and writes tags is not where it should be.
  case programMissing
  /// The program does not start without TagLib.
  case libraryMissing
  case notStarted(ErrnoCode)
  /// The program is that of an earlier version, and does not know the request.
  case programTooOld
}
