// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncCore
import SyncDisk

/// The contents of one credentials file.
struct SecretFileContents {
  var text: String
  /// The path that was read.
  var path: String
  /// True if every user of the machine can read the file.
  var isPublic: Bool

  /// Far more than any netrc file or browser cookies need.
  static let limit = ByteCount(4 << 20)

  /// - Parameter timeout: The time limit for a pipe such as `/dev/stdin`: as long as a program has that prints a
  ///   secret.
  static func read(
    _ file: SecretFile, timeout: Duration = SecretCommand.timeout
  ) throws(SecretProblem) -> SecretFileContents {
    for path in file.paths.dropLast() {
      do throws(SecretProblem) { return try read(path, timeout) } catch .unreadable(_, .enoent) { continue }
    }
    return try read(file.path, timeout)
  }

  private static func read(_ path: String, _ timeout: Duration) throws(SecretProblem) -> SecretFileContents {
    // Without O_NONBLOCK, opening a pipe would wait for a writer, and nothing would end that wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, ErrnoCode(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, ErrnoCode(errno)) }
    let isPlain = status.st_mode & S_IFMT == S_IFREG
    guard !isPlain || Int64(status.st_size) <= limit.bytes else { throw .tooLarge(path: path, limit: limit) }
    let stopwatch = Stopwatch()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if !isPlain, !Readiness.wait(for: descriptor, within: timeout, of: stopwatch) {
        throw .noWriter(path: path, after: timeout)
      }
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
}
