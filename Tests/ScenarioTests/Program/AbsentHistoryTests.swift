// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("a history that is not there yet")
struct AbsentHistoryTests {
  private let home: LibraryFixture

  init() throws {
    home = try LibraryFixture()
    try home.declare("playlists: {}\nhistory: [ { scrobbler_log: ./player.log, timezone: UTC } ]")
  }

  private func warnings() throws -> Int {
    let result = try home.command("run", "--json").run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    return try JSONValue(result.stdout)[path: "warnings.count"].flatMap { Int($0.description) } ?? -1
  }

  @Test("causes one warning, and another one only after it was there")
  func once() throws {
    #expect(try [warnings(), warnings(), warnings()] == [1, 0, 0])
    let log = home.folder.file("player.log")
    try FileBytes.write("#AUDIOSCROBBLER/1.1\n#TZ/UTC\n#CLIENT/x\n", to: log)
    #expect(try warnings() == 0)
    try FileTree.remove(log)
    #expect(try [warnings(), warnings()] == [1, 0])
  }
}
