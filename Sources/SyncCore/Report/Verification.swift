// SPDX-License-Identifier: Apache-2.0

/// What `verify` found of the files that the queue file owns.
package struct Verification: Equatable, Sendable {
  package enum Finding: Hashable, Sendable {
    case missing
    /// Another size than the one that was published.
    case wrongSize(ByteCount)
    /// Another hash.
    case wrongContent
    /// No plain file of one name: replaced by something else.
    case foreign
    case unreadable(Failure)

    /// Whether the item may be fetched again for it.
    package var isRepairable: Bool {
      switch self {
      case .missing, .wrongSize, .wrongContent: true
      case .foreign, .unreadable: false
      }
    }
  }

  package struct Line: Equatable, Sendable {
    package var id: ItemID
    /// As the queue file has it.
    package var file: StoredFile
    package var finding: Finding
    /// Put back into the queue.
    package var isRepaired = false
    /// It was to be put back, and nothing names it any more: no run would fetch it again.
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
  /// The queue file, by which the files were judged, is damaged itself.
  package var isRecordDamaged = false

  package init(isDeep: Bool, checkedFiles: Int, checkedBytes: ByteCount, lines: [Line]) {
    self.isDeep = isDeep
    self.checkedFiles = checkedFiles
    self.checkedBytes = checkedBytes
    self.lines = lines
  }

  /// What is damaged or missing and was put back into the queue needs nobody any more.
  package var status: ExitStatus {
    lines.allSatisfy(\.isRepaired) && !isRecordDamaged ? .ok : .partial
  }
}

/// How far a check of files has come.
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
