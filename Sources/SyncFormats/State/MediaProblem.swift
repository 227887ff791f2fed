// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The reason why the media of an item cannot be read.
package enum MediaProblem: Error, Equatable, Sendable {
  case unknown(ItemSelector.Problem)
  /// The item has no file in the library.
  case noFile(ItemID, ItemState.Name)
  case file(FileError)
  /// The file is sealed, and the manifest names no keys.
  case noKeys(ItemID)
  /// No key opens the file as that of this item.
  case notOpened(ItemID, LibraryPath)
  /// The bytes at that place of the file are not those that were sealed.
  case damaged(ItemID, LibraryPath, at: ByteCount)
  /// The media are not those that were put there.
  case changed(LibraryPath)
  /// Another file is in the place of the copy.
  case taken(path: String)
  /// A signal has stopped it.
  case stopped
  /// The licence of the item is over, or there is none yet.
  case notLicensed(ItemID, expiresAt: Timestamp?)
  /// The licence of the item forbids media in clear.
  case exportForbidden(ItemID)
  /// The copy would be in the library.
  case inLibrary(path: String)
  /// No server for sealed files can be started on this machine.
  case notServed(ItemID)

  package var status: ExitStatus {
    switch self {
    case .unknown, .noFile, .inLibrary: .usage
    case .file(let error): JobError.file(error).status
    case .noKeys, .notServed: .fatal
    case .stopped: .terminated
    case .notOpened, .damaged, .changed, .taken, .notLicensed, .exportForbidden: .partial
    }
  }
}

/// The reason why a keyset is not written.
package enum KeyEditProblem: Error, Equatable, Sendable {
  /// The manifest names no keyset.
  case noPlace
  /// The keyset comes from a program or a service manager.
  case notAFile(SecretPlace)
  /// A new keyset would replace another one, whose files it does not open.
  case present(path: String)
  /// No key with this number can seal.
  case unknownKey(KeyID)
  /// These files would not open with a new keyset.
  case librarySealed(files: Int)
  case keys(KeysProblem)
  case job(JobError)
  case file(FileError)

  package var status: ExitStatus {
    switch self {
    case .noPlace, .notAFile, .present, .unknownKey: .usage
    case .librarySealed: .safety
    case .keys(let problem): JobError.keys(problem).status
    case .job(let error): error.status
    case .file(let error): JobError.file(error).status
    }
  }
}
