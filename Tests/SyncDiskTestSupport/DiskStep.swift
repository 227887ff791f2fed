// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
package import SyncDisk

/// One change of a disk in memory, as requested. From the earlier disk and all steps since, every state can be made
/// that a power cut may leave.
package enum DiskStep: Sendable {
  /// A node without a name.
  case made(Int, MemoryDisk.Kind, FileMode)
  case wrote(Int, at: Int, [UInt8])
  case cut(Int, to: Int)
  /// Names that change in one step: one, or the two of a move.
  case named([NameChange])
  case flushedFile(Int)
  case flushedFolder(Int)
  /// The name of a new folder was flushed to the disk.
  case flushedName(folder: Int, [UInt8])
  case failedFlush(Int)
}

/// A name in a folder that now leads to another node, or to none.
package struct NameChange: Sendable {
  package var folder: Int
  package var name: [UInt8]
  package var node: Int?

  package init(folder: Int, name: [UInt8], node: Int? = nil) {
    self.folder = folder
    self.name = name
    self.node = node
  }
}

/// Makes one operation fail: the n-th of its kind, counted from 1.
package struct DiskTrap: Sendable {
  package let operation: FileError.Operation
  package let number: Int
  package let code: Int32
  /// True if the operations after it fail as well.
  package let lasts: Bool
  private(set) var met = 0

  package init(_ operation: FileError.Operation, _ number: Int, _ code: Int32, lasts: Bool) {
    self.operation = operation
    self.number = number
    self.code = code
    self.lasts = lasts
  }

  package var hasSprung: Bool { met >= number }

  /// The error code with which the operation fails. Nil if it may go on.
  package mutating func spring(at operation: FileError.Operation) -> Int32? {
    guard operation == self.operation else { return nil }
    met += 1
    return met == number || lasts && met > number ? code : nil
  }
}
