// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncCore

/// What one file of credentials holds.
struct SecretFileContents {
  var text: String
  /// The path that was read.
  var path: String
  /// Whether every user of the machine may read it.
  var isPublic: Bool

  /// Far more than any netrc or browser's cookies need.
  static let limit = ByteCount(4 << 20)

  /// - Parameter timeout: for a pipe, such as `/dev/stdin`: as long as a program that prints a secret has.
  static func read(
    _ file: SecretFile, timeout: Duration = SecretCommand.timeout
  ) throws(SecretProblem) -> SecretFileContents {
    for path in file.paths.dropLast() {
      do throws(SecretProblem) { return try read(path, timeout) } catch .unreadable(_, .enoent) { continue }
    }
    return try read(file.path, timeout)
  }

  private static func read(_ path: String, _ timeout: Duration) throws(SecretProblem) -> SecretFileContents {
    // To open a pipe waits for a writer, and nothing ends that wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, ErrnoCode(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, ErrnoCode(errno)) }
    let isPlain = status.st_mode & S_IFMT == S_IFREG
    guard !isPlain || Int64(status.st_size) <= limit.bytes else { throw .tooLarge(path: path, limit: limit) }
    let deadline = ContinuousClock.now + timeout
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if !isPlain, !isReady(descriptor, until: deadline) { throw .noWriter(path: path, after: timeout) }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw .unreadable(path: path, ErrnoCode(errno)) }
      bytes += buffer[..<count]
      guard Int64(bytes.count) <= limit.bytes else { throw .tooLarge(path: path, limit: limit) }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path: path) }
    return SecretFileContents(text: text, path: path, isPublic: status.st_mode & S_IROTH != 0)
  }

  /// In short waits, so that a run that is being stopped does not sit one out.
  private static func isReady(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      if Task.isCancelled || ContinuousClock.now >= deadline { return false }
    } while poll(&interest, 1, 50) <= 0
    return true
  }
}
