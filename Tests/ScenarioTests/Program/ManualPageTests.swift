// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import SyncTestSupport
import Testing

@Suite("the manual page")
struct ManualPageTests {
  private func page() throws -> String {
    let result = try Command(try #require(Program.syncjob), ["manual-page"]).run()
    #expect(result.ending == .exited(0) && result.standardError == "")
    return result.standardOutput
  }

  @Test("has every command, every flag and every exit status")
  func complete() throws {
    let page = try page()
    let dump = try Command(try #require(Program.syncjob), ["--experimental-dump-help"]).run().standardOutput
    let program = try CommandDefinition(parsing: Array(dump.utf8))
    for flag in program.allFlags.flatMap(\.long) where flag != "version" {
      #expect(page.contains("\\-\\-\(flag.replacing("-", with: "\\-"))"), "\(flag)")
    }
    for command in program.subcommands where command.name != "manual-page" {
      #expect(page.contains(".SS \"syncjob \(command.name)"), "\(command.name)")
    }
    for status in [0, 1, 2, 3, 4, 5, 8, 10, 11, 12, 64, 78, 129, 130, 143] {
      #expect(page.contains(".TP\n\\fB\(status)\\fR\n"), "\(status)")
    }
  }

  @Test("groff formats it without a warning", .requires(Tool("groff")))
  func groff() throws {
    let folder = try TemporaryDirectory("syncjob-manual")
    try FileBytes.write(try page(), to: folder.file("syncjob.1"))
    let arguments = ["-man", "-ww", "-K", "utf8", "-T", "utf8", folder.file("syncjob.1")]
    let result = try #require(Tool("groff").command(arguments)).run()
    #expect(result.ending == .exited(0) && result.standardError == "", "\(result.standardError)")
    #expect(result.standardOutput.split(separator: "\n").count > 500)
  }

  @Test("man shows it without a warning", .requires(Tool("man")))
  func man() throws {
    let folder = try TemporaryDirectory("syncjob-manual")
    try FileBytes.write(try page(), to: folder.file("syncjob.1"))
    let result = try #require(Tool("man").command(["--warnings", "-P", "cat", "-l", folder.file("syncjob.1")])).run()
    #expect(result.ending == .exited(0) && result.standardError == "", "\(result.standardError)")
  }
}
