// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
package import SyncDisk
import Testing

/// Both sides of the port, for the suite that both must pass.
package enum FileSystemTwin: String, CaseIterable, CustomTestStringConvertible {
  case real, fake

  package var testDescription: String { rawValue }

  package func workshop() throws -> Workshop {
    switch self {
    case .real:
      let directory = try ScratchDirectory()
      let files = POSIXFileSystem()
      return Workshop(
        files: files, root: try files.openRoot(directory.path, making: nil), directory: directory,
        plantLink: { _ = symlink($1, "\(directory.path)/\($0)") },
        plantFIFO: { _ = mkfifo("\(directory.path)/\($0)", 0o600) })
    case .fake:
      let files = MemoryFileSystem()
      func plant(_ kind: MemoryDisk.Kind, _ name: String) throws {
        try files.run(.create, name) { disk throws(DiskFault) in
          try disk.plant(kind, ["work"] + name.split(separator: "/").map(String.init))
        }
      }
      return Workshop(
        files: files, root: try files.openRoot("/work", making: .sharedFolder), directory: nil,
        plantLink: { name, _ in try plant(.link, name) }, plantFIFO: { name in try plant(.fifo, name) })
    }
  }
}

/// An empty root, and the means to plant in it what the port itself never makes.
package struct Workshop {
  package let files: any FileSystem
  package let root: FileRoot
  /// Removed when the last workshop that uses it goes.
  package let directory: ScratchDirectory?
  /// Name, target.
  package let plantLink: (String, String) throws -> Void
  package let plantFIFO: (String) throws -> Void

  package func place(_ path: String) throws -> FilePlace { root[try #require(LibraryPath(path))] }

  package func write(_ path: String, _ text: String) throws {
    try files.create(try place(path), Array(text.utf8), mode: .sharedFile)
  }

  package func text(_ path: String) throws -> String? {
    try files.read(try place(path), limit: ByteCount(1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A new empty directory, removed with this value.
package final class ScratchDirectory: Sendable {
  /// Without a symbolic link in it.
  package let path: String

  package init() throws(FileError) {
    var template = Array("/tmp/syncjob-files.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil, let real = realpath(template, nil) else {
      throw FileError(.makeFolder, "/tmp", code: ErrnoCode(errno))
    }
    defer { free(real) }
    path = String(cString: real)
  }

  deinit {
    do throws(FileError) {
      let files = POSIXFileSystem()
      let root = try files.openRoot(path, making: nil)
      try Self.empty(FilePlace(root), files)
      rmdir(path)
    } catch { print("could not remove \(path): \(error)") }
  }

  private static func empty(_ folder: FilePlace, _ files: POSIXFileSystem) throws(FileError) {
    for entry in try files.list(folder) {
      guard let inner = folder.child(entry.name) else { continue }
      if entry.status.kind == .directory {
        try empty(inner, files)
        try files.removeFolder(inner)
      } else {
        try files.removeFile(inner)
      }
    }
  }
}
