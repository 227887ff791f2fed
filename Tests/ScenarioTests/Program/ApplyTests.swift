// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("plans in files")
struct ApplyTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b", "c", "d"] { server.serve("/\(name).mp3", Resource(bytes: Self.bytes(name))) }
    try declare(["a", "b"])
  }

  private static func bytes(_ name: String) -> [UInt8] {
    GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(3) { $0 * 31 + UInt64($1) }).bytes
  }

  private func declare(_ names: [String], _ sections: String = "storage: { orphans: remove }") throws {
    let items = names.map { "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }\n" }
    try home.declare("\(sections)\nplaylists:\n  all:\n    items:\n\(items.joined())")
  }

  private var file: String { home.folder.file("car.plan") }

  @discardableResult
  private func save(_ options: String..., status: Int32 = 0) throws -> CommandResult {
    let result = try home.command("plan", options: ["-o", file] + options).run()
    #expect(result.ending == .exited(status), "\(result.standardError)")
    return result
  }

  private func apply(_ options: String...) throws -> CommandResult {
    try applying(["apply", file] + options).run()
  }

  private func applying(_ arguments: [String], _ variables: [String: String] = [:], input: Command.Input = .none)
    -> Command
  {
    var command = home.command("apply")
    (command.arguments, command.input) = (arguments, input)
    command.environment.merge(variables) { $1 }
    return command
  }

  /// Checks that the plan is refused for that reason, without any request or change.
  private func expectRefusal(_ words: String, location: SourceLocation = #_sourceLocation) throws {
    let (before, asked) = (try everything(), server.requests.count)
    let result = try apply()
    #expect(result.ending == .exited(12), sourceLocation: location)
    #expect(
      result.standardError
        == "syncjob: error: the plan in \"\(file)\" no longer holds: \(words); nothing was done. "
        + "Make a new one with: syncjob plan -o \(file) \(home.manifest)\n", sourceLocation: location)
    #expect(result.standardOutput.isEmpty, sourceLocation: location)
    #expect(server.requests.count == asked, sourceLocation: location)
    #expect(try everything() == before, sourceLocation: location)
  }

  private func everything() throws -> [String]? {
    access(home.library, F_OK) == 0 ? try FileTree.files(home.library, hidden: true).sorted() : nil
  }

  // MARK: Plans that hold

  @Test("a plan is saved, shown, and carried out in the same words as a run")
  func whole() throws {
    let saved = try save()
    #expect(saved.standardOutput.hasPrefix("Coming: 2 items, of unknown size\n  + all/a.mp3  new\n"))
    #expect(saved.standardOutput.hasSuffix("\nSaved as \"\(file)\". Carry it out with: syncjob apply \(file)\n"))
    #expect(access(home.library, F_OK) != 0, "a plan makes nothing")
    var facts = stat()
    #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    let applied = try apply()
    #expect(applied.ending == .exited(0), "\(applied.standardError)")
    #expect(applied.standardOutput.contains("manifest: 2 downloaded ("))
    #expect(try FileBytes.read("\(home.library)/all/a.mp3") == Self.bytes("a"))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
    try expectRefusal("the state was changed by an earlier `apply` of it, a run, a command or a history file")
  }

  @Test("applied with --json and --events it says what a run says")
  func machine() throws {
    try save("-q")
    let applied = try apply("--json", "--events", home.folder.file("events"), "--concurrency", "1")
    let report = try JSONValue(applied.stdout)
    #expect(report[path: "format"] == .string("syncjob-report"))
    #expect(report[path: "totals.downloaded"] == .number(2))
    let events = String(decoding: try FileBytes.read(home.folder.file("events")), as: UTF8.self)
    #expect(events.contains("\"event\":\"plan_ready\"") || events.contains("plan_ready"))
  }

  @Test("a plan goes to stdout and comes from stdin with -, and is the JSON that plan --json prints and more")
  func standardStreams() throws {
    let plan = try home.command("plan", "-o", "-").run()
    #expect(plan.ending == .exited(0) && plan.standardError.isEmpty)
    let json = try JSONValue(plan.stdout)
    #expect(json[path: "format"] == .string("syncjob-plan"))
    #expect(json[path: "basis.manifest"] == .string(home.manifest))
    #expect(json[path: "considered.count"] == .number(2))
    let applied = try applying(["apply", "-q", "-"], input: .bytes(plan.stdout)).run()
    #expect(applied.ending == .exited(0), "\(applied.standardError)")
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
  }

  @Test("the flags that shaped the plan hold, whatever the environment says by then")
  func flags() throws {
    try declare(["a", "b"], "storage: { orphans: remove, max_delete: 1 }")
    #expect(try home.run().result.ending == .exited(0))
    try declare(["c"], "storage: { orphans: remove, max_delete: 1 }")
    try save("--max-delete", "2", "--no-download", "-q")
    let applied = try applying(["apply", file], ["SYNCJOB_MAX_DELETE": "0", "SYNCJOB_PLAYLIST": "x"]).run()
    #expect(applied.ending == .exited(0), "\(applied.standardError)")
    #expect(applied.standardOutput.contains("2 removed, 1 held back by --no-download"))
    #expect(try FileTree.files(home.library).allSatisfy { !$0.hasSuffix(".mp3") })
  }

  @Test("a plan with nothing to do can be applied again and again")
  func empty() throws {
    #expect(try home.run().result.ending == .exited(0))
    try save("-q")
    for _ in 0..<2 {
      let applied = try apply()
      #expect(applied.ending == .exited(0) && applied.standardOutput.hasPrefix("manifest: nothing to do; 2 already"))
    }
  }

  /// - Parameter names: newest first.
  private func feed(_ names: [String]) -> Resource {
    let items = names.map { name in
      "<item><title>\(name)</title><guid>\(name)</guid><enclosure url=\"\(server.url("/\(name).mp3"))\" "
        + "type=\"audio/mpeg\"/></item>"
    }
    return Resource(
      text: "<rss version=\"2.0\"><channel><title>F</title>\(items.joined())</channel></rss>",
      contentType: "application/rss+xml")
  }

  private func declareFeed(select: String) throws {
    try home.declare(
      "downloads: { network: { allow_private: true } }\nplaylists:\n  news:\n    feed: \(server.url("/rss"))\n"
        + "    select: \(select)\n    layout: \"{title}.{ext}\"")
  }

  @Test(
    "an episode that came after the plan does not push out what was planned",
    arguments: ["{ initial: 2 }", "{ initial: all, latest: 2 }", "{ initial: 3, latest: 2 }"])
  func newestEpisodes(select: String) throws {
    server.serve("/rss", feed(["a", "b", "d"]))
    try declareFeed(select: select)
    try save("-q")
    server.serve("/rss", feed(["c", "a", "b", "d"]))
    let applied = try apply()
    #expect(applied.ending == .exited(0), "\(applied.standardError)")
    #expect(try home.ownedPaths() == ["a.mp3", "b.mp3"])
    let (_, report) = try home.run()
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect(try home.ownedPaths() == ["a.mp3", "b.mp3", "c.mp3"], "the first reading skipped only what it knew")
  }

  @Test("what a feed brings after the plan waits for the next run")
  func newEpisodes() throws {
    server.serve("/rss", feed(["a", "b"]))
    try declareFeed(select: "{ initial: all }")
    try save("-q")
    server.serve("/rss", feed(["c", "a", "b"]))
    let applied = try apply("--json")
    #expect(applied.ending == .exited(0), "\(applied.standardError)")
    #expect(try JSONValue(applied.stdout)[path: "totals.downloaded"] == .number(2))
    #expect(try home.ownedPaths() == ["a.mp3", "b.mp3"])
    let (_, report) = try home.run()
    #expect(report[path: "totals.downloaded"] == .number(1) && report[path: "totals.unchanged"] == .number(2))
    #expect(try home.ownedPaths() == ["a.mp3", "b.mp3", "c.mp3"])
    // An episode that has disappeared again makes another plan, too.
    server.serve("/rss", feed(["d", "c", "a", "b"]))
    try save("-q")
    server.serve("/rss", feed(["c", "a", "b"]))
    let result = try apply()
    #expect(result.ending == .exited(12))
    #expect(result.standardError.contains("(d.mp3) would not be downloaded now; nothing was done"))
  }

  @Test("what is heard by the time of the plan is part of it, what is heard later makes it another one")
  func history() throws {
    let listens = home.folder.file("heard.jsonl")
    try declare(["a", "b"], "history: [{ listens: \(listens) }]")
    try FileBytes.write("", to: listens)
    #expect(try home.command("run", "-q", "--now", "2089-12-31T00:00:00Z").run().ending == .exited(0))
    try FileBytes.write("{\"id\":\"a\",\"at\":\"2089-12-31T12:00:00Z\"}\n", to: listens)
    try declare(["a", "b", "c"], "history: [{ listens: \(listens) }]")
    try save("-q", "--now", "2090-01-01T00:00:00Z")
    let played = try FileBytes.read(listens)
    try FileBytes.write(played + Array("{\"id\":\"b\",\"at\":\"2089-12-31T13:00:00Z\"}\n".utf8), to: listens)
    let stale = try apply("--now", "2090-01-01T00:10:00Z")
    #expect(stale.ending == .exited(12), "\(stale.standardError)")
    #expect(stale.standardError.contains("of it, a run, a command or a history file; nothing was done"))
    try FileBytes.write(played, to: listens)
    let applied = try apply("--now", "2090-01-01T00:10:00Z", "--json")
    #expect(applied.ending == .exited(0), "\(applied.standardError)")
    #expect(try home.list()["a"]?[path: "play_count"] == .number(1))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3", "all/c.mp3"])
  }

  @Test("a plan that is made after a run was killed holds, and goes on with what came")
  func afterKill() throws {
    let gate = try Gate()
    let audio = GeneratedAudio(title: "d", seconds: 1, seed: 9)
    server.serve("/d.mp3", Resource(body: audio.body(count: 400_000), etag: "\"d\""))
    server.script("/d.mp3", [.hold(after: 300_000, gate)])
    try declare(["a", "d"])
    let run = try home.command("run", "--quiet").start()
    #expect(gate.waitForArrival())
    #expect(try eventually { try FileTree.list("\(self.home.state)/partial").contains { $0.size > 250_000 } })
    run.signal(SIGKILL)
    _ = run.wait()
    gate.open()
    let saved = try save()
    #expect(saved.standardOutput.contains("  » all/d.mp3"), "\(saved.standardOutput)")
    let applied = try apply("--json")
    #expect(applied.ending == .exited(0), "\(applied.standardError)")
    #expect(try JSONValue(applied.stdout)[path: "totals.resumed"] == .number(1))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/d.mp3"])
  }

  // MARK: Plans that do not hold

  @Test("a manifest that was changed by a byte is refused, and one that is gone is named")
  func manifest() throws {
    try save("-q")
    let bytes = try FileBytes.read(home.manifest)
    try FileBytes.write(bytes + Array("# x\n".utf8), to: home.manifest)
    try expectRefusal("the manifest was changed")
    try FileBytes.write(bytes, to: home.manifest)
    #expect(try apply("-q").ending == .exited(0))
    try FileTree.remove(home.manifest)
    let gone = try apply()
    #expect(gone.ending == .exited(78))
    #expect(
      gone.standardError
        == "syncjob: error: the plan in \"\(file)\" is for the manifest \"\(home.manifest)\", which is not there any more; "
        + "put it back, or make a plan of another one with `syncjob plan -o`\n")
  }

  @Test("another value of a variable that the manifest names is refused, one that it does not name is nothing")
  func variables() throws {
    try home.declare(
      "playlists: { all: { title: \"${TITLE:-x}\", items: [{ id: a, title: a, url: \"\(server.url("/a.mp3"))\" }] } }")
    try save("-q")
    func applied(_ variables: [String: String]) throws -> CommandResult {
      try applying(["apply", file], variables).run()
    }
    let other = try applied(["TITLE": "y"])
    #expect(other.ending == .exited(12))
    #expect(other.standardError.contains("a variable that the manifest names has another value"))
    #expect(try applied(["OTHER": "y"]).ending == .exited(0))
  }

  @Test("a queue file that a command has changed is refused")
  func queue() throws {
    #expect(try home.run().result.ending == .exited(0))
    try declare(["b", "c"])
    try save("-q")
    try home.edit("pin", "a")
    try expectRefusal("the state was changed by an earlier `apply` of it, a run, a command or a history file")
  }

  @Test("a library in which a file came, went or grew is refused")
  func library() throws {
    #expect(try home.run().result.ending == .exited(0))
    try declare(["a", "b", "c"])
    try save("-q")
    let path = "\(home.library)/all/a.mp3"
    try FileBytes.write(Self.bytes("a") + [0], to: path)
    try expectRefusal("files in the library, partial downloads or the trash have changed")
    try FileBytes.write(Self.bytes("a"), to: path)
    try FileBytes.write([1], to: "\(home.state)/partial/stray.part")
    try expectRefusal("files in the library, partial downloads or the trash have changed")
    try FileTree.remove("\(home.state)/partial/stray.part")
    #expect(try apply("-q").ending == .exited(0))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3", "all/c.mp3"])
  }

  @Test("another library in the same place is refused, and the place of one that is not mounted stays empty")
  func anotherLibrary() throws {
    #expect(try home.run().result.ending == .exited(0))
    try declare(["a", "b", "c"])
    try save("-q")
    #expect(rename(home.library, home.folder.file("away")) == 0)
    #expect(mkdir(home.library, 0o755) == 0)
    try expectRefusal("the library is another one")
    #expect(try FileTree.files(home.library, hidden: true).isEmpty)
    #expect(rmdir(home.library) == 0 && rename(home.folder.file("away"), home.library) == 0)
    #expect(try apply("-q").ending == .exited(0))
  }

  @Test("a plan for a time that has not come yet is refused")
  func future() throws {
    try save("-q", "--now", "2090-01-01T00:00:00Z")
    try expectRefusal("it was made for 2090-01-01T00:00:00Z, which has not come yet")
  }

  @Test("a plan that was made by a clock that is behind is carried out by the same clock")
  func clockBehind() throws {
    #expect(try home.command("run", "--now", "2090-01-01T00:00:00Z").run().ending == .exited(0))
    try declare(["a", "b", "c"])
    try save("-q", "--now", "2089-12-01T00:00:00Z")
    let result = try apply("-q", "--now", "2089-12-01T00:00:00Z")
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try home.list()["c"]?[path: "state"] == .string("completed"))
  }

  @Test("a plan that would remove too much is saved, and refused with the way out")
  func tooMuch() throws {
    #expect(try home.run().result.ending == .exited(0))
    try declare(["c"], "storage: { orphans: remove, max_delete: 1 }")
    let saved = try save(status: 12)
    #expect(saved.standardOutput.hasSuffix("Saved as \"\(file)\", which `syncjob apply` refuses.\n"))
    let refused = try apply()
    #expect(refused.ending == .exited(12))
    #expect(
      refused.standardError == "syncjob: error: the plan in \"\(file)\" must not be applied: 2 of 2 finished items "
        + "would be removed, more than storage.max_delete allows (1); look at it with `syncjob plan`, then allow it once "
        + "with --max-delete 2, as a flag of: syncjob plan -o \(file) \(home.manifest)\n")
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
    let flagged = try home.command("plan", "--max-delete", "0").run()
    #expect(flagged.ending == .exited(12))
    #expect(
      flagged.standardOutput.contains("2 of 2 finished items would be removed, more than --max-delete allows (0); "))
    try save("-q", "--max-delete", "2")
    #expect(try apply("-q").ending == .exited(0))
    #expect(try home.ownedPaths() == ["all/c.mp3"])
  }

  @Test("a plan that was edited is not what would be planned")
  func edited() throws {
    #expect(try home.run().result.ending == .exited(0))
    try declare(["b", "c"])
    try save("-q")
    let text = String(decoding: try FileBytes.read(file), as: UTF8.self)
    try FileBytes.write(text.replacing("\"all/c.mp3\"", with: "\"all/x.mp3\""), to: file)
    try expectRefusal("\"c\" would be downloaded as \"all/c.mp3\" now, not as \"all/x.mp3\"")
    try FileBytes.write(text.replacing("\"action\":\"remove\"", with: "\"action\":\"keep\""), to: file)
    try expectRefusal("\"a\" (all/a.mp3) would be removed now, which was not planned")
  }

  @Test("what is no plan, not one to apply, of a newer version, cut or not there is refused in words")
  func bad() throws {
    try save("-q")
    let whole = try FileBytes.read(file)
    let text = String(decoding: whole, as: UTF8.self)
    for (content, words) in [
      ("version: 1\n", "line 1, column 1: unexpected 'v'"), ("[]", "it is not a file of this program"),
      ("", "it is empty, or holds only zeros"),
      (text.replacing("\"version\":1", with: "\"version\":9"), "it has version 9, and version 1 is known"),
      (text.replacing("syncjob-plan", with: "syncjob-report"), "it is a file of the format \"syncjob-report\""),
      (String(text.dropLast(20)), "it ends too early"),
      (
        String(decoding: try home.command("plan", "--json").run().stdout, as: UTF8.self),
        "it does not say what it rests on"
      ),
    ] {
      try FileBytes.write(content, to: file)
      let result = try apply()
      #expect(result.ending == .exited(1), "\(words)")
      #expect(
        result.standardError.hasPrefix("syncjob: error: cannot apply \"\(file)\": ")
          && result.standardError.contains(words), "\(words)")
    }
    try FileTree.remove(file)
    let missing = try apply()
    #expect(missing.ending == .exited(1) && missing.standardError.contains("cannot open \"\(file)\""))
    #expect(access(home.library, F_OK) != 0)
  }

  @Test("a plan is never written over what is no plain file")
  func places() throws {
    let folder = home.folder.file("folder")
    let pipe = home.folder.file("pipe")
    let link = home.folder.file("link")
    #expect(mkdir(folder, 0o755) == 0 && mkfifo(pipe, 0o600) == 0 && symlink("/dev/null", link) == 0)
    for place in [folder, pipe, link] {
      let result = try home.command("plan", "-q", "-o", place).run()
      #expect(result.ending == .exited(64))
      #expect(result.standardError.contains("\"\(place)\": it is not a plain file"), "\(result.standardError)")
    }
    var facts = stat()
    #expect(lstat(link, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
    let manifest = try FileBytes.read(home.manifest)
    let itself = try home.command("plan", "-q", "-o", home.manifest).run()
    #expect(itself.ending == .exited(64))
    #expect(
      itself.standardError
        == "syncjob: error: --output names the manifest itself, \"\(home.manifest)\"; name another file "
        + "for the plan\n")
    #expect(try FileBytes.read(home.manifest) == manifest)
    let nowhere = try home.command("plan", "-q", "-o", home.folder.file("no/car.plan")).run()
    #expect(nowhere.ending == .exited(1))
    try FileBytes.write("mine", to: file)
    try save("-q", status: 64)
    #expect(try FileBytes.text(file) == "mine")
    try FileTree.remove(file)
    try save("-q")
    #expect(try JSONValue(FileBytes.read(file))[path: "format"] == .string("syncjob-plan"))
  }
}
