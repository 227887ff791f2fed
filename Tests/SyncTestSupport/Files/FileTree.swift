// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The contents of a directory, at any depth.
package enum FileTree {
  package enum Kind: Equatable, Sendable { case file, directory, link, other }

  package struct Entry: Equatable, Sendable {
    /// The path below the directory that was listed, with `/`.
    package let path: String
    package let kind: Kind
    /// The number of bytes of a file, zero for anything else.
    package let size: Int
    /// Permission bits.
    package let mode: UInt32
  }

  /// Every entry, a directory before its contents, otherwise sorted by the bytes of the name. Links are not followed. An
  /// entry that is removed in the meantime is left out, because programs may be at work in the directory.
  package static func list(_ root: String) throws(SystemCallError) -> [Entry] {
    var entries: [Entry] = []
    for name in try names(root) {
      guard let entry = try examine(root, name) else { continue }
      entries.append(entry)
      guard entry.kind == .directory else { continue }
      for inner in try list("\(root)/\(name)") {
        entries.append(Entry(path: "\(name)/\(inner.path)", kind: inner.kind, size: inner.size, mode: inner.mode))
      }
    }
    return entries
  }

  /// The paths of everything but directories, without hidden entries at the top unless `hidden` is true.
  package static func files(_ root: String, hidden: Bool = false) throws(SystemCallError) -> [String] {
    try list(root).filter { $0.kind != .directory && (hidden || !$0.path.hasPrefix(".")) }.map(\.path)
  }

  /// Removes a file, a link or a directory with everything in it.
  package static func remove(_ path: String) throws(SystemCallError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemCallError("lstat \(path)") }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in try names(path) { try remove("\(path)/\(name)") }
      guard rmdir(path) == 0 else { throw SystemCallError("rmdir \(path)") }
    } else {
      guard unlink(path) == 0 else { throw SystemCallError("unlink \(path)") }
    }
  }

  /// The names in a directory, without deeper levels, sorted by their bytes.
  package static func names(_ path: String) throws(SystemCallError) -> [String] {
    guard let directory = opendir(path) else { throw SystemCallError("opendir \(path)") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Nil for an entry that is no longer there.
  private static func examine(_ root: String, _ name: String) throws(SystemCallError) -> Entry? {
    var status = stat()
    guard lstat("\(root)/\(name)", &status) == 0 else {
      guard errno == ENOENT else { throw SystemCallError("lstat \(root)/\(name)") }
      return nil
    }
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    return Entry(path: name, kind: kind, size: kind == .file ? Int(status.st_size) : 0, mode: status.st_mode & 0o7777)
  }
}
