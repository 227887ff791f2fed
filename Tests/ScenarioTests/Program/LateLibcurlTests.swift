// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// libcurl is loaded before the first request. Here a file that is no library is in its place.
@Suite("without libcurl")
struct LateLibcurlTests {
  private let server: FaultServer
  private let home: LibraryFixture

  init() throws {
    server = try FaultServer()
    home = try LibraryFixture()
    server.serveAudio("a")
    try FileBytes.write(Array("no library\n".utf8), to: home.folder.file("libcurl.so.4"))
    try declare("A")
  }

  private func declare(_ title: String) throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { all: { items: [{ id: a, title: \(title), url: "\(server.url("/a.mp3"))" }] } }
      """)
  }

  private func runWithout(_ command: Command) throws -> CommandResult {
    var command = command
    let others = command.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
    command.environment["LD_LIBRARY_PATH"] = home.folder.path + others
    return try command.run()
  }

  @Test("a run that has something to fetch says which library to install, and changes nothing")
  func fetching() throws {
    let result = try runWithout(home.command("run"))
    #expect(result.ending == .exited(1), "\(result.standardError)")
    #expect(result.standardError.contains("libcurl.so.4"), "\(result.standardError)")
    #expect(result.standardError.contains("install libcurl4"), "\(result.standardError)")
    #expect(server.requests.isEmpty)
    // Nothing was counted as an attempt.
    #expect(try home.run().result.ending == .exited(0))
  }

  @Test("every command that makes no request works", arguments: ["plan", "status", "list", "validate", "verify"])
  func reading(_ name: String) throws {
    #expect(try home.run().result.ending == .exited(0))
    let result = try runWithout(home.command(name))
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  @Test("a run that renames a file works")
  func moving() throws {
    #expect(try home.run().result.ending == .exited(0))
    try declare("B")
    let result = try runWithout(home.command("run"))
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try FileTree.files(home.library).contains { $0.contains("B") })
  }
}
