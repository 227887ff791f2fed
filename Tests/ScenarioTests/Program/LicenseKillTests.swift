// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// Runs that are killed while licences and media arrive, are renewed, or are over.
@Suite("licences and kills", .requires(.strace))
struct LicenseKillTests {
  private let media: FaultServer
  private let licenses: LicenseServer
  private let home: LibraryFixture
  private let audio = GeneratedAudio(title: "Night Drive", seconds: 2, seed: 1)

  init() throws {
    media = try FaultServer()
    licenses = try LicenseServer()
    home = try LibraryFixture()
    media.serve("/a.mp3", Resource(bytes: audio.bytes, etag: "\"a\""))
    licenses.change {
      $0.setTime(Timeline.start)
      // A library that is brought back to its beginning has another device.
      $0.maxDevices = 10_000
    }
  }

  private static let calls = ["renameat", "renameat2", "fsync", "fdatasync", "unlinkat"]

  private func declare(_ policy: String = "") throws {
    try home.declare(
      """
      licenses: { server: { url: "\(licenses.url)" }\(policy) }
      storage: { min_free: 0 }
      downloads: { retries: 0 }
      playlists: { all: { items: [ { id: a, title: a, url: "\(media.url("/a.mp3"))" } ] } }
      """)
  }

  private func command(day: Double) -> Command { home.command("run", "--now", Timeline.text(day)) }

  private func runs(day: Double) throws {
    licenses.change { $0.setTime(Timeline.start + Int(day * 86_400)) }
    let result = try command(day: day).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  private func media(day: Double) throws -> [UInt8] {
    try home.command(["cat", "--manifest", home.manifest, "a", "--now", Timeline.text(day)]).run().stdout
  }

  /// A finished file has its licence, and media that a content key seals are never there in clear.
  private func checkAfterKill(_ moment: String, isSealed: Bool) throws {
    if let item = try home.list(moment)["a"], item[path: "state"]?.description == "completed" {
      #expect(item[path: "license.expires_at"] != nil, "\(moment): \(item)")
    }
    let clear = try FileTree.files(home.library).filter { $0.hasSuffix(".mp3") }
    // A rename that the journal does not know yet has its licence before it.
    if !clear.isEmpty {
      #expect(try home.list(moment)["a"]?[path: "license.expires_at"] != nil, "\(moment): \(clear)")
    }
    if isSealed { #expect(clear.isEmpty, "\(moment)") }
  }

  @Test("the first run", arguments: calls, [false, true])
  func first(call: String, contentKey: Bool) throws {
    licenses.change { $0.contentKeys = contentKey }
    try declare()
    #expect(try home.command(["init", "--manifest", home.manifest]).run().ending == .exited(0))
    var sweep = KillSweep(home: home, call: call)
    sweep.command = command(day: 0)
    sweep.afterKill = { moment in try checkAfterKill(moment, isSealed: contentKey) }
    try sweep.run { (moment: String) throws in
      #expect(try FileTree.files(home.library).contains(contentKey ? "all/a.mp3.sealed" : "all/a.mp3"), "\(moment)")
      #expect(try media(day: 0) == audio.bytes, "\(moment)")
    }
  }

  @Test("a renewal", arguments: ["renameat", "fsync", "unlinkat"])
  func renewal(call: String) throws {
    licenses.change { $0.contentKeys = true }
    try declare()
    try runs(day: 0)
    licenses.change { $0.setTime(Timeline.start + 25 * 86_400) }
    var sweep = KillSweep(home: home, call: call)
    sweep.command = command(day: 25)
    sweep.afterKill = { (moment: String) throws in #expect(try media(day: 25) == audio.bytes, "\(moment)") }
    try sweep.run { (moment: String) throws in #expect(try media(day: 50) == audio.bytes, "\(moment)") }
    #expect(media.requests.count == 1)
  }

  @Test(
    "the end of a licence, and its return",
    arguments: [("renameat2", false), ("fsync", false), ("renameat", true), ("fsync", true)])
  func lockAndUnlock(call: String, contentKey: Bool) throws {
    licenses.change { $0.contentKeys = contentKey }
    try declare()
    try runs(day: 0)
    licenses.change {
      $0.tracks["a"] = .init(refusal: .expired)
      $0.setTime(Timeline.start + 31 * 86_400)
    }
    var sweep = KillSweep(home: home, call: call)
    (sweep.command, sweep.status) = (command(day: 31), 3)
    try sweep.run { (moment: String) throws in
      #expect(try FileTree.files(home.library).contains("all/a.mp3.sealed") == contentKey, "\(moment)")
      #expect(try media(day: 31).isEmpty, "\(moment)")
    }
    licenses.change {
      $0.tracks = [:]
      $0.setTime(Timeline.start + 33 * 86_400)
    }
    (sweep.command, sweep.status) = (command(day: 33), 0)
    try sweep.run { (moment: String) throws in #expect(try media(day: 33) == audio.bytes, "\(moment)") }
    #expect(media.requests.count == 1)
  }
}
