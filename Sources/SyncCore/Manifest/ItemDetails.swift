// SPDX-License-Identifier: Apache-2.0

/// The facts about an item that a source states for its tags. Inline items have none.
package struct ItemDetails: Hashable, Sendable {
  package var season: Int?
  /// The number of the episode in its season, or in the source.
  package var number: Int?
  /// The picture of the item.
  package var image: RemoteURL?
  /// The picture of the source, for an item without one.
  package var sourceImage: RemoteURL?
  /// The document with the chapters.
  package var chapters: RemoteURL?
  /// The chapters that the source itself lists, in its order.
  package var marks: [ChapterMark] = []
  /// The document with the words of the recording.
  package var transcript: RemoteURL?
  package init() {}
}

/// The beginning of a chapter of a recording.
package struct ChapterMark: Hashable, Sendable {
  /// From the beginning of the recording.
  package var start: Duration
  package var title: String
  package init(start: Duration, title: String) { (self.start, self.title) = (start, title) }
}
