// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The sentences of the commands about past runs.
package enum RunWords {
  /// - Parameter name: The name of the file.
  package static func reportNotRead(_ name: String, _ problem: QueueFileProblem) -> String {
    "cannot read the report of a run, \(name.quoted): \(problem.words); it is left out"
  }

  package static func outputWithoutFormat(_ option: String) -> String {
    "\(option) is for --format html and json: text goes to stdout"
  }

  package static func twoFormats(_ json: String, _ format: String) -> String {
    "\(json) and \(format) are given, and name different formats"
  }

  package static func wrote(_ runs: Int, to path: String) -> String {
    "wrote \(path.printable), with \(runs.counted("run"))"
  }
}
