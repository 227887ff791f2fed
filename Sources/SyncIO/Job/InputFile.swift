// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// A file that a person names, or standard input, whatever kind of file that is.
package struct InputFile: Sendable {
  private let path: String

  /// Larger files than any queue are refused before they fill the memory.
  private static let limit = ByteCount(4 << 30)

  package init(_ path: String) { self.path = path }

  /// Its first bytes, so many at most.
  package func beginning(_ count: Int) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(.open, path, code: ErrnoCode(errno)) }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: count)
    let received = Glibc.read(descriptor, &buffer, count)
    guard received >= 0 else { throw FileError(.read, path, code: ErrnoCode(errno)) }
    return Array(buffer[..<received])
  }

  /// All of it.
  package func read() throws(FileError) -> [UInt8] {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(.open, path, code: ErrnoCode(errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(.read, path, code: ErrnoCode(errno)) }
      bytes += buffer[..<count]
      guard bytes.count <= Self.limit.bytes else { throw FileError(.read, path, .tooLarge(limit: Self.limit)) }
    }
  }
}
