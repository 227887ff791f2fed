// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// A file that a person asked for by its path.
package struct OutputFile: Sendable {
  private let path: String
  private let protected: ProtectedFiles
  private let files: any FileSystem

  package init(_ path: String, besides protected: ProtectedFiles, _ files: any FileSystem = POSIXFileSystem()) {
    self.path = path
    self.protected = protected
    self.files = files
  }

  /// Refuses what is somebody else's place, before there is anything to write.
  package func check() throws(FileError) {
    if let conflict = protected.conflict(at: path) { throw FileError(.write, path, conflict.cause) }
  }

  /// Whole or not at all, in the place of a plain file or of none; readable for its owner only: URLs in it may carry tokens.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try check()
    try replace(bytes, mode: .privateFile, makingFolder: nil)
  }

  /// A report where the manifest wants it, which may be in the library, in the place of an older one.
  package func write(report: [UInt8]) throws(FileError) {
    switch protected.conflict(at: path, writing: "report.json") {
    case nil: break
    case .library?: try checkReport()
    case let conflict?: throw FileError(.write, path, conflict.cause)
    }
    try replace(report, mode: .sharedFile, makingFolder: .sharedFolder)
  }

  private func replace(_ bytes: [UInt8], mode: FileMode, makingFolder folderMode: FileMode?) throws(FileError) {
    let place = try place(makingFolder: folderMode)
    if let status = try files.status(of: place), status.kind != .file { throw FileError(.write, path, .notAFile) }
    try files.replace(place, bytes, mode: mode)
  }

  private func place(makingFolder mode: FileMode?) throws(FileError) -> FilePlace {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let root = try files.openRoot(folder, making: mode)
    guard let place = FilePlace(root).child(slash.map { path[path.index(after: $0)...] } ?? path[...]) else {
      throw FileError(.create, path, .notAFile)
    }
    return place
  }

  /// Whatever else stands in the library is somebody's media or playlist.
  private func checkReport() throws(FileError) {
    let place = try place(makingFolder: .sharedFolder)
    guard let status = try files.status(of: place) else { return }
    guard status.kind == .file else { throw FileError(.write, path, .notAFile) }
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: RunReport.beginning.utf8.count, alignment: 1)
    defer { head.deallocate() }
    let file = try files.open(place, for: .reading)
    let count = try file.read(into: head, at: 0)
    try file.close()
    guard head[..<count].elementsEqual(RunReport.beginning.utf8) else { throw FileError(.write, path, .inLibrary) }
  }
}

extension ProtectedFiles.Conflict {
  fileprivate var cause: FileError.Cause {
    switch self {
    case .manifest: .isManifest
    case .named(let key): .namedByManifest(key: key)
    case .memory: .ownFolder
    case .library: .inLibrary
    }
  }
}
