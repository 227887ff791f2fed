// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncFormats

/// For `make install`.
struct ManualPageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual-page", abstract: "Print the manual page syncjob(1).",
    discussion: "`make install` puts it in its place. `man -l` shows it from a file.", shouldDisplay: false)

  func run() throws {
    let page = try ManualPage(parsing: Array(Syncjob._dumpHelp().utf8), version: Version.text)
    Terminal.standardOutput.write(page.text)
  }
}
