// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension FileError {
  /// One sentence without a full stop: the operation, the path, the error and the advice.
  package var words: String {
    "\(attempt): \(happening)\(advice.map { "; \($0)" } ?? "")"
  }

  /// The same for a file that was to leave the library, wherever it was to go.
  func wordsOfRemoval(of path: LibraryPath) -> String {
    guard cause != .system(.exdev) else {
      return "\(path.text.quoted) stays: its folder is on another file system than the trash; remove it yourself, or"
        + " unmount the folder"
    }
    return "\(path.text.quoted) cannot be removed and stays: \(happening)\(advice.map { "; \($0)" } ?? "")"
  }

  private var attempt: String {
    // The file is the lock, so no operation on it failed.
    if cause == .lockReplaced { return "the run lost its lock \(path.quoted)" }
    let target = target.map { " to \($0.quoted)" } ?? ""
    return operation.attempt(path.quoted, target)
  }

  /// The event in words that follow a colon.
  var happening: String {
    switch cause {
    case .system(let code): code.words
    case .notAFile: "it is not a plain file"
    case .notAFolder: "it is a file"
    case .hardLinked: "the file has a second name, and the file under that name would change, too"
    case .tooLarge(let limit): "it is larger than \(limit.words)"
    case .lockReplaced: "the file was removed or replaced, so another run may be at work"
    case .shortened: "it became shorter while it was read"
    case .replaced: "it has changed since it was read"
    case .noWriter(let time): "it is not a plain file, and its writer did not finish within \(time.spanWords)"
    case .ownFolder: "the job keeps its own files there"
    case .isManifest: "it is the manifest itself"
    case .namedByManifest(let key): "the manifest names it (\(key))"
    case .inLibrary: "it lies in the library, where media and playlists are"
    case .otherContents(let output): "it holds something other than an earlier \(output.words)"
    }
  }

  private var advice: String? {
    switch cause {
    // A device or a folder is no useful place to write to, so the path is a mistake.
    case .notAFile where operation == .write: return "name another place"
    case .notAFolder: return "name the folder that it is in"
    case .notAFile, .hardLinked: return "move it out of the way"
    case .tooLarge: return "syncjob writes nothing that large: see whose file it is and move it away"
    case .lockReplaced: return "this run changes nothing more: run again"
    case .shortened, .replaced, .noWriter: return nil
    case .ownFolder, .isManifest, .namedByManifest, .inLibrary, .otherContents: return "name another place"
    case .system(let code):
      switch code {
      case .enospc, .edquot: return "free some space and run again"
      case .erofs: return "mount it writable and run again"
      case .eacces, .eperm: return "check who owns it and who may write there"
      case .enolck, .enosys, .eopnotsupp:
        return operation == .lock ? "put library.state on a file system that has file locks" : nil
      case .enotconn: return "mount it again"
      case .estale: return "mount it again, or wait for its server"
      case .eio, .euclean: return "check the disk"
      case .enotdir: return "move whatever stands in the place of a folder out of the way"
      case .eloop: return "symbolic links below the library are not followed: put the real folder or file there"
      case .enoent where operation == .open || operation == .list: return "check the path, or mount what belongs there"
      default: return nil
      }
    }
  }
}

extension FileError.Output {
  fileprivate var words: String {
    switch self {
    case .plan: "plan"
    case .export: "export"
    case .events: "log of events"
    case .opml: "OPML document"
    case .m3u8: "M3U8 playlist"
    case .xspf: "XSPF playlist"
    case .jspf: "JSPF playlist"
    case .csv: "table of items"
    case .page: "page of reports"
    case .reports: "document of reports"
    }
  }
}

extension FileError.Operation {
  /// The operation that failed.
  /// - Parameters:
  ///   - path: The path in quotes.
  ///   - target: ` to ` and the target of a move or link, otherwise empty.
  func attempt(_ path: String, _ target: String = "") -> String {
    switch self {
    case .open: "cannot open \(path)"
    case .create: "cannot create \(path)"
    case .examine: "cannot look at \(path)"
    case .list: "cannot list the folder \(path)"
    case .read: "cannot read \(path)"
    case .write: "cannot write \(path)"
    case .truncate: "cannot shorten \(path)"
    case .sync: "cannot flush \(path) to the disk"
    case .close: "cannot close \(path)"
    case .move: "cannot move \(path)\(target)"
    case .link: "cannot give \(path) a second name\(target.isEmpty ? "" : ",\(target.dropFirst(3))")"
    case .remove: "cannot remove \(path)"
    case .reserve: "cannot reserve room for \(path)"
    case .lock: "cannot lock \(path)"
    case .makeFolder: "cannot make the folder \(path)"
    case .syncFolder: "cannot flush the folder \(path) to the disk"
    case .measureSpace: "cannot measure the free space of \(path)"
    }
  }
}

package enum PlaylistWords {
  /// The message about a pattern that matches no playlist.
  /// - Parameter variable: the variable that holds the pattern, with its `$`; nil for a typed one.
  package static func noneFits(_ pattern: String, of variable: String? = nil, _ known: [PlaylistName]) -> String {
    let names = known.isEmpty ? "none" : known.map(\.text.quoted).joined(separator: ", ")
    return "no playlist matches \(pattern.quoted)\(variable.map { " of \($0)" } ?? ""); the manifest has \(names)"
  }
}
