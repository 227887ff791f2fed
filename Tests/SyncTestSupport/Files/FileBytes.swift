// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whole files, for fixtures and expectations.
package enum FileBytes {
  package static func read(_ path: String) throws(SystemCallError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCallError("open \(path)") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      var code: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 262_144) { space, count in
        let got = Glibc.read(descriptor, space.baseAddress, space.count)
        code = got < 0 ? errno : 0
        count = max(0, got)
      }
      guard code == 0 else { throw SystemCallError("read \(path)", code: code) }
      guard !chunk.isEmpty else { return bytes }
      bytes += chunk
    }
  }

  package static func text(_ path: String) throws(SystemCallError) -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  /// Writes a file, replacing an earlier one, and makes the directories above it.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemCallError) {
    try makeParents(of: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemCallError("open \(path)") }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemCallError("write \(path)") }
      rest = rest.dropFirst(count)
    }
  }

  package static func write(_ text: String, to path: String) throws(SystemCallError) {
    try write(Array(text.utf8), to: path)
  }

  private static func makeParents(of path: String) throws(SystemCallError) {
    var parent = path.hasPrefix("/") ? "" : "."
    for component in path.split(separator: "/").dropLast() {
      parent += "/\(component)"
      guard mkdir(parent, 0o755) == 0 || errno == EEXIST else { throw SystemCallError("mkdir \(parent)") }
    }
  }
}
