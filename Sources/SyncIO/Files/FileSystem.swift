// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The port to files: everything that the program does with names on a disk. No component of a path below a root is ever
/// followed through a symbolic link; one in the way is an error that `isObstructed`.
package protocol FileSystem: Sendable {
  /// Opens a directory by its path, which may lead through symbolic links: a person wrote it.
  /// - Parameter mode: makes what is missing of it, with this mode; nil: it must be there.
  func openRoot(_ path: String, making mode: FileMode?) throws(FileError) -> FileRoot

  /// Opens a directory below another root as a root of its own.
  func openRoot(_ place: FilePlace, making mode: FileMode?) throws(FileError) -> FileRoot

  /// Nil when nothing is there.
  func status(of place: FilePlace) throws(FileError) -> FileStatus?

  /// What is in a directory, by the bytes of the names. What goes away meanwhile may be missing.
  func list(_ folder: FilePlace) throws(FileError) -> [DirectoryEntry]

  /// Makes what is missing of a path of directories, and flushes each new name to the disk.
  func makeFolders(_ folder: FilePlace, mode: FileMode) throws(FileError)

  /// Opens a plain file; anything else is refused without waiting.
  func open(_ place: FilePlace, for access: FileAccess) throws(FileError) -> any OpenFile

  /// Gives a file another place on the same file system. Without `replacing`, a target that exists is an error that
  /// `isPresent`. Durable once both directories are flushed.
  func move(_ source: FilePlace, to target: FilePlace, replacing: Bool) throws(FileError)

  /// Gives a file a second name; false when the file system knows no such thing.
  func link(_ source: FilePlace, to target: FilePlace) throws(FileError) -> Bool

  func removeFile(_ place: FilePlace) throws(FileError)

  /// Removes an empty directory.
  func removeFolder(_ place: FilePlace) throws(FileError)

  /// Makes names made, moved and removed in a directory survive a power cut, where the file system can say so.
  func syncFolder(_ folder: FilePlace) throws(FileError)

  func space(at root: FileRoot) throws(FileError) -> DiskSpace

  /// Sees to it that nobody else can write into a folder, as far as that is ours to see to.
  func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy

  /// What kind of file system a directory lies on.
  func kind(of root: FileRoot) throws(FileError) -> FileSystemKind
}

/// What a file is opened for.
package enum FileAccess: Hashable, Sendable {
  case reading
  /// A file that is there. Refused when it has a second name.
  case writing
  /// A file that must not be there yet.
  case creating(FileMode)
  /// A file that may be there.
  case writingOrCreating(FileMode)
  /// A file that may be there, to be locked, and to be told in it by whom. Refused when it has a second name.
  case locking(FileMode)
}

extension FileAccess {
  /// What is written under one name must not change what somebody keeps under another.
  var allowsSecondName: Bool {
    switch self {
    case .reading: true
    case .writing, .creating, .writingOrCreating, .locking: false
    }
  }
}

/// A file's bytes. Used by one task at a time; closed when the last reference goes, but only `close` tells of trouble.
package protocol OpenFile: AnyObject, Sendable {
  func status() throws(FileError) -> FileStatus

  /// Reads up to `buffer.count` bytes; zero at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int

  /// Writes all of `bytes`. Allocates nothing.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError)

  /// Makes the file this long. Also gives back what `reserve` took beyond.
  func truncate(to length: ByteCount) throws(FileError)

  /// Makes the bytes and the length survive a power cut. When it fails the system may have dropped what it could not
  /// write, and a second call would succeed without it: it is never called again.
  func sync() throws(FileError)

  /// Reserves room for that many bytes, without changing the length. False when the file system cannot; no room is an
  /// error that `isStorageFull`.
  func reserve(_ length: ByteCount) throws(FileError) -> Bool

  /// Locks the file against every other opening of it, until it is closed; false when another holds it.
  func tryLock() throws(FileError) -> Bool

  func close() throws(FileError)
}
