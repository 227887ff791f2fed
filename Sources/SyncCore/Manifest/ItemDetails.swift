// SPDX-License-Identifier: Apache-2.0

/// The facts about an item that a source states for its tags. Inline items have none, and the queue keeps none.
package struct ItemDetails: Hashable, Sendable {
  /// The identity of the episode in its feed.
  package var guid: String?
  /// The number of the episode in its season, or in the source.
  package var number: Int?
  /// The picture of the item.
  package var image: RemoteURL?
  /// The picture of the source.
  package var sourceImage: RemoteURL?
  /// The document with the chapters.
  package var chapters: RemoteURL?
  /// The chapters that the source itself lists.
  package var marks: [ChapterMark] = []
  package init() {}
}
