// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("init and folders of the system")
struct InitTests {
  @Test(
    "a library that is a folder of the system needs --yes", arguments: ["/", "/etc/music", "/usr/share/x", "/home"])
  func system(_ path: String) throws {
    let home = try Household()
    try FileBytes.write("version: 1\nlibrary: { path: \(path) }\nplaylists: {}\n", to: home.manifest)
    let refused = try home.command("init").run()
    #expect(refused.ending == .exited(64))
    #expect(
      refused.standardError
        == "syncjob: error: the library would be \"\(path)\", a folder of the system; name a folder of its own under"
        + " library.path, or confirm it with --yes\n")
    let meant = try home.command("init", "--yes", "-n").run()
    #expect(meant.ending == .exited(0))
    #expect(meant.standardOutput == "would initialise \"\(path)\"\n")
  }

  @Test("any other folder needs no word")
  func others() throws {
    let home = try Household()
    try home.declare("playlists: {}")
    #expect(try home.command("init", "-q").run().ending == .exited(0))
  }
}
