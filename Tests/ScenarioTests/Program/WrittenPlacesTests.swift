// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Paths to which the output that a person asks for is not written.
@Suite("plans, exports, events and reports leave other files alone")
struct WrittenPlacesTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a")
    try FileBytes.write("", to: home.folder.file("heard.jsonl"))
    try FileBytes.write("secret\n", to: home.folder.file("password"))
    #expect(chmod(home.folder.file("password"), 0o600) == 0)
    try declare()
    #expect(try home.run().result.ending == .exited(0))
  }

  private func declare(_ report: String = "./report.json") throws {
    try home.declare(
      """
      storage: { budget: 1MB }
      report: { json: "\(report)" }
      history: [{ listens: ./heard.jsonl }]
      playlists:
        all:
          auth: { user: anna, password_file: ./password }
          items: [{ id: a, title: a, url: "\(server.url("/a.mp3"))" }]
      """)
  }

  private static let ways = [
    ["plan", "-o"], ["state", "export", "-o"], ["run", "--events"], ["evict", "-n", "--events"],
  ]

  private func write(_ way: [String], _ path: String) throws -> CommandResult {
    try Command(home.command("run").executable, way + [path, home.manifest]).run()
  }

  private func contents() throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for path in try FileTree.files(home.folder.path, hidden: true)
    where !["way", "log", "dangling", "twice", "journal"].contains(path) {
      contents[path] = try FileBytes.read(home.folder.file(path))
    }
    return contents
  }

  @Test("what the manifest names is not written over, nor anything in the library, whatever leads there")
  func places() throws {
    let media = "\(home.library)/all/a.mp3"
    #expect(symlink("\(home.library)/all", home.folder.file("way")) == 0)
    #expect(symlink(home.folder.file("heard.jsonl"), home.folder.file("log")) == 0)
    #expect(symlink("library/nothing", home.folder.file("dangling")) == 0)
    #expect(symlink(home.folder.file("dangling"), home.folder.file("twice")) == 0)
    #expect(symlink("\(home.state)/download_queue.journal", home.folder.file("journal")) == 0)
    defer { for name in ["dangling", "twice", "journal"] { _ = unlink(home.folder.file(name)) } }
    let rows = [
      (home.folder.file("heard.jsonl"), "the manifest names it (history)"),
      (home.folder.file("log"), "the manifest names it (history)"),
      ("\(home.library)/../heard.jsonl", "the manifest names it (history)"),
      (home.folder.file("password"), "the manifest names it (playlists.all.auth)"),
      (home.folder.file("report.json"), "the manifest names it (report.json)"),
      (media, "it lies in the library, where media and playlists are"),
      (home.folder.file("way/a.mp3"), "it lies in the library, where media and playlists are"),
      (home.folder.file("way/new"), "it lies in the library, where media and playlists are"),
      (home.folder.file("dangling"), "it lies in the library, where media and playlists are"),
      (home.folder.file("twice"), "it lies in the library, where media and playlists are"),
      (home.folder.file("journal"), "the job keeps its own files there"),
      ("\(home.library)/new", "it lies in the library, where media and playlists are"),
      ("\(home.state)/cache/new", "the job keeps its own files there"),
    ]
    let before = try contents()
    for way in Self.ways {
      for (path, reason) in rows {
        let result = try write(way, path)
        #expect(result.ending == .exited(64), "\(way) \(path)")
        #expect(
          result.standardError == "syncjob: error: cannot write \"\(path)\": \(reason); name another place\n",
          "\(way) \(path)")
      }
    }
    #expect(try contents() == before)
  }

  @Test("nor the manifest")
  func manifest() throws {
    let before = try FileBytes.read(home.manifest)
    for way in Self.ways {
      let result = try write(way, home.manifest)
      #expect(result.ending == .exited(64), "\(way)")
      #expect(result.standardError.contains("the manifest itself"), "\(way) \(result.standardError)")
    }
    #expect(try FileBytes.read(home.manifest) == before)
  }

  @Test("a name at which the manifest expects a file or the library is not taken from it")
  func expected() throws {
    try FileTree.remove(home.folder.file("heard.jsonl"))
    let listens = try write(["plan", "-o"], home.folder.file("heard.jsonl"))
    #expect(listens.ending == .exited(64) && listens.standardError.contains("the manifest names it (history)"))
    let other = try LibraryFixture()
    try other.declare("playlists: { all: { items: [{ id: a, title: a, url: \"\(server.url("/a.mp3"))\" }] } }")
    let library = try other.command("plan", "-o", other.library).run()
    #expect(library.ending == .exited(64), "\(library.standardError)")
    #expect(access(other.library, F_OK) != 0)
  }

  @Test("what is no earlier one of its kind is not written over: another manifest, media elsewhere, a device, a folder")
  func others() throws {
    let other = home.folder.file("other.yaml")
    try FileBytes.write("version: 1\n", to: other)
    let plan = home.folder.file("car.plan")
    #expect(try write(["plan", "-o"], plan).ending == .exited(0))
    let kinds = ["plan", "export", "log of events", "log of events"]
    let before = try contents()
    for (way, kind) in zip(Self.ways, kinds) {
      for path in kind == "plan" ? [other] : [other, plan] {
        let result = try write(way, path)
        #expect(result.ending == .exited(64), "\(way) \(path)")
        #expect(
          result.standardError
            == "syncjob: error: cannot write \"\(path)\": it holds something other than an earlier \(kind); name another place\n"
        )
      }
    }
    for way in Self.ways.prefix(2) {
      for path in ["/dev/null", home.folder.path] {
        let result = try write(way, path)
        #expect(result.ending == .exited(64), "\(way) \(path)")
        #expect(
          result.standardError
            == "syncjob: error: cannot write \"\(path)\": it is not a plain file; name another place\n")
      }
    }
    #expect(try contents() == before)
  }

  @Test("elsewhere they are written as ever, over an earlier one, too, and over an empty file")
  func elsewhere() throws {
    for way in Self.ways { try FileBytes.write("", to: home.folder.file("empty-\(way[0])")) }
    for way in Self.ways { #expect(try write(way, home.folder.file("empty-\(way[0])")).ending == .exited(0), "\(way)") }
    for way in Self.ways { #expect(try write(way, home.folder.file("empty-\(way[0])")).ending == .exited(0), "\(way)") }

    for (index, way) in Self.ways.enumerated() {
      let path = home.folder.file("out\(index)")
      #expect(try write(way, path).ending == .exited(0), "\(way)")
      #expect(access(path, F_OK) == 0, "\(way)")
    }
  }

  @Test("a report may be in the library, where it replaces nothing but a report")
  func report() throws {
    try declare("./library/report.json")
    for _ in 0..<2 {
      #expect(try home.run().result.ending == .exited(0))
      #expect(try JSONValue(FileBytes.read("\(home.library)/report.json"))[path: "format"] == .string("syncjob-report"))
    }
    for path in ["library/all/a.mp3", "library/all.m3u8", "heard.jsonl", "password", "manifest.yaml"] {
      try declare("./\(path)")
      let before = try FileBytes.read(home.folder.file(path))
      let (result, report) = try home.run()
      #expect(result.ending == .exited(4), "\(path)")
      #expect(
        report[path: "warnings.0"]?.description.contains("report.json: cannot write \"\(home.folder.file(path))\": ")
          == true, "\(report)")
      #expect(try FileBytes.read(home.folder.file(path)) == before, "\(path)")
    }
  }
}
