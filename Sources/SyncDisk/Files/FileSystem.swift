// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The port to files: everything that the program does with names on a disk. No component of a path below a root is
/// ever followed through a symbolic link; one on the way is an error that `isObstructed`.
package protocol FileSystem: Sendable {
  /// Opens a directory by its path, which may lead through symbolic links: a person wrote it.
  /// - Parameter mode: makes the missing components with this mode; nil means that the directory must exist.
  func openRoot(_ path: String, making mode: FileMode?) throws(FileError) -> FileRoot

  /// Opens a directory below another root as a separate root.
  func openRoot(_ place: FilePlace, making mode: FileMode?) throws(FileError) -> FileRoot

  /// Nil when nothing is there.
  func status(of place: FilePlace) throws(FileError) -> FileStatus?

  /// The entries of a directory, sorted by the bytes of their names. An entry that is removed in the meantime may be
  /// missing.
  /// - Parameter isMeant: gets each name, and returns false for one that is left out. Nothing else is looked at then.
  func list(_ folder: FilePlace, where isMeant: (String) -> Bool) throws(FileError) -> [DirectoryEntry]

  /// Throws the error that a new file in this directory would meet, as far as the system tells it beforehand. A directory
  /// that may not be read fails as well, because its names could not be flushed.
  func checkWritable(_ folder: FilePlace) throws(FileError)

  /// Makes the missing directories of a path, and flushes each new name to the disk. The name of the last directory that
  /// exists is flushed, too: a process that made it may have been killed before its flush.
  func makeFolders(_ folder: FilePlace, mode: FileMode) throws(FileError)

  /// Opens a plain file; anything else is refused without waiting.
  func open(_ place: FilePlace, for access: FileAccess) throws(FileError) -> any OpenFile

  /// Moves a file on the same file system. Without `replacing`, a target that exists is an error that `isPresent`.
  /// Durable once both directories are flushed.
  func move(_ source: FilePlace, to target: FilePlace, replacing: Bool) throws(FileError)

  /// Gives a file a second name; false when the file system does not support it.
  func link(_ source: FilePlace, to target: FilePlace) throws(FileError) -> Bool

  func removeFile(_ place: FilePlace) throws(FileError)

  /// Removes an empty directory.
  func removeFolder(_ place: FilePlace) throws(FileError)

  /// Makes names that were made, moved or removed in a directory survive a power cut, where the file system supports
  /// it.
  func syncFolder(_ folder: FilePlace) throws(FileError)

  func space(at root: FileRoot) throws(FileError) -> DiskSpace

  /// Prevents other users from writing into a folder, as far as we own it.
  func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy

  /// The id of the mount that contains a directory. A rename between two mounts fails, even on one device. Nil if the
  /// system cannot tell.
  func mount(of folder: FilePlace) throws(FileError) -> UInt64?

  /// The kind of file system that a directory is on.
  func kind(of root: FileRoot) throws(FileError) -> FileSystemKind
}

extension FileSystem {
  /// All entries of a directory.
  package func list(_ folder: FilePlace) throws(FileError) -> [DirectoryEntry] { try list(folder) { _ in true } }

  /// For file systems without mounts.
  package func mount(of folder: FilePlace) throws(FileError) -> UInt64? { nil }
}

/// The purpose for which a file is opened.
package enum FileAccess: Hashable, Sendable {
  case reading
  /// A file that exists. Refused when it has a second name.
  case writing
  /// A file that must not exist yet.
  case creating(FileMode)
  /// A file that may exist.
  case writingOrCreating(FileMode)
  /// A file that may exist, to be locked and to hold the name of its holder. Refused when it has a second name.
  case locking(FileMode)
}

extension FileAccess {
  /// A write under one name must not change a file that somebody keeps under another.
  var allowsSecondName: Bool {
    switch self {
    case .reading: true
    case .writing, .creating, .writingOrCreating, .locking: false
    }
  }
}

/// The bytes of a file. Used by one task at a time. The file is closed when the last reference is gone, but only
/// `close` reports errors.
package protocol OpenFile: AnyObject, Sendable {
  func status() throws(FileError) -> FileStatus

  /// Reads up to `buffer.count` bytes; zero at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int

  /// Writes all of `bytes`. Allocates nothing.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError)

  /// Sets the length of the file. Also releases the space that `reserve` took beyond it.
  func truncate(to length: ByteCount) throws(FileError)

  /// Makes the bytes and the length survive a power cut. When it fails, the system may have dropped data that it could
  /// not write, and a second call would succeed without that data: it is never called again.
  func sync() throws(FileError)

  /// Reserves space for that many bytes without changing the length. False when the file system cannot; a full disk is
  /// an error that `isStorageFull`.
  func reserve(_ length: ByteCount) throws(FileError) -> Bool

  /// Locks the file against every other opening of it until it is closed; false when another opening holds the lock.
  func tryLock() throws(FileError) -> Bool

  /// Makes the file share all bytes of a local file with it. False where the file system cannot.
  func clone(_ source: LocalFile) throws(FileError) -> Bool

  /// Has the system copy up to that many bytes at an offset to the same offset of this file. Nil where it cannot.
  func copy(from source: LocalFile, at offset: Int64, count: Int) throws(FileError) -> Int?

  func close() throws(FileError)
}

extension OpenFile {
  package func clone(_ source: LocalFile) throws(FileError) -> Bool { false }

  package func copy(from source: LocalFile, at offset: Int64, count: Int) throws(FileError) -> Int? { nil }
}
