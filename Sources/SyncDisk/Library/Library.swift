// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The opened directories of one library: the media and, usually inside it, the state.
package struct Library: Sendable {
  package let files: any FileSystem
  package let settings: LibrarySettings
  /// Nil if the library is only inspected and the directory does not exist.
  package let mediaRoot: FileRoot?
  /// The file system of the library, or the one on which it will be created.
  let fileSystem: FileSystemKind
  /// Nil if the library is only inspected and has no state.
  package let stateFolder: StateFolder?
  /// The folder inside the library. Files that move into the library or out of it must be on the same file system,
  /// wherever the state is. Nil if the library is only inspected and has no such folder.
  package let workFolder: StateFolder?
  /// The folder of unfinished media outside the library, if there is one and the manifest names it.
  private let plainFolder: PartialFolder?

  private init(_ settings: LibrarySettings, _ files: any FileSystem, making: Bool) throws(JobError) {
    self.files = files
    self.settings = settings
    mediaRoot = try Self.root(settings.path, making: making ? .sharedFolder : nil, files)
    fileSystem = try Self.kind(of: mediaRoot, settings, files)
    workFolder = try Self.workFolder(mediaRoot, making: making, files)
    stateFolder = settings.hasStateElsewhere ? try Self.stateFolder(settings, making: making, files) : workFolder
    plainFolder = try Self.plainFolder(settings, making: making, files)
  }

  /// Opens existing directories and creates nothing.
  package static func look(_ settings: LibrarySettings, _ files: any FileSystem) throws(JobError) -> Library {
    try Library(settings, files, making: false)
  }

  /// Opens the directories and creates those that are missing.
  package static func open(_ settings: LibrarySettings, _ files: any FileSystem) throws(JobError) -> Library {
    try Library(settings, files, making: true)
  }

  private static func root(
    _ path: String, making mode: FileMode?, _ files: any FileSystem
  ) throws(JobError) -> FileRoot? {
    do throws(FileError) { return try files.openRoot(path, making: mode) } catch {
      if mode == nil, error.isMissing { return nil }
      if error.isObstructed || error.isPresent { throw .libraryIsNoDirectory(path: path) }
      throw .file(error)
    }
  }

  private static func kind(
    of media: FileRoot?, _ settings: LibrarySettings, _ files: any FileSystem
  ) throws(JobError) -> FileSystemKind {
    do throws(FileError) {
      let root = if let media { media } else { try files.nearestRoot(to: settings.path) }
      return try files.kind(of: root)
    } catch { throw .file(error) }
  }

  /// Inside the library no symbolic link is followed.
  private static func workFolder(
    _ media: FileRoot?, making: Bool, _ files: any FileSystem
  ) throws(JobError) -> StateFolder? {
    guard let media else { return nil }
    do throws(FileError) { return try StateFolder.open(files, inLibrary: media, making: making) } catch {
      if !making, error.isMissing { return nil }
      throw .file(error)
    }
  }

  /// Several libraries may have their unfinished media in one place, so each has a folder of its own there.
  private static func plainFolder(
    _ settings: LibrarySettings, making: Bool, _ files: any FileSystem
  ) throws(JobError) -> PartialFolder? {
    guard let path = settings.partials else { return nil }
    do throws(FileError) {
      let root = try files.openRoot(path, making: making ? .privateFolder : nil)
      let folder = FilePlace(root, LibraryPath("syncjob-\(settings.path.fingerprint)"))
      if making {
        try files.makeFolders(folder, mode: .privateFolder)
        // In a folder that everybody may write, somebody else may have made it.
        guard try files.makePrivate(try files.openRoot(folder, making: nil)) != .isOpen else {
          throw FileError(.open, folder.text, code: .eacces)
        }
      }
      return PartialFolder(files, folder)
    } catch {
      if !making, error.isMissing { return nil }
      throw .partialsFolder(error)
    }
  }

  private static func stateFolder(
    _ settings: LibrarySettings, making: Bool, _ files: any FileSystem
  ) throws(JobError) -> StateFolder? {
    do throws(FileError) { return try StateFolder.open(files, path: settings.state, making: making) } catch {
      if !making, error.isMissing { return nil }
      throw .file(error)
    }
  }

  /// Detects write errors before any request is made.
  package func prepare() throws(FileError) { try probe() }

  /// True if emptying the trash may end the lack of space that `error` reports, because both are on the same disk.
  package func sharesDiskWithTrash(_ error: FileError) throws(FileError) -> Bool {
    let isMedia = error.path.hasPrefix("\(root.path)/")
    let place = FilePlace(isMedia ? root : state.root)
    guard let device = try files.status(of: place)?.identity.device else { return false }
    return try files.status(of: trash.folder)?.identity.device == device
  }

  /// The name of a file that is written to find out if the library is writable.
  static let probeFile = OwnTemporary(prefix: ".syncjob-probe-")

  private func probe() throws(FileError) {
    try sealing.make()
    for place in [trash.folder, FilePlace(state.root).child("cache"), FilePlace(state.root).child("reports")] {
      // One flush, that of the partials folder, also makes the name of the trash durable.
      guard let place, try files.status(of: place)?.kind != .directory else { continue }
      try files.makeFolders(place, mode: .privateFolder)
    }
    // A small folder for media in clear may be full of its own partials.
    for folder in [sealing.folder, FilePlace(state.root), FilePlace(root)] {
      guard let place = folder.child(Self.probeFile.newName()) else { continue }
      try files.create(place, [0], mode: .privateFile)
      try files.removeFile(place)
    }
  }

  /// The names and sizes that the library's place accepts.
  package var rules: TargetRules { settings.profile.rules(on: fileSystem) }

  /// - Precondition: The library is opened, not only inspected.
  package var root: FileRoot {
    guard let mediaRoot else { preconditionFailure("a library that is only looked at has no place to write") }
    return mediaRoot
  }

  /// - Precondition: The library is opened, not only inspected.
  package var state: StateFolder {
    guard let stateFolder else { preconditionFailure("a library that is only looked at has no place to write") }
    return stateFolder
  }

  /// - Precondition: The library is opened, not only inspected.
  private var work: StateFolder {
    guard let workFolder else { preconditionFailure("a library that is only looked at has no place to write") }
    return workFolder
  }

  /// - Precondition: The library is opened, not only inspected.
  package var partials: PartialFolder { plainFolder ?? work.partials }

  /// The same for a library that is only inspected. Nil if there is no such folder.
  package var partialsIfPresent: PartialFolder? { settings.partials == nil ? workFolder?.partials : plainFolder }

  /// The folder of sealed files that are about to be published.
  /// - Precondition: The library is opened, not only inspected.
  package var sealing: PartialFolder { work.partials }

  /// - Precondition: The library is opened, not only inspected.
  package var trash: TrashFolder { work.trash }

  /// The place of a partial.
  /// - Precondition: `name` is a name from `PartialFolder`.
  package func partial(_ name: String) -> FilePlace {
    guard let place = partials.place(name) else { preconditionFailure("\(name) is no name of a partial") }
    return place
  }

  /// The place of a copy of a source's document. Nil if the library is only inspected and has no state.
  package func cache(_ name: String) -> FilePlace? {
    stateFolder.flatMap { FilePlace($0.root).child("cache")?.child(name) }
  }

  /// Nil if the library is only inspected and has no state.
  package var hsts: FilePlace? { stateFolder.flatMap { FilePlace($0.root).child("hsts.txt") } }

  /// The folder of the kept reports. Nil if the library is only inspected and has no state.
  package var reports: FilePlace? { stateFolder.flatMap { FilePlace($0.root).child("reports") } }
}

extension LibrarySettings {
  /// True if the state is not in the library.
  package var hasStateElsewhere: Bool { state != "\(path)/\(StateFolder.name)" }
}
