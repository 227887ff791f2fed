// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport

/// The paths of the programs under test.
enum Program {
  /// `SYNCJOB_BIN`, else the program that was built with the tests.
  static var syncjob: String? { Command.variable("SYNCJOB_BIN") ?? beside("syncjob") }

  /// A program in the folder of the tests' own executable, where the build puts both.
  static func beside(_ name: String) -> String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let folder = String(cString: own).split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/\(name)"
    return access(path, X_OK) == 0 ? path : nil
  }
}
