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
    let pieces = try pieces()
    var bytes: [UInt8] = []
    while let piece = try pieces.next() {
      bytes += piece
      guard bytes.count <= Self.limit.bytes else { throw FileError(.read, path, .tooLarge(limit: Self.limit)) }
    }
    return bytes
  }

  /// Its contents one after the other, for what need not be held whole.
  func pieces() throws(FileError) -> InputPieces { try InputPieces(path) }
}

/// An open file that is read from its beginning to its end.
final class InputPieces {
  private let descriptor: Int32
  private let path: String

  fileprivate init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(.open, path, code: ErrnoCode(errno)) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Nil at the end.
  func next() throws(FileError) -> [UInt8]? {
    var code: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
      var received = 0
      repeat {
        received = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      } while received < 0 && errno == EINTR
      code = received < 0 ? errno : 0
      count = max(0, received)
    }
    guard code == 0 else { throw FileError(.read, path, code: ErrnoCode(code)) }
    return piece.isEmpty ? nil : piece
  }
}
