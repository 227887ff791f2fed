// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The opened directories of one library: the media and, usually inside it, the state.
package struct Library: Sendable {
  /// What a command means to do.
  package enum Purpose: Sendable {
    /// Look only: nothing is created.
    case reading
    case writing
  }

  package let files: any FileSystem
  package let settings: LibrarySettings
  /// The media. Nil when reading a library that does not exist yet.
  package let mediaRoot: FileRoot?
  /// The state. Nil when reading a library without one.
  package let stateRoot: FileRoot?

  /// Opens, and for writing creates, the library's directories and sees that they can be written.
  package static func open(
    _ settings: LibrarySettings, for purpose: Purpose, files: any FileSystem = POSIXFileSystem()
  ) throws(JobError) -> Library {
    let creates = purpose == .writing
    let media = try root(settings.path, mode: creates ? .sharedFolder : nil, files)
    let state = try root(settings.state, mode: creates ? .privateFolder : nil, files)
    let library = Library(files: files, settings: settings, mediaRoot: media, stateRoot: state)
    if creates { try library.prepareFolders() }
    return library
  }

  /// Nil when it is not there and must not be made.
  private static func root(_ path: String, mode: FileMode?, _ files: any FileSystem) throws(JobError) -> FileRoot? {
    do throws(FileError) { return try files.openRoot(path, making: mode) } catch {
      if mode == nil, error.isMissing { return nil }
      if error.isObstructed || error.isPresent { throw .libraryIsNoDirectory(path: path) }
      throw .unusable(path: error.path, operation: mode == nil ? "open" : "create or open", error.code ?? ErrnoCode(0))
    }
  }

  /// Trouble with writing is said here, before any request is made.
  private func prepareFolders() throws(JobError) {
    do throws(FileError) {
      for name in ["partial", "trash", "cache", "reports"] { try files.makeFolders(statePlace(name), mode: .privateFolder) }
      let probe = statePlace("partial/.probe")
      try files.removeFileIfPresent(probe)
      try files.create(probe, [], mode: .privateFile)
      try files.removeFile(probe)
      let mediaProbe = mediaPlace(".syncjob-probe")
      try files.removeFileIfPresent(mediaProbe)
      try files.create(mediaProbe, [], mode: .privateFile)
      try files.removeFile(mediaProbe)
    } catch { throw .unusable(path: error.path, operation: "write to", error.code ?? ErrnoCode(0)) }
  }

  /// - Precondition: the library is open for writing.
  package var root: FileRoot {
    guard let mediaRoot else { preconditionFailure("a library that is only looked at has no place to write") }
    return mediaRoot
  }

  /// - Precondition: the library is open for writing.
  package var state: FileRoot {
    guard let stateRoot else { preconditionFailure("a library that is only looked at has no place to write") }
    return stateRoot
  }

  func partial(_ name: String) -> FilePlace { statePlace("partial/\(name)") }

  func statePlace(_ path: String) -> FilePlace { state[literal(path)] }

  func mediaPlace(_ path: String) -> FilePlace { root[literal(path)] }
}

/// A path that is known to be legal: written in the program, or checked where it was read.
private func literal(_ path: String) -> LibraryPath {
  guard let path = LibraryPath(path) else { preconditionFailure("an illegal path of the program's own") }
  return path
}
