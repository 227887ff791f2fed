// SPDX-License-Identifier: Apache-2.0

/// What was seen on disk before anything was decided.
package struct LibraryObservation: Equatable, Sendable {
  /// What lies where a finished file should be.
  package enum Finding: Equatable, Sendable {
    case missing
    case file(size: ByteCount)
    /// A directory, a symbolic link, a FIFO: never ours.
    case foreign
  }

  package struct PartialFile: Equatable, Sendable {
    package var size: ByteCount
    package var modifiedAt: Timestamp
    package init(size: ByteCount, modifiedAt: Timestamp) {
      self.size = size
      self.modifiedAt = modifiedAt
    }
  }

  /// Of completed items.
  package var finished: ItemTable<Finding> = [:]
  /// Items whose publication was interrupted after the rename: the file is there and has the recorded hash.
  package var published: Set<ItemID> = []
  /// Files that nobody owns, at the place and with the content of a wanted item.
  package var adoptable: [ItemID: Adoptable] = [:]
  /// Finished files that a person renamed or moved inside the library, at their present places.
  package var strayed: [ItemID: StoredFile] = [:]
  /// Where a plan would put files, and something that is not ours stands.
  package var occupied: Set<LibraryPath> = []
  /// By name in the partial folder.
  package var partials: [String: PartialFile] = [:]
  package var trashBytes: ByteCount = .zero
  /// The part of it that is older than `storage.trash.keep`.
  package var expiredTrashBytes: ByteCount = .zero
  package var freeSpace: ByteCount
  package var fileSystem: FileSystemKind
  /// The partials' lengths are to be believed: the machine has not been down since they were written.
  package var trustsPartialLengths: Bool

  package init(freeSpace: ByteCount, fileSystem: FileSystemKind = .native, trustsPartialLengths: Bool = false) {
    self.freeSpace = freeSpace
    self.fileSystem = fileSystem
    self.trustsPartialLengths = trustsPartialLengths
  }
}

/// A file that can be taken over instead of fetching its like.
package struct Adoptable: Equatable, Sendable {
  package var file: StoredFile
  package var proof: AdoptionProof
  package init(file: StoredFile, proof: AdoptionProof) {
    self.file = file
    self.proof = proof
  }
}

/// What shows that a file is the wanted one.
package enum AdoptionProof: Hashable, Sendable {
  case declaredChecksum
  case declaredSize
  /// The hash that the queue file has for it.
  case recordedHash
  /// Its place and name alone: where the memory was lost.
  case name
  /// Its bytes are those that were fetched.
  case fetchedContent
}
