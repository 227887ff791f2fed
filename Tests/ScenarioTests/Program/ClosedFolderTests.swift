// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// One folder of the library accepts no files. It costs its own items and no others.
@Suite("a folder that accepts no files")
struct ClosedFolderTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for (number, name) in ["a", "b"].enumerated() {
      let audio = GeneratedAudio(title: name, seconds: 1, seed: UInt64(number))
      server.serve("/\(name).mp3", Resource(bytes: audio.bytes, etag: "\"\(name)\""))
    }
    try declare()
  }

  private func declare(layout: String = "{playlist}/{title}.{ext}", title: String = "a") throws {
    let lists = [("mix", "a", title), ("rock", "b", "b")].map { list, id, title in
      "  \(list): { items: [{ id: \(id), title: \(title), url: \"\(server.url("/\(id).mp3"))\" }] }"
    }
    try FileBytes.write(
      "version: 1\nlibrary: { path: ./library, layout: \"\(layout)\" }\nplaylists:\n\(lists.joined(separator: "\n"))\n",
      to: home.manifest)
  }

  private func requests(_ name: String) -> Int { server.requests(to: "/\(name).mp3").count }

  /// Runs with `mix` closed, and expects that only its item fails, before it is asked for.
  private func expectOnlyMixFails(_ run: Command, _ sentence: String) throws {
    let result = try run.run()
    #expect(result.ending == .exited(3), "\(result.standardOutput) \(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "items[id=a].error.message"] == .string(sentence), "\(report)")
    #expect(report[path: "items[id=a].error.kind"] == .string("io"))
    #expect(report[path: "items[id=b].outcome"] == .string("completed"))
    #expect(requests("a") == 0 && requests("b") == 1)
  }

  @Test(
    "a folder that its mode closes is looked at by each run, which fetches nothing for it until it is open",
    .requires(.setpriv), arguments: [0o555, 0o311, 0o000] as [mode_t])
  func closedByMode(_ mode: mode_t) throws {
    guard let run = try home.asNobody(home.command("run", "--json")) else { return }
    #expect(try #require(try home.asNobody(home.command("init", "-q"))).run().ending == .exited(0))
    let folder = "\(home.library)/mix"
    #expect(mkdir(folder, 0o755) == 0 && chown(folder, 65534, 65534) == 0 && chmod(folder, mode) == 0)
    let plan = try #require(try home.asNobody(home.command("plan"))).run()
    #expect(
      plan.standardOutput.contains("no file can be put into the folder \"mix\", and 1 file of the plan belongs there"),
      "\(plan.standardOutput)")
    try expectOnlyMixFails(
      run,
      "no file can be put into the folder \"mix\": permission denied; check who owns it and who may write there")
    let text = try #require(try home.asNobody(home.command("run"))).run()
    #expect(text.ending == .exited(3))
    #expect(text.standardOutput.contains("the next run tries again"), "\(text.standardOutput)")
    #expect(requests("a") == 0)
    #expect(chmod(folder, 0o755) == 0)
    #expect(try run.run().ending == .exited(0))
    #expect(try home.ownedPaths() == ["mix/a.mp3", "rock/b.mp3"])
    #expect(requests("a") == 1)
  }

  @Test("something else in its place fails its items before they are fetched", arguments: Obstacle.allCases)
  func obstructed(_ kind: Obstacle) throws {
    #expect(try home.command("init", "-q").run().ending == .exited(0))
    let folder = "\(home.library)/mix"
    try kind.place(at: folder)
    try expectOnlyMixFails(
      home.command("run", "--json"), "something that is not a folder stands in the way of \"mix/a.mp3\"; move it away")
    try FileTree.remove(folder)
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.ownedPaths() == ["mix/a.mp3", "rock/b.mp3"])
  }

  @Test(
    "a folder that is a mount fails its items alone",
    .enabled(if: Requirement("unshare -m mount -t tmpfs none /mnt").lack == nil, "nothing may be mounted here"),
    arguments: ["mount --bind mix mix && mount -o remount,bind,ro mix", "mount -t tmpfs none mix"])
  func mounted(_ mount: String) throws {
    #expect(try home.command("init", "-q").run().ending == .exited(0))
    #expect(mkdir("\(home.library)/mix", 0o755) == 0)
    let run = home.command("run", "--json")
    let line = ([run.executable] + run.arguments).map { "'\($0)'" }.joined(separator: " ")
    let script = "cd '\(home.library)' && \(mount) && cd / && exec \(line)"
    try expectOnlyMixFails(
      try #require(Tool("unshare").command(["-m", "/bin/sh", "-c", script])),
      "no file can be put into the folder \"mix\": it lies on another file system; a library is on one file system: put"
        + " the real folder there, or give this one a library of its own")
    #expect(try home.run().result.ending == .exited(0))
    #expect(requests("a") == 1)
  }

  @Test(
    "a folder that may be written but not read lets its files be moved and removed, and stops nothing",
    .requires(.setpriv))
  func unreadable() throws {
    guard let run = try home.asNobody(home.command("run", "--json")) else { return }
    #expect(try run.run().ending == .exited(0))
    let folder = "\(home.library)/mix"
    #expect(chmod(folder, 0o311) == 0)
    try declare(title: "aa")
    let moved = try run.run()
    #expect(moved.ending == .exited(0), "\(moved.standardOutput) \(moved.standardError)")
    #expect(try JSONValue(moved.stdout)[path: "totals.moved"] == .number(1))
    #expect(access("\(folder)/aa.mp3", F_OK) == 0)
    let result = try #require(try home.asNobody(home.editing("remove", "--all", "--yes"))).run()
    #expect(result.ending == .exited(0), "\(result.standardOutput) \(result.standardError)")
    #expect(access("\(folder)/aa.mp3", F_OK) != 0)
    #expect(try home.ownedPaths() == [])
    #expect(requests("a") == 1 && requests("b") == 1)
  }

  @Test(
    "files in a folder that may not be searched are neither lost nor fetched again, and each run says so",
    .requires(.setpriv))
  func unsearchable() throws {
    guard let run = try home.asNobody(home.command("run", "--json")) else { return }
    #expect(try run.run().ending == .exited(0))
    #expect(chmod("\(home.library)/mix", 0o000) == 0)
    let closed = try run.run()
    #expect(closed.ending == .exited(3), "\(closed.standardOutput) \(closed.standardError)")
    let warning = try JSONValue(closed.stdout)[path: "warnings.0"]?.description ?? ""
    #expect(
      warning.contains(
        "1 file in \"mix\" cannot be examined and stays as it is: permission denied; check who owns it and who may read"
          + " there"), "\(closed.standardOutput)")
    #expect(chmod("\(home.library)/mix", 0o755) == 0)
    #expect(try run.run().ending == .exited(0))
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"))
    #expect(requests("a") == 1 && requests("b") == 1)
  }

  @Test(
    "verify and remove do the rest when a folder may not be searched, and name its files", .requires(.setpriv),
    arguments: [mode_t(0o000), 0o444])
  func unsearchableForCommands(mode: mode_t) throws {
    guard let run = try home.asNobody(home.command("run", "--json")) else { return }
    #expect(try run.run().ending == .exited(0))
    #expect(chmod("\(home.library)/mix", mode) == 0)
    for options in [[], ["--deep"], ["--repair"]] {
      let verify = try #require(try home.asNobody(home.command("verify", options: options))).run()
      #expect(verify.ending == .exited(3), "\(verify)")
      #expect(verify.standardOutput.contains("1 OK, 1 unreadable"), "\(verify)")
      #expect(verify.standardOutput.contains("mix/a.mp3") && verify.standardOutput.contains("permission denied"))
    }
    for flags in [["-n"], []] {
      let command = Command(
        home.command("run").executable, ["remove", "--manifest", home.manifest] + flags + ["--all", "--yes"])
      let result = try #require(try home.asNobody(command)).run()
      #expect(result.ending == .exited(3), "\(result)")
      #expect(
        result.standardError
          == "\"mix/a.mp3\" cannot be removed and stays: permission denied; check who owns it and who may write there\n"
      )
      #expect(result.standardOutput.hasSuffix("remove\(flags.isEmpty ? "d" : "") \"b\"\n"), "\(result)")
    }
    #expect(chmod("\(home.library)/mix", 0o755) == 0)
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"))
    #expect(try FileTree.files(home.library).contains("mix/a.mp3"))
  }

  @Test("a path that is too long for the system fails its item alone")
  func longPath() throws {
    let name = String(repeating: "x", count: 200)
    let folders = Array(repeating: "{title}", count: 30).joined(separator: "/")
    try declare(layout: "\(folders)/{title}.{ext}", title: name)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "items[id=a].error.kind"] == .string("io"))
    #expect(report[path: "items[id=b].outcome"] == .string("completed"))
    let sentence = report[path: "items[id=a].error.message"]?.description ?? ""
    #expect(sentence.contains("the name is too long; change library.layout"), "\(sentence)")
    #expect(requests("a") == 0)
  }
}
