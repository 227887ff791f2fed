// SPDX-License-Identifier: Apache-2.0

/// The result of `verify` for the files in the queue file.
package struct Verification: Equatable, Sendable {
  package enum Finding: Hashable, Sendable {
    case missing
    /// The file is whole, but a person renamed it or moved it inside the library: found there by its size and SHA-256.
    case elsewhere(LibraryPath)
    /// The size differs from the published one.
    case wrongSize(ByteCount)
    /// The hash differs from the published one.
    case wrongContent
    /// Somebody changed the tags of the file. Its audio is the recorded one.
    case retagged(StoredFile)
    /// Replaced by something other than a plain file with a single name.
    case foreign
    /// The file of another item is in its place. Found only within some playlists, whose items are repaired without
    /// regard to others.
    case ofAnotherItem
    /// The sealed file is the recorded one, but no key opens all of it as the file of its item.
    case closed
    case unreadable(Failure)

    /// True if a repair can do something about it: record the new path, or have the item fetched again.
    package var isRepairable: Bool {
      switch self {
      case .missing, .elsewhere, .wrongSize, .wrongContent, .retagged: true
      case .foreign, .ofAnotherItem, .closed, .unreadable: false
      }
    }

    /// True if the file is there and has other bytes than the published ones.
    package var isDamage: Bool {
      switch self {
      case .wrongSize, .wrongContent: true
      case .missing, .elsewhere, .retagged, .foreign, .ofAnotherItem, .closed, .unreadable: false
      }
    }

    package var isRetagged: Bool { if case .retagged = self { true } else { false } }

    package var isElsewhere: Bool { if case .elsewhere = self { true } else { false } }
  }

  package struct Line: Equatable, Sendable {
    package var id: ItemID
    /// The file as recorded in the queue file.
    package var file: StoredFile
    package var finding: Finding
    /// True if the item was queued again, or its new path was recorded.
    package var isRepaired = false
    /// True if a run does not notice that the file is elsewhere, because another file of its size is in its place.
    package var isHidden = false
    /// True if the item should be queued again but no playlist names it any more, so no run would fetch it.
    package var isUnnamed = false
    package init(id: ItemID, file: StoredFile, finding: Finding) {
      self.id = id
      self.file = file
      self.finding = finding
    }
  }

  package var isDeep: Bool
  package var checkedFiles: Int
  package var checkedBytes: ByteCount
  package var lines: [Line]
  /// True if the queue file, against which the files were checked, is damaged itself.
  package var isRecordDamaged = false

  package init(isDeep: Bool, checkedFiles: Int, checkedBytes: ByteCount, lines: [Line]) {
    self.isDeep = isDeep
    self.checkedFiles = checkedFiles
    self.checkedBytes = checkedBytes
    self.lines = lines
  }

  /// Files that were queued again or recorded under their new paths need no further attention. Nor do changed tags.
  package var status: ExitStatus {
    lines.allSatisfy { $0.isRepaired || $0.finding.isRetagged } && !isRecordDamaged ? .ok : .partial
  }
}

/// The progress of a check of files.
package struct CheckingProgress: Equatable, Sendable {
  package var files = 0
  package var allFiles: Int
  package var bytes = ByteCount.zero
  package var allBytes: ByteCount
  package init(allFiles: Int, allBytes: ByteCount) {
    self.allFiles = allFiles
    self.allBytes = allBytes
  }
}
