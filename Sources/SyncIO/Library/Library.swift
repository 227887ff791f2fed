// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The opened directories of one library: the media and, usually inside it, the state.
package struct Library: Sendable {
  package let files: any FileSystem
  package let settings: LibrarySettings
  /// Nil when only looking and there is no such directory.
  let mediaRoot: FileRoot?
  /// Nil when only looking and nothing was ever remembered.
  let stateFolder: StateFolder?

  private init(files: any FileSystem, settings: LibrarySettings, mediaRoot: FileRoot?, stateFolder: StateFolder?) {
    self.files = files
    self.settings = settings
    self.mediaRoot = mediaRoot
    self.stateFolder = stateFolder
  }

  /// Opens what is there and creates nothing.
  static func look(_ settings: LibrarySettings, _ files: any FileSystem) throws(JobError) -> Library {
    let media = try root(settings.path, making: nil, files)
    let state = try stateFolder(settings, media, making: false, files)
    return Library(files: files, settings: settings, mediaRoot: media, stateFolder: state)
  }

  /// Opens the directories and makes what is missing; trouble with writing is said here, before any request is made.
  static func open(_ settings: LibrarySettings, _ files: any FileSystem) throws(JobError) -> Library {
    let media = try root(settings.path, making: .sharedFolder, files)
    let state = try stateFolder(settings, media, making: true, files)
    let library = Library(files: files, settings: settings, mediaRoot: media, stateFolder: state)
    do throws(FileError) { try library.probe() } catch { throw .file(error) }
    return library
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

  private static func stateFolder(
    _ settings: LibrarySettings, _ media: FileRoot?, making: Bool, _ files: any FileSystem
  ) throws(JobError) -> StateFolder? {
    do throws(FileError) {
      guard settings.state == "\(settings.path)/\(StateFolder.name)" else {
        return try StateFolder.open(files, path: settings.state, making: making)
      }
      // Inside the library nothing is reached through a symbolic link.
      return try media.map { media throws(FileError) in
        try StateFolder.open(files, inLibrary: media, making: making)
      }
    } catch {
      if !making, error.isMissing { return nil }
      throw .file(error)
    }
  }

  private func probe() throws(FileError) {
    try state.partials.make()
    for name in ["trash", "cache", "reports"] {
      if let folder = FilePlace(state.root).child(name) { try files.makeFolders(folder, mode: .privateFolder) }
    }
    let probes = [state.partials.place(".probe"), FilePlace(root).child(".syncjob-probe")].compactMap { $0 }
    for place in probes {
      try files.removeFileIfPresent(place)
      try files.create(place, [0], mode: .privateFile)
      try files.removeFile(place)
    }
  }

  /// Removes the temporary files of a run that was killed while it wrote a report, a playlist or a copy of a source.
  func clearUnfinished() throws(FileError) {
    for name in ["cache", "reports"] {
      guard let folder = FilePlace(state.root).child(name) else { continue }
      for entry in try files.listIfPresent(folder) where entry.name.hasPrefix(".") && entry.name.hasSuffix(".tmp") {
        if let place = folder.child(entry.name) { try files.removeFileIfPresent(place) }
      }
    }
    if let place = FilePlace(root).child(PlaylistFiles.temporaryName) { try files.removeFileIfPresent(place) }
  }

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

  /// A partial's place.
  /// - Precondition: `name` is one of `PartialFolder`.
  func partial(_ name: String) -> FilePlace {
    guard let place = state.partials.place(name) else { preconditionFailure("\(name) is no name of a partial") }
    return place
  }

  func cache(_ playlist: PlaylistName) -> FilePlace? {
    stateFolder.flatMap { FilePlace($0.root).child("cache")?.child("\(playlist.text).xml") }
  }

  /// Nil when only looking and nothing was ever remembered.
  var hsts: FilePlace? { stateFolder.flatMap { FilePlace($0.root).child("hsts.txt") } }

  func report(_ name: String) -> FilePlace? { FilePlace(state.root).child("reports")?.child(name) }
}
