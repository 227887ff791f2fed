// SPDX-License-Identifier: Apache-2.0

/// The tags that fetched files get.
package struct TagPolicy: Equatable, Sendable {
  /// The fields that are written into a file.
  package enum Mode: String, CaseIterable, Sendable {
    case off
    /// Those that the file lacks.
    case fill
    /// All that are known. Those of the file give way.
    case overwrite
  }

  /// The place of the picture of an item.
  package enum Artwork: String, CaseIterable, Sendable {
    case off
    /// In the file.
    case embed
    /// Beside the files of a folder, once for all of them.
    case folder
  }

  /// The place of the chapters of an item.
  package enum Chapters: String, CaseIterable, Sendable { case off, embed }

  package var mode = Mode.off
  package var artwork = Artwork.off
  package var chapters = Chapters.off
  package init() {}

  /// True if something is done with files before they are published.
  package var isOn: Bool { changesFiles || artwork == .folder }

  /// True if files may be changed.
  package var changesFiles: Bool { mode != .off || artwork == .embed || chapters == .embed }
}
