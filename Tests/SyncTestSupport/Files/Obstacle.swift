// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Something that is not a folder and stands where a folder is to be.
package enum Obstacle: String, CaseIterable, Sendable {
  case file, link, pipe

  package func place(at path: String) throws {
    switch self {
    case .file: try FileBytes.write([1], to: path)
    case .link: if symlink("/tmp", path) != 0 { throw SystemCallError("symlink") }
    case .pipe: if mkfifo(path, 0o600) != 0 { throw SystemCallError("mkfifo") }
    }
  }
}
