// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("init and folders of the system")
struct InitTests {
  @Test(
    "a library that is a folder of the system needs --yes", arguments: ["/", "/etc/music", "/usr/share/x", "/home"])
  func system(_ path: String) throws {
    let home = try LibraryFixture()
    try FileBytes.write("version: 1\nlibrary: { path: \(path) }\nplaylists: {}\n", to: home.manifest)
    let refused = try home.command("init").run()
    #expect(refused.ending == .exited(64))
    #expect(
      refused.standardError
        == "syncjob: error: the library would be \"\(path)\", a folder of the system; name a folder of its own under"
        + " library.path, or confirm it with --yes\n")
    let meant = try home.command("init", "--yes", "-n").run()
    #expect(meant.ending == .exited(0))
    #expect(meant.standardOutput == "would initialise \"\(path)\": the folder, if it is missing, and its marker\n")
  }

  @Test("a rehearsal names the library that it would make, and fails where the real one fails")
  func rehearsal() throws {
    let home = try LibraryFixture()
    let result = try home.command("init", "-n").run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(
      result.standardOutput
        == "would write \"\(home.manifest)\"\nwould initialise \"\(home.library)\": the folder, if it is missing, and its"
        + " marker\n")
    #expect(try FileTree.files(home.folder.path, hidden: true).isEmpty)
    let program = try #require(Program.syncjob)
    for options in [[], ["-n"]] {
      let failed = try Command(program, ["init", home.folder.file("nowhere/car.yaml")] + options).run()
      #expect(failed.ending == .exited(1))
      #expect(failed.standardError.contains("make the folder first"), "\(failed.standardError)")
    }
  }

  @Test("any other folder needs no word")
  func others() throws {
    let home = try LibraryFixture()
    try home.declare("playlists: {}")
    #expect(try home.command("init", "-q").run().ending == .exited(0))
  }
}
