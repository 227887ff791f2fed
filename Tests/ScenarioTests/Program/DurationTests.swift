// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("The real duration of a file")
struct DurationTests {
  private let server: FaultServer
  private let home: LibraryFixture

  init() throws {
    server = try FaultServer()
    home = try LibraryFixture()
    server.serveAudio("short", "other", seconds: 2)
    server.serveAudio("whole", seconds: 60)
  }

  private func declare(_ checks: String, _ duration: String = "duration: 1:00", other: String = "whole") throws {
    try home.declare(
      """
      \(checks)
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        all:
          items:
            - id: a
              title: Night Drive
              url: "\(server.url("/short.mp3"))"
              \(duration)
              alternatives: [{ url: "\(server.url("/\(other).mp3"))", title: Night Drive, duration: 1:01 }]
      """)
  }

  @Test("is compared with the declared one, and a warning names both")
  func warning() throws {
    try declare("")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect("\(report)".contains("plays 0:02, not 1:00 as declared"), "\(report)")
  }

  @Test("leads to an alternative if the manifest rejects it")
  func rejection() throws {
    try declare("checks: { duration: reject }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.alternatives_used"] == .number(1))
    #expect(server.requests.map(\.path) == ["/short.mp3", "/whole.mp3"])
  }

  @Test("leads to an alternative, and the line of the file has its size")
  func size() throws {
    try declare("checks: { duration: reject }")
    let result = try home.command("run").run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let kept = try FileBytes.read("\(home.library)/all/Night Drive.mp3").count
    let line = try #require(result.standardOutput.split(separator: "\n").first { $0.contains("Night Drive.mp3") })
    #expect(line.contains(" \(Int((Double(kept) / 1024).rounded())) KiB "), "\(result.standardOutput)")
  }

  @Test("is a permanent failure if no alternative has it, until the manifest accepts the file")
  func failure() throws {
    try declare("checks: { duration: reject }", other: "other")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "items.0.error.kind"] == .string("duration"), "\(report)")
    #expect(try home.strays() == [])
    _ = try home.run()
    #expect(server.requests.count == 2)
    try declare("checks: { duration: warn }", other: "other")
    #expect(try home.run().result.ending == .exited(0))
  }

  @Test("is not measured if none is declared, or if the manifest does not ask", arguments: [true, false])
  func off(isDeclared: Bool) throws {
    try declare(isDeclared ? "checks: { duration: off }" : "", isDeclared ? "duration: 1:00" : "artist: A")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(!"\(report)".contains("plays"), "\(report)")
  }

  @Test("without TagLib, one warning names the package, and everything is fetched")
  func withoutTagLib() throws {
    try declare("checks: { duration: reject }")
    try FileBytes.write(Array("no library\n".utf8), to: home.folder.file("libtag.so.1"))
    var command = home.command("run")
    let others = command.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
    command.environment["LD_LIBRARY_PATH"] = home.folder.path + others
    let result = try command.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let output = result.standardOutput + result.standardError
    #expect(output.contains("TagLib is missing (libtag.so.1)") && output.contains("install libtag1v5"), "\(output)")
    #expect(try home.ownedPaths().count == 1)
  }
}
