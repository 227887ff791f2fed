// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The program that runs, and the files that were installed with it.
package enum OwnProgram {
  /// The folder of the program's file. Nil if the system does not tell.
  static var folder: String? {
    var own = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &own, own.count - 1) > 0 else { return nil }
    let text = String(decoding: own.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "/" + text.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The path of a file in `share/syncjob`, beside the folder of the program. A program that is not installed names the
  /// place where `make install` puts the file by default.
  package static func sharedFile(_ name: String) -> String {
    let prefix = (folder ?? "").split(separator: "/").dropLast().joined(separator: "/")
    let path = "\(prefix.isEmpty ? "" : "/")\(prefix)/share/syncjob/\(name)"
    return access(path, R_OK) == 0 ? path : "/usr/local/share/syncjob/\(name)"
  }
}
