// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
import SyncCore

/// A folder for what a program keeps while it runs, in the system's folder for temporary files.
package struct ScratchFolder: Sendable {
  package let path: String

  package init() throws(ProcessFailure) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(parent.isEmpty ? "/tmp" : parent)/syncjob-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .notStarted(ErrnoCode(errno)) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes the folder with everything in it. What cannot be removed is left to the system, which empties its folder.
  package func remove() { syncjob_remove_tree(path) }
}
