// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// A file that a person names, or standard input, whatever kind of file that is.
package struct InputFile: Sendable {
  private let path: String
  private let limit: ByteCount

  /// More than the queue of millions of items takes.
  package static let largest = ByteCount(4 << 30)

  /// - Parameter limit: a larger file is refused before a byte of it is read, a longer pipe when it exceeds the limit.
  package init(_ path: String, limit: ByteCount = largest) {
    self.path = path
    self.limit = limit
  }

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
    bytes.reserveCapacity(pieces.expectedSize)
    while let piece = try pieces.next() { bytes += piece }
    return bytes
  }

  /// Its contents one after the other, for what need not be held whole.
  package func pieces() throws(FileError) -> InputPieces { try InputPieces(path, limit) }
}

/// An open file that is read from its beginning to its end.
package final class InputPieces {
  /// In bytes, of a plain file; zero where it is not known.
  package let expectedSize: Int
  private let descriptor: Int32
  private let path: String
  private let limit: ByteCount
  private var taken: Int64 = 0

  fileprivate init(_ path: String, _ limit: ByteCount) throws(FileError) {
    (self.path, self.limit) = (path, limit)
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    self.descriptor = descriptor
    var facts = stat()
    let isPlain = descriptor >= 0 && fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    expectedSize = isPlain ? max(0, facts.st_size) : 0
    guard descriptor >= 0 else { throw FileError(.open, path, code: ErrnoCode(errno)) }
    guard Int64(expectedSize) <= limit.bytes else { throw FileError(.read, path, .tooLarge(limit: limit)) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Nil at the end.
  package func next() throws(FileError) -> [UInt8]? {
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
    taken += Int64(piece.count)
    guard taken <= limit.bytes else { throw FileError(.read, path, .tooLarge(limit: limit)) }
    return piece.isEmpty ? nil : piece
  }
}
