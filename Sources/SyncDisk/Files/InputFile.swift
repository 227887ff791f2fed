// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// A file that a person names, or standard input, whatever kind of file that is.
package struct InputFile: Sendable {
  private let path: String
  private let limit: ByteCount
  private let patience: Duration?

  /// More than the queue of millions of items takes.
  package static let largest = ByteCount(4 << 30)

  /// - Parameters:
  ///   - limit: A larger file is refused before a byte of it is read, a longer pipe when it exceeds the limit.
  ///   - patience: The time in which the writer of a pipe or a device has to finish. Nil for a file that a person names
  ///     for one command, who sees that it waits.
  package init(_ path: String, limit: ByteCount = largest, patience: Duration? = nil) {
    self.path = path
    self.limit = limit
    self.patience = patience
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
  package func pieces() throws(FileError) -> InputPieces { try InputPieces(path, limit, patience) }
}

/// An open file that is read from its beginning to its end.
package final class InputPieces {
  /// In bytes, of a plain file; zero where it is not known.
  package let expectedSize: Int
  private let descriptor: Int32
  private let path: String
  private let limit: ByteCount
  private var taken: Int64 = 0
  private let patience: Duration?
  private let stopwatch = Stopwatch()

  fileprivate init(_ path: String, _ limit: ByteCount, _ patience: Duration?) throws(FileError) {
    (self.path, self.limit) = (path, limit)
    // Without O_NONBLOCK, opening a pipe would wait for a writer, and nothing would end that wait.
    let flags = O_RDONLY | O_CLOEXEC | (patience == nil ? 0 : O_NONBLOCK | O_NOCTTY)
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, flags)
    self.descriptor = descriptor
    var facts = stat()
    let isPlain = descriptor >= 0 && fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    expectedSize = isPlain ? max(0, facts.st_size) : 0
    self.patience = isPlain ? nil : patience
    guard descriptor >= 0 else { throw FileError(.open, path, code: ErrnoCode(errno)) }
    guard Int64(expectedSize) <= limit.bytes else { throw FileError(.read, path, .tooLarge(limit: limit)) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Nil at the end.
  package func next() throws(FileError) -> [UInt8]? {
    var code: Int32 = 0
    var isLate = false
    let piece = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
      var received = 0
      repeat {
        if let patience, !Readiness.wait(for: descriptor, within: patience, of: stopwatch) {
          (received, isLate) = (0, true)
          break
        }
        received = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      } while received < 0 && (errno == EINTR || patience != nil && errno == EAGAIN)
      code = received < 0 ? errno : 0
      count = max(0, received)
    }
    guard code == 0 else { throw FileError(.read, path, code: ErrnoCode(code)) }
    if isLate, let patience { throw FileError(.read, path, .noWriter(after: patience)) }
    taken += Int64(piece.count)
    guard taken <= limit.bytes else { throw FileError(.read, path, .tooLarge(limit: limit)) }
    return piece.isEmpty ? nil : piece
  }
}

/// The wait for the writer of a pipe.
package enum Readiness {
  /// Waits in short steps, so that a run that is being stopped does not wait to the end.
  /// - Returns: False if there is nothing to read when the time is over.
  package static func wait(for descriptor: Int32, within timeout: Duration, of stopwatch: Stopwatch) -> Bool {
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      if Task.isCancelled || stopwatch.elapsed >= timeout { return false }
    } while poll(&interest, 1, 50) <= 0
    return true
  }
}
