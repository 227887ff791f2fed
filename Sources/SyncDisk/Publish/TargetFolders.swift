// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Finds the downloads whose folder accepts no files, before anything is fetched for them.
package struct TargetFolders {
  private let naming: FileNaming
  private var ways: FolderWays

  package init(in library: Library) throws(FileError) {
    naming = library.rules.naming
    ways = try FolderWays(below: library.root, library.files)
  }

  package mutating func failures(of downloads: [PlannedDownload]) throws(FileError) -> [ItemID: Failure] {
    var failures: [ItemID: Failure] = [:]
    for download in downloads {
      if let failure = try failure(of: download) { failures[download.id] = failure }
    }
    return failures
  }

  private mutating func failure(of download: PlannedDownload) throws(FileError) -> Failure? {
    if let old = download.replaced {
      guard case .closed(_, let code) = try ways.way(to: old.path.parent) else { return nil }
      return .notReplaced(path: old.path.text, .refused(code))
    }
    let path = path(of: download, ending: "mp3")
    let way = try ways.way(to: path.parent)
    if way == .open || way == .missing { return nil }
    // A layout may use the extension, which is known after the download, in the name of a folder.
    guard self.path(of: download, ending: "m4a").parent == path.parent else { return nil }
    switch way {
    case .open, .missing: return nil
    case .barred: return .blocked(path: path.text)
    case .closed(_, let code) where code.isOfName: return .nameRefused(path: path.text, code)
    case .closed(let folder, let code): return .folderClosed(path: folder.text, code)
    }
  }

  private func path(of download: PlannedDownload, ending: String) -> LibraryPath {
    download.layout.path(download.fields, fileExtension: ending, naming: naming, attempt: download.nameAttempt)
  }
}
