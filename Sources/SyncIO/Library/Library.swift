// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The opened directories of one library: the media and, usually inside it, the state.
package struct Library: Sendable {
  package let files: any FileSystem
  package let settings: LibrarySettings
  /// Nil when only looking and there is no such directory.
  let mediaRoot: FileRoot?
  /// What the library lies on, or will lie on.
  let fileSystem: FileSystemKind
  /// Nil when only looking and nothing was ever remembered.
  let stateFolder: StateFolder?
  /// The folder inside the library: what is moved into the library and out of it has to share its file system, wherever
  /// the memory is. Nil as `stateFolder` is.
  let workFolder: StateFolder?

  private init(_ settings: LibrarySettings, _ files: any FileSystem, making: Bool) throws(JobError) {
    self.files = files
    self.settings = settings
    mediaRoot = try Self.root(settings.path, making: making ? .sharedFolder : nil, files)
    fileSystem = try Self.kind(of: mediaRoot, settings, files)
    workFolder = try Self.workFolder(mediaRoot, making: making, files)
    stateFolder = settings.hasStateElsewhere ? try Self.stateFolder(settings, making: making, files) : workFolder
  }

  /// Opens what is there and creates nothing.
  static func look(_ settings: LibrarySettings, _ files: any FileSystem) throws(JobError) -> Library {
    try Library(settings, files, making: false)
  }

  /// Opens the directories and makes what is missing.
  static func open(_ settings: LibrarySettings, _ files: any FileSystem) throws(JobError) -> Library {
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

  /// Inside the library nothing is reached through a symbolic link.
  private static func workFolder(
    _ media: FileRoot?, making: Bool, _ files: any FileSystem
  ) throws(JobError) -> StateFolder? {
    guard let media else { return nil }
    do throws(FileError) { return try StateFolder.open(files, inLibrary: media, making: making) } catch {
      if !making, error.isMissing { return nil }
      throw .file(error)
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

  /// Trouble with writing is said before any request is made.
  func prepare() throws(FileError) { try probe() }

  /// Whether room on the disk where the trash is may end the want of it that `error` tells of.
  func sharesDiskWithTrash(_ error: FileError) throws(FileError) -> Bool {
    let isMedia = error.path.hasPrefix("\(root.path)/")
    let place = FilePlace(isMedia ? root : state.root)
    guard let device = try files.status(of: place)?.identity.device else { return false }
    return try files.status(of: trash.folder)?.identity.device == device
  }

  /// Written to the library to see whether it can be.
  static let probeFile = OwnTemporary(prefix: ".syncjob-probe-")

  private func probe() throws(FileError) {
    try partials.make()
    for place in [trash.folder, FilePlace(state.root).child("cache"), FilePlace(state.root).child("reports")] {
      // One flush, that of the partials' folder, serves the name of the trash, too.
      guard let place, try files.status(of: place)?.kind != .directory else { continue }
      try files.makeFolders(place, mode: .privateFolder)
    }
    for folder in [partials.folder, FilePlace(state.root), FilePlace(root)] {
      guard let place = folder.child(Self.probeFile.newName()) else { continue }
      try files.create(place, [0], mode: .privateFile)
      try files.removeFile(place)
    }
  }

  /// What may lie there.
  var rules: TargetRules { settings.profile.rules(on: fileSystem) }

  /// - Precondition: opened, not only looked at.
  var root: FileRoot {
    guard let mediaRoot else { preconditionFailure("a library that is only looked at has no place to write") }
    return mediaRoot
  }

  /// - Precondition: opened, not only looked at.
  var state: StateFolder {
    guard let stateFolder else { preconditionFailure("a library that is only looked at has no place to write") }
    return stateFolder
  }

  /// - Precondition: opened, not only looked at.
  private var work: StateFolder {
    guard let workFolder else { preconditionFailure("a library that is only looked at has no place to write") }
    return workFolder
  }

  /// - Precondition: opened, not only looked at.
  var partials: PartialFolder { work.partials }

  /// - Precondition: opened, not only looked at.
  var trash: TrashFolder { work.trash }

  /// A partial's place.
  /// - Precondition: `name` is one of `PartialFolder`.
  func partial(_ name: String) -> FilePlace {
    guard let place = partials.place(name) else { preconditionFailure("\(name) is no name of a partial") }
    return place
  }

  func cache(_ playlist: PlaylistName) -> FilePlace? {
    stateFolder.flatMap { FilePlace($0.root).child("cache")?.child("\(playlist.text).xml") }
  }

  /// Nil when only looking and nothing was ever remembered.
  var hsts: FilePlace? { stateFolder.flatMap { FilePlace($0.root).child("hsts.txt") } }

  func report(_ name: String) -> FilePlace? { FilePlace(state.root).child("reports")?.child(name) }
}

extension LibrarySettings {
  /// The memory is not in the library.
  var hasStateElsewhere: Bool { state != "\(path)/\(StateFolder.name)" }
}
