// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Files and folders of others at paths that the job uses.
@Suite("what others have put in the way")
struct InTheWayTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b")
    try declare(["a"])
  }

  private func declare(_ names: [String], _ sections: String = "") throws {
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare("\(sections)\nplaylists: { all: { items: [\(items.joined(separator: ", "))] } }")
  }

  private func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  private func isPipe(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
  }

  // MARK: Playlist files

  @Test("a playlist file of ours that somebody made huge is written anew")
  func hugeList() throws {
    #expect(try home.run().result.ending == .exited(0))
    let list = "\(home.library)/all.m3u8"
    let bytes = try FileBytes.read(list)
    #expect(truncate(list, 80 << 20) == 0)
    #expect(try home.run().result.ending == .exited(0))
    #expect(try FileBytes.read(list) == bytes)
  }

  @Test("a playlist file that another user closed to us is somebody else's, whatever its name", .requires(.setpriv))
  func closedList() throws {
    guard let run = try home.asNobody(home.command("run", "--quiet")) else { return }
    #expect(try run.run().ending == .exited(0))
    for name in ["their", "both"] {
      try FileBytes.write([7], to: "\(home.library)/\(name).m3u8")
      #expect(chmod("\(home.library)/\(name).m3u8", 0o600) == 0)
    }
    try home.declare("playlists: { both: { items: [{ id: a, title: a, url: \"\(server.url("/a.mp3"))\" }] } }")
    let result = try run.run()
    #expect(result.ending == .exited(0), "\(result.standardOutput) \(result.standardError)")
    let pinned = try #require(try home.asNobody(home.editing("pin", "a"))).run()
    #expect(pinned.ending == .exited(0), "\(pinned.standardError)")
    #expect(
      try FileTree.names(home.library).filter { $0.hasSuffix(".m3u8") }.sorted()
        == ["both [both].m3u8", "both.m3u8", "their.m3u8"])
  }

  // MARK: Rebuild

  @Test("a folder that is closed to us is passed over when stock is taken, and named", .requires(.setpriv))
  func closedFolder() throws {
    guard let run = try home.asNobody(home.command("run", "--json")) else { return }
    #expect(try run.run().ending == .exited(0))
    let closed = "\(home.library)/lost+found"
    #expect(mkdir(closed, 0o700) == 0)
    for name in try FileTree.files(home.state, hidden: true) where name.hasPrefix("download_queue.") {
      try FileTree.remove("\(home.state)/\(name)")
    }
    let result = try run.run()
    #expect(result.ending == .exited(3), "\(result.standardOutput) \(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "totals.adopted"] == .number(1))
    let sentence =
      "cannot list the folder \"\(closed)\": permission denied; check who owns it and who may write there; its contents "
      + "were not looked at"
    #expect(report[path: "warnings"]?.description.contains(sentence) == true, "\(report)")
  }

  // MARK: Files that a person asked for

  @Test("what is no plain file is not replaced by an export or a plan", arguments: ["state export", "plan"])
  func pipes(_ command: String) throws {
    #expect(try home.run().result.ending == .exited(0))
    let pipe = home.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let words = command.split(separator: " ").map(String.init)
    let result = try Command(home.command("run").executable, words + ["-o", pipe, home.manifest]).run()
    #expect(result.ending == .exited(64))
    #expect(
      result.standardError
        == "syncjob: error: cannot write \"\(pipe)\": it is not a plain file; name another place\n")
    #expect(isPipe(pipe))
  }

  @Test("nor by a report, and the run says so")
  func reportPipe() throws {
    let pipe = home.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    try declare(["a"], "report: { json: ./pipe }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(4))
    #expect(
      report[path: "warnings.0"]
        == .string("report.json: cannot write \"\(pipe)\": it is not a plain file; name another place"))
    #expect(isPipe(pipe))
  }

  @Test("nothing that a person asks for is written over what the job remembers, whatever path leads there")
  func ownFiles() throws {
    #expect(try home.run().result.ending == .exited(0))
    #expect(symlink(home.state, home.folder.file("link")) == 0)
    let queue = try home.queueFile()
    for path in ["\(home.state)/download_queue.json", home.folder.file("link/download_queue.json")] {
      for command in [["state", "export"], ["plan"]] {
        let result = try Command(home.command("run").executable, command + ["-o", path, home.manifest]).run()
        #expect(result.ending == .exited(64))
        #expect(
          result.standardError
            == "syncjob: error: cannot write \"\(path)\": the job keeps its own files there; name another place\n")
      }
    }
    try declare(["a"], "report: { json: ./link/download_queue.json }")
    #expect(try home.run().result.ending == .exited(4))
    #expect(try home.queueFile() == queue)
  }

  // MARK: Temporary names

  @Test("folders with the names of our temporary files stop nothing, and files of others with such names stay")
  func temporaries() throws {
    let files = [".syncjob-probe", ".syncjob-playlist.tmp", ".syncjob-probe-0.tmp"]
    for name in files { try FileBytes.write([7], to: "\(home.library)/\(name)") }
    let folders = [
      ".syncjob-probe-0123456789abcdef.tmp", ".syncjob/.x.tmp", ".syncjob/.clock.tmp", ".syncjob/partial/.probe",
      ".syncjob/.probe", ".syncjob/reports/.x.tmp",
    ]
    #expect(try home.command("init", "-q").run().ending == .exited(0))
    for name in folders {
      if isFolder("\(home.library)/\(name)") { continue }
      #expect(mkdir("\(home.library)/\(name)", 0o755) == 0, "\(name)")
    }
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    for name in files { #expect(try FileBytes.read("\(home.library)/\(name)") == [7], "\(name)") }
    for name in folders { #expect(isFolder("\(home.library)/\(name)"), "\(name)") }
  }

  @Test("what a killed run left of them goes")
  func leftovers() throws {
    #expect(try home.run().result.ending == .exited(0))
    let left = [
      ".syncjob-probe-0123456789abcdef.tmp", ".syncjob-playlist-0123456789abcdef.tmp",
      ".syncjob/.syncjob-probe-0123456789abcdef.tmp", ".syncjob/partial/.syncjob-probe-0123456789abcdef.tmp",
    ]
    for name in left { try FileBytes.write([0], to: "\(home.library)/\(name)") }
    try home.edit("pin", "a")
    for name in left { #expect(access("\(home.library)/\(name)", F_OK) != 0, "\(name)") }
  }

  // MARK: The plan

  @Test("a plan goes round what others have at a name that it gives, and the run does what it says")
  func plannedNames() throws {
    #expect(try home.run().result.ending == .exited(0))
    try declare(["a", "b"])
    try FileBytes.write([1, 2, 3], to: "\(home.library)/all/b.mp3")
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    let path = try #require(plan[path: "changes[id=b].path"]?.description)
    #expect(path != "all/b.mp3" && path.hasPrefix("all/b ["), "\(path)")
    try FileBytes.write([1, 2, 3], to: "\(home.library)/\(path)")
    let second = try JSONValue(home.command("plan", "--json").run().stdout)[path: "changes[id=b].path"]?.description
    #expect(second != path && second != "all/b.mp3")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.ownedPaths() == ["all/a.mp3", try #require(second)])
  }

  @Test("also for files that move")
  func plannedMoves() throws {
    #expect(try home.run().result.ending == .exited(0))
    try FileBytes.write([1, 2, 3], to: "\(home.library)/all/New.mp3")
    try home.declare("playlists: { all: { items: [{ id: a, title: New, url: \"\(server.url("/a.mp3"))\" }] } }")
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    let path = try #require(plan[path: "changes[id=a].path"]?.description)
    #expect(path.hasPrefix("all/New ["), "\(path)")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.ownedPaths() == [path])
  }

  @Test("a plan names what stands where a folder is to be", arguments: Obstacle.allCases)
  func plannedFolders(_ kind: Obstacle) throws {
    #expect(try home.command("init", "-q").run().ending == .exited(0))
    let folder = "\(home.library)/all"
    try kind.place(at: folder)
    let plan = try home.command("plan").run()
    #expect(plan.ending == .exited(0))
    #expect(
      plan.standardOutput.contains(
        "warning: \"all\" is not a folder, and 1 file of the plan belongs into it; move it out of the way."),
      "\(plan.standardOutput) \(plan.standardError)")
  }
}

extension Tool {
  static let setpriv = Tool("setpriv")
}
