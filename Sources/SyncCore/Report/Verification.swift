// SPDX-License-Identifier: Apache-2.0

/// The result of `verify` for the files in the queue file.
package struct Verification: Equatable, Sendable {
  package enum Finding: Hashable, Sendable {
    case missing
    /// The size differs from the published one.
    case wrongSize(ByteCount)
    /// The hash differs from the published one.
    case wrongContent
    /// Replaced by something other than a plain file with a single name.
    case foreign
    case unreadable(Failure)

    /// True if the item may be fetched again to repair this.
    package var isRepairable: Bool {
      switch self {
      case .missing, .wrongSize, .wrongContent: true
      case .foreign, .unreadable: false
      }
    }
  }

  package struct Line: Equatable, Sendable {
    package var id: ItemID
    /// The file as recorded in the queue file.
    package var file: StoredFile
    package var finding: Finding
    /// True if the item was queued again.
    package var isRepaired = false
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

  /// Damaged or missing files that were queued again need no further attention.
  package var status: ExitStatus {
    lines.allSatisfy(\.isRepaired) && !isRecordDamaged ? .ok : .partial
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
