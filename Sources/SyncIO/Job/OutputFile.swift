// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A file that a person asked for by its path.
package struct OutputFile: Sendable {
  private let path: String
  private let library: LibrarySettings
  private let files: any FileSystem

  /// - Parameter library: whose memory is never overwritten by what is told of it.
  package init(_ path: String, of library: LibrarySettings, _ files: any FileSystem = POSIXFileSystem()) {
    self.path = path
    self.library = library
    self.files = files
  }

  /// Whole or not at all, in the place of a plain file or of none.
  /// - Parameters:
  ///   - mode: by default readable for its owner only: URLs in it may carry tokens.
  ///   - folderMode: makes the folder when it is missing; nil: it must be there.
  package func write(
    _ bytes: [UInt8], mode: FileMode = .privateFile, makingFolder folderMode: FileMode? = nil
  ) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let root = try files.openRoot(folder, making: folderMode)
    guard let place = FilePlace(root).child(slash.map { path[path.index(after: $0)...] } ?? path[...]) else {
      throw FileError(.create, path, .notAFile)
    }
    guard try !isOwn(root) else { throw FileError(.write, path, .ownFolder) }
    if let status = try files.status(of: place), status.kind != .file { throw FileError(.write, path, .notAFile) }
    try files.replace(place, bytes, mode: mode)
  }

  /// Whether a folder is one in which the job keeps its memory, whatever path leads to it.
  private func isOwn(_ folder: FileRoot) throws(FileError) -> Bool {
    let identity = try files.status(of: FilePlace(folder))?.identity
    for path in [library.state, "\(library.path)/\(StateFolder.name)"] {
      do throws(FileError) {
        let own = try files.openRoot(path, making: nil)
        if try files.status(of: FilePlace(own))?.identity == identity { return true }
      } catch {
        guard error.isMissing || error.isObstructed else { throw error }
      }
    }
    return false
  }
}
