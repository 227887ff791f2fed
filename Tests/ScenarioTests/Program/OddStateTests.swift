// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Something that syncjob never writes has the name of one of its files.
@Suite("odd things in the state folder")
struct OddStateTests {
  enum Kind: String, CaseIterable { case folder, pipe, socket, link, huge }

  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a")
    try home.declare("playlists: { all: { items: [{ id: a, title: a, url: \"\(server.url("/a.mp3"))\" }] } }")
    #expect(try home.run().result.ending == .exited(0))
    try home.edit("pin", "a")
  }

  private func plant(_ kind: Kind, as name: String) throws {
    let path = "\(home.state)/\(name)"
    if access(path, F_OK) == 0 { try FileTree.remove(path) }
    switch kind {
    case .folder:
      #expect(mkdir(path, 0o755) == 0)
      try FileBytes.write([7], to: "\(path)/mine")
    case .pipe: #expect(mkfifo(path, 0o600) == 0)
    case .socket: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    case .link: #expect(symlink("/nowhere/at/all", path) == 0)
    case .huge:
      try FileBytes.write([7], to: path)
      #expect(truncate(path, 20 << 30) == 0)
    }
  }

  /// Expects what was planted under that name, untouched.
  private func expect(_ kind: Kind, at name: String) throws {
    var facts = stat()
    try #require(lstat("\(home.state)/\(name)", &facts) == 0, "\(name) is gone")
    let type = facts.st_mode & S_IFMT
    switch kind {
    case .folder: #expect(type == S_IFDIR && access("\(home.state)/\(name)/mine", F_OK) == 0)
    case .pipe: #expect(type == S_IFIFO)
    case .socket: #expect(type == S_IFSOCK)
    case .link: #expect(type == S_IFLNK)
    case .huge: #expect(type == S_IFREG && facts.st_size == 20 << 30)
    }
  }

  private func asides(of name: String) throws -> [String] {
    try #require(Tool("ls").command(["-A", home.state])).run().standardOutput.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("\(name).corrupt-") }
  }

  @Test(
    "what only helps is put aside, and the run goes on", arguments: ["clock", "cache", "reports"], Kind.allCases)
  func helpers(_ name: String, _ kind: Kind) throws {
    // A folder is what the others are to be.
    if kind == .folder, name != "clock" { return }
    try plant(kind, as: name)
    let looked = try home.command("status").run()
    #expect(looked.ending == .exited(0), "\(looked.standardError)")
    try expect(kind, at: name)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let aside = try #require(try asides(of: name).first)
    try expect(kind, at: aside)
    #expect(report[path: "recovery.kept_aside"]?.description.contains(aside) == true, "\(report)")
    #expect(try home.run().report[path: "recovery"] == nil)
    #expect(try asides(of: name).count == 1)
  }

  @Test("decisions are rebuilt from the queue file, and what had their name is put aside", arguments: Kind.allCases)
  func decisions(_ kind: Kind) throws {
    try plant(kind, as: "decisions.json")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let aside = try #require(try asides(of: "decisions.json").first)
    try expect(kind, at: aside)
    #expect(report[path: "recovery.decisions_damaged"] != nil, "\(report)")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try FileBytes.text("\(home.state)/decisions.json").contains("{\"id\":\"a\",\"pinned\":true,"))
  }

  @Test("the marker stops the run with a way out", arguments: Kind.allCases)
  func marker(_ kind: Kind) throws {
    try plant(kind, as: "library.json")
    let result = try home.command("run").run()
    #expect(result.ending == .exited(1))
    #expect(
      result.standardError.hasPrefix("syncjob: error: cannot read the library's marker"), "\(result.standardError)")
    #expect(result.standardError.contains("restore it from a backup, or remove it and run"))
    try expect(kind, at: "library.json")
    try FileTree.remove("\(home.state)/library.json")
    #expect(try home.command("init", "-q").run().ending == .exited(0))
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.list()["a"]?[path: "pinned"] == .bool(true))
  }

  @Test(
    "queue file and journal stop the run and name themselves",
    arguments: ["download_queue.json", "download_queue.journal"],
    Kind.allCases)
  func queue(_ name: String, _ kind: Kind) throws {
    try plant(kind, as: name)
    let result = try home.command("run").run()
    #expect(result.ending == .exited(1))
    #expect(result.standardError.contains("\(home.state)/\(name)"), "\(result.standardError)")
    try expect(kind, at: name)
    try FileTree.remove("\(home.state)/\(name)")
    let (after, _) = try home.run()
    #expect(after.ending == .exited(name == "download_queue.json" ? 3 : 0), "\(after.standardError)")
    #expect(try home.list()["a"]?[path: "pinned"] == .bool(true))
  }

  @Test("no flipped bit of the marker is believed")
  func flippedMarker() throws {
    let path = "\(home.state)/library.json"
    let bytes = try FileBytes.read(path)
    for position in stride(from: 0, to: bytes.count - 1, by: 7) {
      var flipped = bytes
      flipped[position] ^= 1 << UInt8(position % 7)
      try FileBytes.write(flipped, to: path)
      let result = try home.command("run", "-q").run()
      #expect(result.ending == .exited(1), "byte \(position): \(result.standardError)")
      #expect(try FileBytes.read(path) == flipped)
    }
    try FileBytes.write(bytes, to: path)
    #expect(try home.run().result.ending == .exited(0))
  }

  @Test("a log of plays that cannot be one is neither read, shortened nor replaced", arguments: Kind.allCases)
  func plays(_ kind: Kind) throws {
    try plant(kind, as: "plays.jsonl")
    let result = try home.editing("played", "a").run(timeout: 20)
    #expect(result.ending != .exited(0) && result.standardError.contains("plays.jsonl"), "\(result.standardError)")
    try expect(kind, at: "plays.jsonl")
    for _ in 1...3 {
      let run = try home.command("run", "--quiet").run(timeout: 20)
      #expect(run.ending == .exited(3))
      let words = "the log of plays (plays.jsonl) was not written by syncjob and is left alone; no play is recorded or"
      #expect(run.standardError.ranges(of: words).count == 1, "\(run.standardError)")
      try expect(kind, at: "plays.jsonl")
    }
    try FileTree.remove("\(home.state)/plays.jsonl")
    #expect(try home.run().result.ending == .exited(0))
  }

  @Test("a run with nothing to do sees what becomes of the log of plays", arguments: [Kind.folder, .pipe, .link])
  func playsOfUpToDateRun(_ kind: Kind) throws {
    for _ in 1...2 { #expect(try home.run().result.ending == .exited(0)) }
    #expect(access("\(home.state)/cache/settled", F_OK) == 0)
    try plant(kind, as: "plays.jsonl")
    let (result, report) = try home.run(timeout: 20)
    #expect(result.ending == .exited(3))
    #expect(report[path: "recovery.plays_unusable"] == .bool(true), "\(report)")
  }

  @Test("no flipped bit of the latest time that was seen is believed")
  func flippedClock() throws {
    let path = "\(home.state)/clock"
    let bytes = try FileBytes.read(path)
    for position in [0, 1, 3, 8, bytes.count - 3] {
      var flipped = bytes
      flipped[position] ^= 1
      try FileBytes.write(flipped, to: path)
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0), "byte \(position): \(result.standardError)")
      #expect(report[path: "recovery.clock_damaged"] == .bool(true), "\(report)")
      #expect(report[path: "clock"] == nil)
      let aside = try #require(try asides(of: "clock").last)
      #expect(try FileBytes.read("\(home.state)/\(aside)") == flipped)
      try FileTree.remove("\(home.state)/\(aside)")
      #expect(try home.run().report[path: "recovery"] == nil)
    }
  }
}
