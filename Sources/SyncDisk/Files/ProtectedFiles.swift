// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// The files that are never overwritten by a plan, an export, events or a report that a person asks for: the manifest,
/// the files that it names, and the library.
package struct ProtectedFiles: Sendable {
  /// The reason why nothing is written to a path.
  package enum Conflict: Hashable, Sendable {
    case manifest
    /// A key of the manifest names it.
    case named(key: String)
    /// It is one of the job's own files.
    case memory
    case library
  }

  private let manifest: String?
  private let library: LibrarySettings
  private let named: [(path: String, key: String)]

  /// - Parameter path: the path of the manifest; nil when it is not known.
  package init(_ manifest: Manifest, at path: String?) {
    self.manifest = path
    library = manifest.library
    named = manifest.namedFiles
  }

  /// The conflict at a path; nil when it may be written.
  /// - Parameter key: the manifest's key for the file that is written: the path that this key names is its own.
  package func conflict(at path: String, writing key: String? = nil) -> Conflict? {
    let end = Self.end(of: path)
    return conflict(exactlyAt: path, writing: key) ?? (end == path ? nil : conflict(exactlyAt: end, writing: key))
  }

  private func conflict(exactlyAt path: String, writing key: String?) -> Conflict? {
    if let manifest, Self.isSame(path, manifest) { return .manifest }
    if let other = named.first(where: { $0.key != key && Self.isSame(path, $0.path) }) { return .named(key: other.key) }
    let folder = Self.folder(of: path)
    if Self.isInside(folder, library.state) || Self.isInside(folder, "\(library.path)/\(StateFolder.name)") {
      return .memory
    }
    // A file in that place would prevent the library from being made.
    if Self.isSame(path, library.path) || Self.isSame(path, library.state) { return .library }
    return Self.isInside(folder, library.path) ? .library : nil
  }

  // MARK: Where paths lead

  /// The path after following the links that it ends in.
  package static func target(ofLink path: String) -> String { end(of: path) }

  /// The path after following links, whether something is there or would only be made there.
  private static func end(of path: String) -> String {
    var path = path
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    // The number of links that the system follows (path_resolution(7)).
    for _ in 0..<40 {
      let count = readlink(path, &buffer, buffer.count)
      guard count > 0 else { return path }
      let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      path = target.hasPrefix("/") ? target : folder(of: path) + "/" + target
    }
    return path
  }

  /// The file that a path leads to, through links; nil when nothing is there.
  private static func target(of path: String) -> FileStatus.Identity? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return FileStatus.Identity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
  }

  /// True for one file under any names; where there is none, for the same name in the same folder.
  private static func isSame(_ path: String, _ other: String) -> Bool {
    if let target = target(of: path) { return target == Self.target(of: other) }
    guard name(of: path) == name(of: other), let folder = target(of: folder(of: path)) else { return false }
    return folder == target(of: Self.folder(of: other))
  }

  private static func isInside(_ folder: String, _ other: String) -> Bool {
    guard let wanted = target(of: other), var here = target(of: folder) else { return false }
    var path = folder
    while here != wanted {
      path += "/.."
      // The root is its own parent.
      guard let above = target(of: path), above != here else { return false }
      here = above
    }
    return true
  }

  /// True if a folder is the other one or is below it, or would be if it was made.
  static func leads(_ folder: String, into other: String) -> Bool {
    var path = folder
    while target(of: path) == nil {
      let above = self.folder(of: path)
      guard above != path else { return false }
      path = above
    }
    return isInside(path, other)
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private static func name(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }
}

extension Manifest {
  /// Every file that the manifest names, with its key.
  fileprivate var namedFiles: [(path: String, key: String)] {
    var files = history.map { ($0.path, "history") }
    if let path = report.json { files.append((path, ReportCopy.json.key)) }
    if let path = report.html { files.append((path, ReportCopy.html.key)) }
    if let path = report.metrics { files.append((path, ReportCopy.metrics.key)) }
    for kind in [HookKind.item, .run] {
      if let program = hooks.words(kind)?.first, program.hasPrefix("/") {
        files.append((program, "hooks.\(kind.rawValue)"))
      }
    }
    if case .file(let path)? = protect.keys { files.append((path, "protect.keys_file")) }
    if let path = downloads.tls.caFile { files.append((path, "downloads.tls.ca_file")) }
    for playlist in playlists {
      if let path = playlist.source.file, let kind = playlist.source.kind {
        files.append((path, "playlists.\(playlist.name).\(kind.rawValue)"))
      }
      files += (playlist.auth?.files ?? []).map { ($0, "playlists.\(playlist.name).auth") }
    }
    return files
  }
}

extension AuthSettings {
  fileprivate var files: [String] {
    var files = [headerFile, cookiesFile, netrc].compactMap(\.self).flatMap(\.paths)
    files += login?.secret?.files ?? []
    files += [login?.tokens?.client?.tokenFile].compactMap(\.self)
    return files
  }
}

extension SecretSource {
  fileprivate var files: [String] {
    switch self {
    case .written: []
    case .file(let file): file.paths
    case .command(let words): words.prefix(1).filter { $0.hasPrefix("/") }
    }
  }
}

/// The access that other users have to a folder of ours.
package enum FolderPrivacy: Equatable, Sendable {
  /// No access, or a file system without users, or only read access to a folder that we may not close.
  case isPrivate
  /// Other users could read it until now.
  case wasReadable
  /// Other users could write into it until now.
  case wasOpen
  /// Other users can write into it, and we may not close it.
  case isOpen
}

extension FileSystem {
  /// A file system without users has nobody to exclude.
  package func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy { .isPrivate }
}

extension POSIXFileSystem {
  package func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy {
    let before = try facts(of: folder)
    guard !before.mode.isPrivate else { return .isPrivate }
    guard before.owner == geteuid() else { return before.mode.isWritableByOthers ? .isOpen : .isPrivate }
    // FAT and similar file systems refuse, or accept and change nothing: their modes are set by the mount and mean
    // nothing.
    guard fchmodat(folder.handle, ".", FileMode.privateFolder.bits, 0) == 0,
      try facts(of: folder).mode.isPrivate
    else { return .isPrivate }
    return before.mode.isWritableByOthers ? .wasOpen : .wasReadable
  }

  private func facts(of folder: FileRoot) throws(FileError) -> (owner: uid_t, mode: FileMode) {
    var facts = stat()
    guard fstatat(folder.handle, ".", &facts, 0) == 0 else {
      throw FileError(.examine, folder.path, code: ErrnoCode(errno))
    }
    return (facts.st_uid, FileMode(facts.st_mode))
  }
}
