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

  static func read(_ file: SecretFile) throws(SecretProblem) -> SecretFileContents {
    for path in file.paths.dropLast() {
      do throws(SecretProblem) { return try read(path) } catch .unreadable(_, .enoent) { continue }
    }
    return try read(file.path)
  }

  private static func read(_ path: String) throws(SecretProblem) -> SecretFileContents {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .unreadable(path: path, ErrnoCode(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, ErrnoCode(errno)) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unreadable(path: path, ErrnoCode(errno)) }
      bytes += buffer[..<count]
      guard Int64(bytes.count) <= limit.bytes else { throw .tooLarge(path: path, limit: limit) }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path: path) }
    return SecretFileContents(text: text, path: path, isPublic: status.st_mode & S_IROTH != 0)
  }
}
