// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// Finds the media files of a collection, a folder that a person names. It follows no links below that folder, and
/// passes over hidden files, the state of libraries, and the files of the library that belong to items.
package struct CollectionWalk {
  private let root: FileRoot
  private let library: Library
  /// The folder's path below the library. Nil if it is elsewhere, an empty text for the library itself.
  private let pathInLibrary: String?
  private let ownFolders: Set<FileStatus.Identity>

  package struct Finds: Sendable {
    /// By the bytes of their paths.
    package var files: [CollectionFile] = []
    package var unread = CollectionImport.Unread()
  }

  /// - Throws: `FileError` if the folder cannot be opened, `.ownFolder` if it is one of syncjob's own.
  package init(_ path: String, library: Library) throws(FileError) {
    let own = Self.real(path)
    do throws(FileError) { root = try library.files.openRoot(own ?? path, making: nil) } catch {
      // A path that leads somewhere is not that of a folder here.
      throw own != nil && error.code == .enotdir ? FileError(.list, path, .notAFolder) : error
    }
    self.library = library
    let state = [library.settings.state, "\(library.settings.path)/\(StateFolder.name)"].compactMap(Self.real)
    if let own, state.contains(where: { Self.path(of: own, below: $0) != nil }) {
      throw FileError(.read, path, .ownFolder)
    }
    pathInLibrary = own.flatMap { own in Self.real(library.settings.path).flatMap { Self.path(of: own, below: $0) } }
    var folders: Set<FileStatus.Identity> = []
    for folder in [library.stateFolder?.root, library.workFolder?.root].compactMap(\.self) {
      if let status = try library.files.status(of: FilePlace(folder)) { folders.insert(status.identity) }
    }
    ownFolders = folders
  }

  /// The absolute path of the folder, without links.
  package var folder: FileRoot { root }

  /// Throws if the file cannot be opened, or if its first bytes are not those of media.
  package func examine(_ path: LibraryPath, sniffs: Bool) throws(Failure) {
    let place = root[path].text
    let url: RemoteURL
    do throws(RemoteURL.Problem) { url = try RemoteURL(file: place.utf8) } catch {
      throw .localFile(path: place, .notAFile)
    }
    _ = try LocalFile.examined(url, LocalRoots(list: "\(root.path)/-"), sniffs ? false : nil)
  }

  /// - Parameter owned: The keys of the paths in the library that belong to items.
  package func finds(besides owned: Set<NameKey>) throws(FileError) -> Finds {
    var finds = Finds()
    var home: Home?
    if let media = library.mediaRoot { home = try self.home(FilePlace(media)) }
    var folders: [(place: FilePlace, inLibrary: String?)] = [(FilePlace(root), pathInLibrary)]
    while let folder = folders.popLast(), !Task.isCancelled {
      let entries: [DirectoryEntry]
      let here: Home
      do throws(FileError) {
        entries = try library.files.list(folder.place)
        here = try self.home(folder.place)
      } catch {
        // Without its own folder there is no collection.
        guard folder.place.path != nil, error.isOfOnePlace else { throw error }
        finds.unread.refused.append(error)
        continue
      }
      let isLibrary = home != nil && here.identity == home?.identity
      let inLibrary = isLibrary ? "" : folder.inLibrary
      for entry in entries {
        guard entry.isNameExact, let place = folder.place.child(entry.name) else {
          finds.unread.unnamed += 1
          continue
        }
        let path = inLibrary.map { $0.isEmpty ? entry.name : "\($0)/\(entry.name)" }
        switch entry.status.kind {
        case .directory where entry.name != StateFolder.name && !ownFolders.contains(entry.status.identity):
          folders.append((place, path))
        case .symbolicLink: finds.unread.links += 1
        case .file:
          let isMovable = here.mount == home?.mount && here.isWritable
          note(entry, place, path.flatMap { LibraryPath($0) }, isMovable, owned, &finds)
        case .directory, .other: break
        }
      }
    }
    finds.files.sort { $0.path < $1.path }
    return finds
  }

  private func note(
    _ entry: DirectoryEntry, _ place: FilePlace, _ inLibrary: LibraryPath?, _ isMovable: Bool,
    _ owned: Set<NameKey>, _ finds: inout Finds
  ) {
    guard let path = place.path, path.isMedia, !path.isSealed, !entry.name.hasPrefix("."), entry.status.size > .zero
    else { return }
    if let inLibrary, owned.contains(library.rules.naming.key(inLibrary)) { return }
    // A file with a second name would still be somebody else's after a rename.
    finds.files.append(
      CollectionFile(
        path: path, size: entry.status.size, inLibrary: inLibrary,
        isMovable: isMovable && entry.status.linkCount == 1))
  }

  /// A folder as a rename sees it.
  private struct Home {
    var identity: FileStatus.Identity?
    var mount: Mount
    var isWritable: Bool
  }

  private struct Mount: Equatable {
    var device: UInt64?
    var id: UInt64?
  }

  private func home(_ place: FilePlace) throws(FileError) -> Home {
    let identity = try library.files.status(of: place)?.identity
    let mount = Mount(device: identity?.device, id: try library.files.mount(of: place))
    return Home(identity: identity, mount: mount, isWritable: isWritable(place))
  }

  private func isWritable(_ folder: FilePlace) -> Bool {
    do throws(FileError) {
      try library.files.checkWritable(folder)
      return true
    } catch { return false }
  }

  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  /// Empty for the folder itself.
  private static func path(of path: String, below folder: String) -> String? {
    if path == folder { return "" }
    let start = folder == "/" ? "/" : "\(folder)/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
  }
}
