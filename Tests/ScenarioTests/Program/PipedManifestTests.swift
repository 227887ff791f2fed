// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("a manifest that is read from a pipe")
struct PipedManifestTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serve("/a.mp3", Resource(bytes: GeneratedAudio(title: "a", seconds: 1, seed: 1).bytes))
    try home.declare("playlists: { mix: { items: [{ id: a, title: a, url: \"\(server.url("/a.mp3"))\" }] } }")
  }

  /// Runs a line of shell in the folder of the manifest, with the program in `$SJ`.
  private func shell(_ line: String) throws -> CommandResult {
    let program = home.command("run").executable
    return try Command("/bin/bash", ["-c", "cd '\(home.folder.path)' && SJ='\(program)' && \(line)"]).run()
  }

  @Test(
    "has its relative paths in the working directory",
    arguments: [
      "cat manifest.yaml | $SJ run /dev/stdin", "$SJ run /dev/stdin < manifest.yaml",
      "$SJ run <(cat manifest.yaml)", "$SJ run /proc/self/fd/0 < manifest.yaml",
      "mkdir other && mkfifo other/pipe && (cat manifest.yaml > other/pipe &) && $SJ run other/pipe",
    ])
  func piped(line: String) throws {
    let result = try shell(line)
    #expect(result.ending == .exited(0), "\(result.standardOutput) \(result.standardError)")
    #expect(try home.ownedPaths() == ["mix/a.mp3"])
    #expect(access("/dev/library", F_OK) != 0)
  }

  @Test("makes a plan that is not applied in another folder, where it would mean another library")
  func plannedElsewhere() throws {
    #expect(try shell("$SJ plan -o a.plan /dev/stdin < manifest.yaml").ending == .exited(0))
    let elsewhere = try shell("mkdir other && cd other && $SJ apply ../a.plan < ../manifest.yaml")
    #expect(elsewhere.ending == .exited(12), "\(elsewhere)")
    #expect(elsewhere.standardError.contains("a manifest from a pipe is in another folder"), "\(elsewhere)")
    #expect(access(home.folder.file("other/library"), F_OK) != 0)
    #expect(try shell("$SJ apply a.plan < manifest.yaml").ending == .exited(0))
    #expect(try home.ownedPaths() == ["mix/a.mp3"])
  }

  @Test("that is a plain file keeps them beside itself, whatever the working directory is")
  func plain() throws {
    #expect(try shell("mkdir other && cd other && $SJ run ../manifest.yaml").ending == .exited(0))
    #expect(try home.ownedPaths() == ["mix/a.mp3"])
  }
}
