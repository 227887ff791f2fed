// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

/// A run that replaces three files by those of another quality, killed at every system call that changes the disk. One of
/// the new files has another format, and with it another name.
@Suite("kill -9 while a file of another quality takes its place", .serialized)
struct QualityKillTests {
  private static let names = ["a", "b", "c"]
  private static let sizes = ["normal": 30_000, "high": 60_000]

  @Test(
    "the item has one whole file at every moment, and the next run has the new ones", .requires(.strace),
    arguments: ["renameat2", "renameat", "fsync", "fdatasync", "unlinkat", "pwrite64", "write"])
  func everyPoint(call: String) throws {
    let music = try QualityHousehold(LibraryFixture())
    for name in Self.names {
      for (quality, size) in Self.sizes { music.serve(name, quality, size, format(name, quality)) }
    }
    let items = Self.names.map { music.item($0, ["normal", "high"]) }
    try music.declare("normal", items, "report: { m3u8: false }")
    #expect(try music.home.command("run").run().ending == .exited(0))
    try music.declare("high", items, "report: { m3u8: false }")
    var killed = KillSweep(home: music.home, call: call)
    killed.afterKill = { try checkOneOfEach(music, $0) }
    try killed.run { try check(music, $0) }
    music.server.stop()
  }

  private func format(_ name: String, _ quality: String) -> QualityHousehold.Format {
    name == "b" && quality == "high" ? .m4a : .mp3
  }

  /// Right after the kill, as a player would find the library: whole files only, and one at least of each item.
  private func checkOneOfEach(_ music: QualityHousehold, _ moment: String) throws {
    let files = try music.files()
    for name in Self.names {
      let own = files.filter { $0.hasPrefix("all/\(name).") }
      #expect(!own.isEmpty, "\(moment): \(name) is gone")
      for path in own {
        let bytes = try FileBytes.read("\(music.home.library)/\(path)")
        let isWhole = Self.sizes.contains { quality, size in
          bytes == QualityHousehold.bytes(name, quality, size, format(name, quality))
        }
        #expect(isWhole, "\(moment): \(path)")
      }
    }
  }

  private func check(_ music: QualityHousehold, _ moment: String) throws {
    #expect(try music.files() == ["all/a.mp3", "all/b.m4a", "all/c.mp3"], "\(moment)")
    #expect(try music.home.ownedPaths() == ["all/a.mp3", "all/b.m4a", "all/c.mp3"], "\(moment)")
    for name in Self.names {
      let format = format(name, "high")
      let isNew = try music.file(name, format) == QualityHousehold.bytes(name, "high", 60_000, format)
      #expect(isNew, "\(moment): \(name)")
    }
  }
}
