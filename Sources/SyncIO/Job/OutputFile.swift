// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A file that a person asked for by its path.
package struct OutputFile: Sendable {
  private let path: String
  private let files = POSIXFileSystem()

  package init(_ path: String) { self.path = path }

  /// Whole or not at all, in the place of a plain file or of none, readable for its owner only: URLs in it may carry tokens.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let root = try files.openRoot(folder, making: nil)
    guard let place = FilePlace(root).child(slash.map { path[path.index(after: $0)...] } ?? path[...]) else {
      throw FileError(.create, path, .notAFile)
    }
    if let status = try files.status(of: place), status.kind != .file { throw FileError(.write, path, .notAFile) }
    try files.replace(place, bytes, mode: .privateFile)
  }
}
