// SPDX-License-Identifier: Apache-2.0

/// The beginning of a chapter of a recording.
package struct ChapterMark: Hashable, Sendable {
  /// From the beginning of the recording.
  package var start: Duration
  package var title: String
  package init(start: Duration, title: String) { (self.start, self.title) = (start, title) }
}
