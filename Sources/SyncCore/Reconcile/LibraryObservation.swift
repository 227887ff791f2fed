// SPDX-License-Identifier: Apache-2.0

/// The observations of the disk on which decisions are based.
package struct LibraryObservation: Equatable, Sendable {
  /// The finding at the place of a finished file.
  package enum Finding: Equatable, Sendable {
    case missing
    case file(size: ByteCount)
    /// A directory, a symbolic link or a FIFO, which syncjob never creates there.
    case foreign
    /// The system does not let the program look into the folder.
    case unreachable
  }

  package struct PartialFile: Equatable, Sendable {
    package var size: ByteCount
    package var modifiedAt: Timestamp
    package init(size: ByteCount, modifiedAt: Timestamp) {
      self.size = size
      self.modifiedAt = modifiedAt
    }
  }

  /// The findings for completed items.
  package var finished: ItemTable<Finding> = [:]
  /// The folders that may not be searched, with the number of finished files that should be there. These files count as
  /// present and are not touched.
  package var unreachable: [LibraryPath: UnreachableFiles] = [:]
  /// Items whose publication was interrupted after the rename: the file is present and has the recorded hash.
  package var published: Set<ItemID> = []
  /// Files without an owner that have the place and the content of a selected item.
  package var adoptable: [ItemID: Adoptable] = [:]
  /// Finished files that a person renamed or moved inside the library, with their present paths.
  package var strayed: [ItemID: StoredFile] = [:]
  /// Finished files whose tags somebody has changed, with their present sizes and hashes. Their audio is the same.
  package var retagged: [ItemID: StoredFile] = [:]
  /// Paths where a plan would put files and where something foreign is.
  package var occupied: Set<LibraryPath> = []
  /// Finished files that are to go and that the system would not move into the trash, with the error expected.
  package var stuck: [ItemID: FileError] = [:]
  /// The partials by their names in the partials folder.
  package var partials: [String: PartialFile] = [:]
  package var trashBytes: ByteCount = .zero
  /// The number of files in the trash that are not sealed.
  package var clearTrashFiles = 0
  /// The part of the trash that is older than `storage.trash.keep`.
  package var expiredTrashBytes: ByteCount = .zero
  package var freeSpace: ByteCount
  package var fileSystem: FileSystemKind
  /// True if the lengths of the partials can be trusted: the machine has not restarted since they were written.
  package var trustsPartialLengths: Bool

  package init(freeSpace: ByteCount, fileSystem: FileSystemKind = .native, trustsPartialLengths: Bool = false) {
    self.freeSpace = freeSpace
    self.fileSystem = fileSystem
    self.trustsPartialLengths = trustsPartialLengths
  }
}

/// Files in a folder that the system does not let the program search.
package struct UnreachableFiles: Equatable, Sendable {
  package var code: ErrnoCode
  package var count: Int
}

extension LibraryObservation {
  /// Counts a file that the system does not show.
  package mutating func addUnreachable(_ path: LibraryPath, _ code: ErrnoCode) {
    let known = unreachable[path.parent ?? path]?.count ?? 0
    unreachable[path.parent ?? path] = UnreachableFiles(code: code, count: known + 1)
  }

  var unreachableWarnings: [Warning] {
    unreachable.sorted { $0.key < $1.key }.map { .filesUnreachable(path: $0, $1.code, files: $1.count) }
  }
}

/// A file that can be adopted instead of being fetched.
package struct Adoptable: Equatable, Sendable {
  package var file: StoredFile
  package var proof: AdoptionProof
  package init(file: StoredFile, proof: AdoptionProof) {
    self.file = file
    self.proof = proof
  }
}

/// The evidence that a file is the one wanted.
package enum AdoptionProof: Hashable, Sendable {
  case declaredChecksum
  case declaredSize
  /// The hash recorded in the queue file.
  case recordedHash
  /// Only its place and name, after the state was lost.
  case name
  /// Its bytes are equal to the fetched ones.
  case fetchedContent
  /// It was sealed for this item with a key of the library.
  case seal
}
