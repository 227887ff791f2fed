// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A new empty directory that is removed with this value, whatever was put into it.
package final class TemporaryDirectory: Sendable {
  /// An absolute path without a symbolic link.
  package let path: String

  /// A directory on a file system in memory, if this system has one that may be used.
  package static var inMemory: String? { access("/dev/shm", R_OK | W_OK | X_OK) == 0 ? "/dev/shm" : nil }

  /// - Parameter parent: nil for the usual place of temporary files.
  package init(_ name: String = "syncjob-test", in parent: String? = nil) throws(SystemCallError) {
    let base = parent ?? Command.variable("TMPDIR") ?? "/tmp"
    var template = Array("\(base)/\(name).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemCallError("mkdtemp \(base)") }
    guard let real = realpath(template, nil) else { throw SystemCallError("realpath") }
    defer { free(real) }
    path = String(cString: real)
  }

  deinit {
    do throws(SystemCallError) {
      try FileTree.remove(path)
    } catch {
      print("could not remove \(path): \(error)")
    }
  }

  /// The path of something inside.
  package func file(_ relative: String) -> String { "\(path)/\(relative)" }
}
