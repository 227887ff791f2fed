// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncFormats
import SyncTestSupport
import Testing

/// A run that finds everything as it was when there was nothing to do looks at little else. These tests compare it with
/// a full run.
@Suite("a run with nothing to do")
struct UpToDateRunTests {
  private let server: FaultServer
  private let home: LibraryFixture
  private let playlists: String

  init() throws {
    server = try FaultServer()
    home = try LibraryFixture()
    server.serveAudio("a", "b", "c")
    playlists = """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        all:
          items:
            - { id: a, title: A, url: "\(server.url("/a.mp3"))" }
            - { id: b, title: B, url: "\(server.url("/b.mp3"))" }
      """
    try home.declare(playlists)
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private var fingerprint: String { "\(home.state)/cache/settled" }

  /// Runs until nothing changes any more; the last run left a fingerprint.
  private func settle() throws {
    #expect(try home.run().result.ending == .exited(0))
    #expect(!exists(fingerprint), "a run that did something is no proof")
    #expect(try home.run().result.ending == .exited(0))
    #expect(exists(fingerprint))
  }

  private func totals(_ report: JSONValue) -> [String] {
    ["planned", "downloaded", "unchanged", "removed", "failed"].map {
      "\($0) \(report[path: "totals.\($0)"]?.description ?? "-")"
    }
  }

  @Test("says the same as on the whole road, asks nobody, and rewrites nothing")
  func same() throws {
    try settle()
    let asked = server.requests.count
    let (queue, proof) = (try home.queueFile(), try FileBytes.read(fingerprint))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    #expect(totals(report) == ["planned 0", "downloaded 0", "unchanged 2", "removed 0", "failed 0"])
    try FileTree.remove(fingerprint)
    let (_, long) = try home.run()
    #expect(totals(report) == totals(long))
    for key in ["storage.used", "storage.partial", "storage.trash", "outcome", "exit_status", "name"] {
      #expect(report[path: key] == long[path: key], "\(key)")
    }
    #expect(server.requests.count == asked)
    #expect(try home.queueFile() == queue)
    // A new one differs at most in its time.
    #expect(try FileBytes.read(fingerprint).count == proof.count)
    #expect(try home.strays() == [])
  }

  @Test(
    "removes what a power cut brought back of the files that are there for a moment",
    arguments: [
      ".syncjob-probe-0123456789abcdef.tmp", ".syncjob-playlist-0123456789abcdef.tmp",
      ".syncjob/.syncjob-probe-0123456789abcdef.tmp", ".syncjob/partial/.syncjob-probe-0123456789abcdef.tmp",
      ".syncjob/download_queue.json.tmp", ".syncjob/library.json.tmp", ".syncjob/.clock.tmp",
      ".syncjob/cache/.world.xml.tmp", ".syncjob/reports/.x.json.tmp",
    ])
  func broughtBack(_ name: String) throws {
    try settle()
    try FileBytes.write([0], to: "\(home.library)/\(name)")
    #expect(try home.run().result.ending == .exited(0))
    #expect(!exists("\(home.library)/\(name)"))
    #expect(server.requests.count == 2)
  }

  @Test("is a full run with other options than the last one, but for those of the output")
  func otherOptions() throws {
    func inputs() throws -> String? {
      let line = try FileBytes.read(fingerprint).prefix { $0 != UInt8(ascii: "\n") }
      return try JSONValue(Array(line))[path: "inputs"]?.description
    }
    try settle()
    let plain = try inputs()
    for options in [[], ["-q"], ["-v", "--no-color"]] {
      #expect(try home.command("run", options: options).run().ending == .exited(0))
      #expect(try inputs() == plain, "\(options)")
    }
    for _ in 0..<2 {
      #expect(try home.command("run", "--concurrency", "5").run().ending == .exited(0))
      #expect(try inputs() != plain)
    }
    #expect(try home.command([home.manifest]).run().ending == .exited(0))
    #expect(try inputs() == plain)
  }

  @Test("tells those who follow of its beginning, its plan and its end")
  func events() throws {
    try settle()
    // The first one with these options is a full run.
    #expect(try home.command("run", "--events", "-").run().ending == .exited(0))
    let result = try home.command("run", "--events", "-").run()
    #expect(result.ending == .exited(0))
    let events = try result.standardOutput.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    #expect(events.compactMap { $0[path: "event"]?.description } == ["run_started", "plan_ready", "run_finished"])
  }

  @Test(
    "finds out whatever changed",
    arguments: [
      "file gone", "file longer", "file a link", "playlist file", "manifest", "queue", "trash", "partial", "proof",
      "state open to others",
    ])
  func changes(_ kind: String) throws {
    try settle()
    let media = "\(home.library)/all/A.mp3"
    switch kind {
    case "file gone": try FileTree.remove(media)
    case "file longer": try FileBytes.write(try FileBytes.read(media) + [0], to: media)
    case "file a link":
      try FileBytes.write(try FileBytes.read(media), to: home.folder.file("elsewhere"))
      try FileTree.remove(media)
      #expect(symlink(home.folder.file("elsewhere"), media) == 0)
    case "playlist file": try FileTree.remove("\(home.library)/all.m3u8")
    case "manifest": try home.declare(playlists + "\n      - { id: c, title: C, url: \"\(server.url("/c.mp3"))\" }")
    case "queue": try home.edit("pin", "a")
    case "trash": try FileBytes.write([1], to: "\(home.state)/trash/x")
    case "state open to others": #expect(chmod(home.state, 0o777) == 0)
    case "partial": try FileBytes.write([1], to: "\(home.state)/partial/x.part")
    default: try FileBytes.write(try FileBytes.read(fingerprint).map { $0 == 0x33 ? 0x34 : $0 }, to: fingerprint)
    }
    let (result, report) = try home.run()
    let proof = exists(fingerprint)
    switch kind {
    case "file gone":
      #expect(report[path: "totals.downloaded"] == .number(1), "\(result.standardError)")
    case "file longer", "file a link":
      #expect(report[path: "warnings"]?.description.contains("A.mp3") == true, "\(report)")
    case "state open to others":
      #expect(report[path: "warnings"]?.description.contains(".syncjob") == true, "\(report)")
    case "playlist file": #expect(exists("\(home.library)/all.m3u8"))
    case "manifest": #expect(report[path: "totals.downloaded"] == .number(1), "\(result.standardError)")
    case "partial": #expect(!exists("\(home.state)/partial/x.part"))
    default: #expect(result.ending == .exited(0), "\(result.standardError)")
    }
    #expect(proof == ["playlist file", "proof", "queue"].contains(kind) || kind == "trash", "\(kind)")
  }
}
