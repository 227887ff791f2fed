// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A run that moves files, killed at every system call that changes the disk. Two files swap places, one changes its
/// case, one goes to another folder, and a new one takes the place that it leaves.
@Suite("kill -9 while files move", .serialized)
struct MoveKillTests {
  private static let size = 20_000
  /// The path below the playlist's folder, without its extension, by id.
  private static let before = ["a": "One", "b": "Two", "c": "three", "d": "old/Four"]
  private static let after = ["a": "Two", "b": "One", "c": "Three", "d": "Five", "e": "old/Four"]

  @Test(
    "the next run has every file where it belongs, and fetches none of them again", .requires(.strace),
    arguments: ["renameat2", "fsync", "fdatasync", "unlinkat", "mkdirat", "pwrite64"])
  func everyPoint(call: String) throws {
    let server = try origin()
    let home = try LibraryFixture()
    try home.declare(manifest(Self.before, layout: "{album}/{title}.{ext}", server))
    #expect(try home.command("run").run().ending == .exited(0))
    try home.declare(manifest(Self.after, layout: "{album}/{title}.{ext}", server))
    try KillSweep(home: home, call: call).run { try check(home, $0) }
    for name in Self.before.keys { #expect(server.requests(to: "/\(name).mp3").count == 1, "\(call): \(name)") }
    server.stop()
  }

  private func check(_ home: LibraryFixture, _ moment: String) throws {
    let owned = try home.ownedPaths()
    #expect(owned == Set(Self.after.values.map { path($0) }), "\(moment)")
    for (name, title) in Self.after {
      let isWhole = try FileBytes.read("\(home.library)/\(path(title))") == bytes(name)
      #expect(isWhole, "\(moment): \(title)")
    }
  }

  private func path(_ title: String) -> String { title.contains("/") ? "\(title).mp3" : "new/\(title).mp3" }

  private func origin() throws -> FaultServer {
    let server = try FaultServer()
    for name in Self.after.keys {
      server.serve("/\(name).mp3", Resource(bytes: bytes(name), etag: "\"\(name)\""))
    }
    return server
  }

  private func bytes(_ name: String) -> [UInt8] {
    let audio = GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(0) { $0 * 31 + UInt64($1) })
    return audio.body(count: Self.size).bytes(in: 0..<Self.size)
  }

  private func manifest(_ titles: [String: String], layout: String, _ server: FaultServer) -> String {
    let items = titles.sorted { $0.key < $1.key }.map { name, title in
      let parts = title.split(separator: "/")
      let album = parts.count > 1 ? ", album: \(parts[0])" : ", album: new"
      return "      - { id: \(name), title: \(parts[parts.count - 1])\(album), url: \"\(server.url("/\(name).mp3"))\" }"
    }
    return """
      report: { m3u8: false }
      playlists:
        all:
          layout: "\(layout)"
          items:
      \(items.joined(separator: "\n"))
      """
  }
}
