// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore

/// One reading of a directory.
struct DirectoryListing {
  private let stream: OpaquePointer
  private let path: String

  /// Takes ownership of the descriptor.
  init(descriptor: Int32, _ path: String) throws(FileError) {
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw FileError(.list, path, code: ErrnoCode(code))
    }
    self.stream = stream
    self.path = path
  }

  /// Returns the entries except `.` and `..`, sorted by the bytes of their names. Ends the reading.
  /// - Parameter isMeant: returns false for a name that is left out.
  func entries(where isMeant: (String) -> Bool) throws(FileError) -> [DirectoryEntry] {
    defer { closedir(stream) }
    var entries: [DirectoryEntry] = []
    while true {
      errno = 0
      guard let record = readdir(stream) else { break }
      if let entry = try entry(record, isMeant) { entries.append(entry) }
    }
    let code = errno
    guard code == 0 else { throw FileError(.list, path, code: ErrnoCode(code)) }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Nil for the directory itself, its parent, an entry that is left out, and one that was removed in the meantime.
  private func entry(
    _ record: UnsafeMutablePointer<dirent>, _ isMeant: (String) -> Bool
  ) throws(FileError) -> DirectoryEntry? {
    // A record is only as long as its name: copying the whole `dirent` would read beyond it.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let name = (UnsafeRawPointer(record) + offset).assumingMemoryBound(to: CChar.self)
    if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return nil }
    let exact = String(validatingCString: name)
    let shown = exact ?? String(cString: name)
    guard isMeant(shown) else { return nil }
    var facts = stat()
    guard fstatat(dirfd(stream), name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
      let code = errno
      if code == ENOENT { return nil }
      throw FileError(.examine, "\(path)/\(shown)", code: ErrnoCode(code))
    }
    return DirectoryEntry(
      name: shown, isNameExact: exact != nil,
      status: FileStatus(facts, name, in: dirfd(stream)))
  }
}
