// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A run that evicts two files and fetches two, killed at every system call that changes the disk. The kernel counts
/// the calls, so that no moment is left to chance.
@Suite("kill -9 at each change of the disk", .serialized)
struct KillPointTests {
  private static let size = 60_000
  private static let old = ["a", "b", "c"]
  private static let new = ["a", "d", "e"]

  @Test(
    "the next run sets everything right", .requires(.strace),
    arguments: ["unlinkat", "renameat2", "fsync", "fdatasync", "pwrite64", "ftruncate"])
  func everyPoint(call: String) throws {
    let server = try origin()
    let home = try LibraryFixture()
    try home.declare(manifest(Self.old, server))
    #expect(try home.command("run").run().ending == .exited(0))
    try home.declare(manifest(Self.new, server))
    try KillSweep(home: home, call: call).run { try check(home, $0) }
    server.stop()
  }

  private func check(_ home: LibraryFixture, _ moment: String) throws {
    let owned = try home.ownedPaths()
    #expect(owned == Set(Self.new.map { "all/\($0).mp3" }), "\(moment)")
    for name in Self.new {
      let isWhole = try FileBytes.read("\(home.library)/all/\(name).mp3") == bytes(name)
      #expect(isWhole, "\(moment): \(name)")
    }
  }

  private func origin() throws -> FaultServer {
    let server = try FaultServer()
    for name in Set(Self.old + Self.new) {
      server.serve("/\(name).mp3", Resource(bytes: bytes(name), etag: "\"\(name)\""))
    }
    return server
  }

  private func bytes(_ name: String) -> [UInt8] {
    let audio = GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(0) { $0 * 31 + UInt64($1) })
    return audio.body(count: Self.size).bytes(in: 0..<Self.size)
  }

  /// Room for three files: items that left the manifest must be removed.
  private func manifest(_ names: [String], _ server: FaultServer) -> String {
    let items = names.map {
      "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\", size: \(Self.size) }"
    }
    return """
      storage: { budget: 200000, min_free: 0, evict: { trigger: 100%, target: 100%, min_age: 0s } }
      report: { m3u8: false }
      playlists:
        all:
          items:
      \(items.joined(separator: "\n"))
      """
  }
}
