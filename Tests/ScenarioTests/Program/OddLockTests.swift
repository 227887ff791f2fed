// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Something else is in the place of the lock, or replaces it during a run.
@Suite("a lock that is not the library's own")
struct OddLockTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private var lock: String { "\(home.state)/lock" }

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a")
    try home.declare(
      "playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    #expect(try home.run().result.ending == .exited(0))
    try FileTree.remove(lock)
  }

  /// Checks that every command that would write ends with 1 and one sentence about the lock.
  private func expectRefusal(_ moment: String) throws {
    let queue = try home.queueFile()
    for command in [home.command("run", "--quiet"), home.editing("pin", "a")] {
      let result = try command.run(timeout: 20)
      #expect(result.ending == .exited(1), "\(moment): \(result.standardError)")
      #expect(result.standardError.contains(lock), "\(moment): \(result.standardError)")
    }
    #expect(try home.queueFile() == queue, "\(moment)")
  }

  /// Checks that a lock that leads to another file is refused, and that the other file is not written.
  /// - Parameter make: makes the lock of the first path at the second one.
  private func expectUntouched(_ moment: String, _ make: (String, String) -> Int32) throws {
    let precious = home.folder.file("precious")
    try FileBytes.write("keep me", to: precious)
    #expect(make(precious, lock) == 0)
    try expectRefusal(moment)
    #expect(try FileBytes.text(precious) == "keep me")
  }

  @Test("a lock with a second name is refused, and what the other name keeps is not written")
  func hardLink() throws { try expectUntouched("hard link") { link($0, $1) } }

  @Test("a lock that is a symbolic link is refused, and its target is not written")
  func symbolicLink() throws { try expectUntouched("symbolic link") { symlink($0, $1) } }

  @Test("a lock that is a named pipe is refused at once")
  func namedPipe() throws {
    #expect(mkfifo(lock, 0o600) == 0)
    try expectRefusal("named pipe")
  }

  @Test("a lock that is a folder is refused")
  func folder() throws {
    #expect(mkdir(lock, 0o700) == 0)
    try expectRefusal("folder")
  }

  @Test("a run whose lock was replaced stops before it writes the queue file")
  func replaced() throws {
    let gate = try Gate()
    server.serveAudio("b")
    server.script("/b.mp3", [.hold(after: 1000, gate)])
    try home.declare(
      "playlists: { all: { items: [{ id: b, title: B, url: \"\(server.url("/b.mp3"))\" }] } }")
    let queue = try home.queueFile()
    let run = try home.command("run", "--quiet").start()
    #expect(gate.waitForArrival())
    try FileTree.remove(lock)
    try FileBytes.write("", to: lock)
    gate.open()
    let result = run.wait()
    #expect(result.ending == .exited(1), "\(result.standardError)")
    #expect(result.standardError.contains(lock), "\(result.standardError)")
    #expect(try home.queueFile() == queue)
    // Nothing is lost: the next run adopts the file or fetches it.
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.ownedPaths().contains("all/B.mp3"))
  }
}
