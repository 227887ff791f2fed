// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

@Suite("files of a collection")
struct ImportFilesTests {
  private let home: LibraryFixture

  init() throws { home = try LibraryFixture() }

  private var collection: String { home.folder.file("music") }

  private static func audio(_ title: String, artist: String? = nil, seconds: Double = 1, seed: UInt64 = 1) -> [UInt8] {
    GeneratedAudio(title: title, artist: artist, seconds: seconds, seed: seed).bytes
  }

  /// No server answers: whatever is there afterwards was imported.
  private func declare(_ items: [String], _ sections: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      \(sections)
      playlists: { all: { items: [\(items.joined(separator: ", "))] } }
      """)
  }

  private func item(_ id: String, _ more: String) -> String {
    "{ id: \(id), url: \"http://127.0.0.1:9/\(id).mp3\", \(more) }"
  }

  private func put(_ bytes: [UInt8], _ path: String) throws { try FileBytes.write(bytes, to: "\(collection)/\(path)") }

  private func importing(_ options: String..., from folder: String? = nil) -> Command {
    home.command(["import", "files"] + options + [folder ?? collection, home.manifest])
  }

  private func report(_ options: String..., status: Int32 = 0) throws -> JSONValue {
    let result = try home.command(["import", "files", "--json"] + options + [collection, home.manifest]).run()
    #expect(result.ending == .exited(status), "\(result.standardOutput)\(result.standardError)")
    return try JSONValue(result.stdout)
  }

  private func sum(_ bytes: [UInt8]) throws -> String {
    let file = home.folder.file("sum")
    try FileBytes.write(bytes, to: file)
    return String(try #require(Tool("sha256sum").command([file])).run().standardOutput.prefix(64))
  }

  @Test("are not looked for in a file")
  func fileForFolder() throws {
    try put(Self.audio("A"), "a.mp3")
    try declare([item("a", "title: A")])
    let result = try importing(from: "\(collection)/a.mp3").run()
    #expect(result.ending != .exited(0))
    #expect(
      result.standardError.contains("/music/a.mp3\": it is a file; name the folder that it is in"),
      "\(result.standardError)")
  }

  private func files(_ folder: String) throws -> [String] { try FileTree.files(folder).filter { $0.hasSuffix(".mp3") } }

  /// An item for each rule, and its file.
  private func declareAll() throws {
    let (one, two) = (Self.audio("x", seed: 1), Self.audio("y", seed: 2))
    try declare([
      item("sum", "title: By sum, checksum: \"sha256:\(try sum(one))\""),
      item("size", "title: By size, size: \(two.count)"),
      item("tags", "title: Night Drive, artist: Anna"),
      item("name", "title: By name"),
      item("none", "title: Nothing like it"),
    ])
    try put(one, "a/anything.mp3")
    try put(two, "a/03 - by_size.mp3")
    try put(Self.audio("night drive", artist: "ANNA", seed: 3), "b/track01.mp3")
    try put(Self.audio("By name", seed: 4), "b/By name.mp3")
    try put(Self.audio("Quite another", seed: 5), "b/other.mp3")
  }

  @Test("that nearly fit are named beside their items, with what keeps them from it")
  func nearMisses() throws {
    try declare([
      item("sum", "title: By sum, checksum: \"sha256:\(try sum([1]))\""), item("size", "title: By size, size: 1000"),
      item("artist", "title: Night Drive, artist: Anna"), item("long", "title: Long one, duration: 3:45"),
      item("alone", "title: Alone"), item("number", "title: Harbour Lights"), item("none", "title: Nothing like it"),
    ])
    try put(Self.audio("x", seed: 1), "By sum.mp3")
    try put(Self.audio("y", seed: 2), "by_size.mp3")
    try put(Self.audio("Night Drive", artist: "Bert", seed: 3), "Night Drive.mp3")
    try put(Self.audio("Long one", seed: 4), "Long one.mp3")
    try put(Self.audio("Alone", seed: 5), "track05.mp3")
    try put(Self.audio("Harbour Lights", seed: 6), "03 - HarbourLights.mp3")
    try put(Self.audio("Another", seed: 7), "other.mp3")
    let report = try report("-n")
    let expected = [
      ("sum", "By sum.mp3", "checksum"), ("size", "by_size.mp3", "size"), ("artist", "Night Drive.mp3", "artist"),
      ("long", "Long one.mp3", "duration"), ("alone", "track05.mp3", "title_alone"),
      ("number", "03 - HarbourLights.mp3", "title_alone"),
    ]
    #expect(report[path: "near_misses.count"] == .number(Double(expected.count)), "\(report)")
    for (index, miss) in expected.enumerated() {
      #expect(report[path: "near_misses.\(index).id"] == .string(miss.0))
      #expect(report[path: "near_misses.\(index).file"] == .string(miss.1))
      #expect(report[path: "near_misses.\(index).reason"] == .string(miss.2))
    }
    #expect(report[path: "unmatched.count"] == .number(7) && report[path: "lacking"] == .number(7))
    let short = try importing("-n").run().standardOutput
    #expect(
      short.contains("6 files nearly fit an item; -v says what keeps them from it") && !short.contains("~"), "\(short)")
    let long = try importing("-n", "-v").run().standardOutput
    for words in [
      "\"By sum.mp3\" is nearly \"By sum\"", "its bytes do not have the checksum", "instead of 1000",
      "its tags name another artist", "it plays 0:01 instead of 3:45", "nothing besides it agrees",
    ] { #expect(long.contains(words), "\(words): \(long)") }
    #expect(long.contains("other.mp3") && !long.contains("nearly \"Nothing"), "\(long)")
  }

  @Test("come in by checksum, by size and name, by tags, and by name; the plan changes nothing")
  func rules() throws {
    try declareAll()
    let before = try FileTree.files(home.folder.path, hidden: true)
    let plan = try report("-n")
    #expect(try FileTree.files(home.folder.path, hidden: true) == before)
    let rules = ["checksum", "size_and_name", "tags", "name"]
    for (index, rule) in rules.enumerated() {
      #expect(plan[path: "files.\(index).rule"] == .string(rule))
      #expect(plan[path: "files.\(index).outcome"] == .string("planned"))
    }
    let report = try report()
    #expect(report[path: "format"] == .string("syncjob-import-files"))
    #expect(report[path: "imported"] == .number(4) && report[path: "lacking"] == .number(1))
    #expect(report[path: "unmatched.0"] == .string("b/other.mp3"))
    #expect(report[path: "files.0.path"] == plan[path: "files.0.path"])
    let list = try home.list()
    for id in ["sum", "size", "tags", "name"] {
      #expect(list[id]?[path: "state"] == .string("completed"))
    }
    #expect(list["none"]?[path: "state"] == .string("queued"))
    let explained = try home.editing("explain", "tags").run().standardOutput
    #expect(explained.contains("/b/track01.mp3: imported; the file here came from it"), "\(explained)")
    #expect(!explained.contains("/tags.mp3; the file here came from it"), "\(explained)")
    #expect(try FileBytes.read("\(home.library)/all/By sum.mp3") == Self.audio("x", seed: 1))
    #expect(try files(collection).count == 5 && home.strays().isEmpty)
    #expect(try FileBytes.text("\(home.library)/all.m3u8").contains("By sum.mp3"))
    // All is done, and a run has nothing to say about it.
    #expect(try self.report()[path: "imported"] == .number(0))
    #expect(try home.command("verify", "--deep").run().ending == .exited(0))
  }

  @Test("leave the collection with --move, once they are in the library")
  func moving() throws {
    try declareAll()
    let report = try report("--move")
    #expect(report[path: "imported"] == .number(4) && report[path: "files.0.method"] == .string("move"))
    #expect(try files(collection) == ["b/other.mp3"])
    #expect(try files(home.library).count == 4 && home.strays().isEmpty)
    #expect(try home.command("verify", "--deep").run().ending == .exited(0))
  }

  @Test("say what they are in words, and nothing with -q")
  func words() throws {
    try declareAll()
    let plan = try importing("-n").run().standardOutput
    #expect(plan.contains("copy of \"a/anything.mp3\", same checksum"), "\(plan)")
    #expect(plan.contains("4 files, ") && plan.contains("would be imported"), "\(plan)")
    let done = try importing().run().standardOutput
    #expect(done.contains("copied from \"b/track01.mp3\", by its tags"), "\(done)")
    #expect(done.contains("1 other media file in \"\(collection)\" matches no item that lacks its file"), "\(done)")
    #expect(done.contains("1 item still lacks its file"), "\(done)")
    let quiet = try importing("-q").run()
    #expect(quiet.ending == .exited(0) && quiet.standardOutput.isEmpty && quiet.standardError.isEmpty)
  }

  @Test("of which two may be one item's, or one may be two items', stay where they are; equal ones are one")
  func doubts() throws {
    try declare([
      item("two", "title: Two files"), item("equal", "title: Equal files"), item("left", "title: Same, artist: A"),
      item("right", "title: Same, artist: A"),
    ])
    for (folder, seed) in [("a", 1), ("b", 2)] as [(String, UInt64)] {
      try put(Self.audio("Two files", seed: seed), "\(folder)/Two files.mp3")
      try put(Self.audio("Equal files", seed: 3), "\(folder)/Equal files.mp3")
    }
    try put(Self.audio("Same", artist: "A", seed: 4), "a/x.mp3")
    let report = try report("--move")
    #expect(report[path: "imported"] == .number(1) && report[path: "files.0.id"] == .string("equal"))
    #expect(report[path: "ambiguous.0.items.0"] == .string("two"))
    #expect(report[path: "ambiguous.0.files.1"] == .string("b/Two files.mp3"))
    #expect(report[path: "ambiguous.1.items.1"] == .string("right"))
    #expect(try files(collection).count == 4)
    #expect(try importing().run().standardOutput.contains("nothing ambiguous was taken"))
  }

  @Test("are never links, special files, hidden files, or what is no media; odd names are counted")
  func oddities() throws {
    try declare([item("a", "title: A")])
    let outside = home.folder.file("outside.mp3")
    try FileBytes.write(Self.audio("A"), to: outside)
    try put(Array("<html>nothing here</html>".utf8) + [UInt8](repeating: 32, count: 4000), "z/A.mp3")
    try put(Self.audio("A"), ".hidden/.A.mp3")
    #expect(symlink(outside, "\(collection)/A.mp3") == 0)
    #expect(symlink(collection, "\(collection)/z/loop") == 0)
    #expect(mkfifo("\(collection)/z/B.mp3", 0o600) == 0)
    let name = Array("\(collection)/z/\u{1}.mp3".utf8).map { $0 == 1 ? CChar(bitPattern: 0xff) : CChar($0) } + [0]
    let descriptor = open(name, O_CREAT | O_WRONLY, 0o600)
    #expect(descriptor >= 0 && close(descriptor) == 0)
    let result = try importing("--json", "--move").run()
    let report = try JSONValue(result.stdout)
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "files.0.from"] == .string("z/A.mp3") && report[path: "imported"] == .number(0))
    #expect(report[path: "files.0.outcome"] == .string("failed"))
    #expect(report[path: "warnings.0"] == .string("2 symbolic links were not followed"))
    #expect(report[path: "warnings.1"] == .string("1 name in the collection is not UTF-8 and was passed over"))
    #expect(try files(home.library).isEmpty && home.strays().isEmpty)
    #expect(try FileBytes.read("\(collection)/z/A.mp3").count > 4000)
  }

  @Test("that lie in the library come to their places and are not doubled", arguments: [true, false])
  func ownLibrary(isMove: Bool) throws {
    try declare([item("a", "title: A"), item("b", "title: B")])
    try FileBytes.write(Self.audio("A"), to: "\(home.library)/old/A.mp3")
    try FileBytes.write(Self.audio("B"), to: "\(home.library)/all/B.mp3")
    let command = home.command(
      ["import", "files", "--json"] + (isMove ? ["--move"] : []) + [home.library, home.manifest])
    let result = try command.run()
    #expect(result.ending == .exited(0), "\(result.standardOutput)\(result.standardError)")
    #expect(try JSONValue(result.stdout)[path: "imported"] == .number(2), "\(result.standardOutput)")
    #expect(try files(home.library) == ["all/A.mp3", "all/B.mp3"])
    #expect(try home.ownedPaths() == ["all/A.mp3", "all/B.mp3"] && home.strays().isEmpty)
    #expect(try JSONValue(command.run().stdout)[path: "imported"] == .number(0))
  }

  @Test("for which there is no room stay, and nothing goes for them", arguments: [true, false])
  func noRoom(isMove: Bool) throws {
    let size = Self.audio("A", seconds: 60).count
    try declare(
      [item("a", "title: A"), item("b", "title: B")], "storage: { budget: \(size * 5 / 4), min_free: 0B }")
    for title in ["A", "B"] { try put(Self.audio(title, seconds: 60), "\(title).mp3") }
    let report = isMove ? try report("--move", status: 4) : try report(status: 4)
    #expect(report[path: "files.0.outcome"] == .string("imported"))
    #expect(report[path: "files.1.outcome"] == .string("deferred"))
    #expect(try files(home.library) == ["all/A.mp3"])
    #expect(try files(collection) == (isMove ? ["B.mp3"] : ["A.mp3", "B.mp3"]))
  }

  @Test("from a folder that is absent, or the job's own, or a file, are refused")
  func folders() throws {
    try declare([item("a", "title: A")])
    #expect(try home.command("init").run().ending == .exited(0))
    for (folder, words) in [
      ("\(home.folder.path)/absent", "no such file"), (home.state, "the job keeps its own files there"),
      (home.manifest, "it is a file"),
    ] {
      let result = try importing(from: folder).run()
      #expect(result.ending == .exited(1), "\(folder): \(result.standardError)")
      #expect(result.standardError.contains(words), "\(result.standardError)")
    }
  }

  @Test("that fail leave their items without a file, also in a rehearsal", arguments: [[], ["--move"], ["-n"]])
  func failing(options: [String]) throws {
    try declare([item("a", "title: A"), item("b", "title: B"), item("c", "title: C")])
    try put(Self.audio("A"), "A.mp3")
    try put(Array("<html><body>Log in</body></html>".utf8), "B.mp3")
    let result = try home.command(["import", "files"] + options + [collection, home.manifest]).run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(result.standardOutput.contains("2 items still lack their files"), "\(result.standardOutput)")
    let json = try home.command(["import", "files", "-n", "--json", collection, home.manifest]).run()
    #expect(try JSONValue(json.stdout)[path: "lacking"] == .number(2))
  }

  @Test("keep what stands in their place, and take another name")
  func taken() throws {
    try declare([item("a", "title: A")])
    let other = Self.audio("Mine", seconds: 2, seed: 9)
    try FileBytes.write(other, to: "\(home.library)/all/A.mp3")
    try put(Self.audio("A"), "A.mp3")
    let report = try report("--move")
    #expect(report[path: "imported"] == .number(1))
    #expect(report[path: "files.0.path"] != .string("all/A.mp3"))
    #expect(try FileBytes.read("\(home.library)/all/A.mp3") == other)
    #expect(try files(home.library).count == 2)
  }

  @Test("from folders that refuse it are copied, and reported as still there")
  func refusing() throws {
    try declare([item("a", "title: A"), item("b", "title: B"), item("c", "title: C")])
    for title in ["A", "B", "C"] { try put(Self.audio(title), "\(title)/\(title).mp3") }
    guard let command = try home.asNobody(importing("--json", "--move")) else { return }
    #expect(chmod("\(collection)/A/A.mp3", 0) == 0 && chmod("\(collection)/C", 0) == 0)
    let result = try command.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "files.0.outcome"] == .string("failed"))
    #expect(report[path: "files.1.outcome"] == .string("copied_only"))
    // One was not found, and the file of the other could not be read.
    #expect(report[path: "lacking"] == .number(2))
    #expect(report[path: "warnings.0"]?.description.contains("cannot list the folder") == true)
    #expect(try files(home.library) == ["all/B.mp3"])
    #expect(chmod("\(collection)/C", 0o755) == 0)
    #expect(try files(collection).count == 3)
  }

  @Test(
    "from another file system are copied, and removed there with --move",
    .enabled(if: TemporaryDirectory.inMemory != nil))
  func otherFileSystem() throws {
    let memory = try TemporaryDirectory("syncjob-collection", in: TemporaryDirectory.inMemory)
    try declare([item("a", "title: A")])
    try FileBytes.write(Self.audio("A"), to: memory.file("A.mp3"))
    let result = try importing("--move", "--json", from: memory.path).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try FileBytes.read("\(home.library)/all/A.mp3") == Self.audio("A"))
    #expect(try FileTree.files(memory.path).isEmpty)
  }

  @Test(
    "are not lost and not doubled when an import is killed anywhere", .requires(.strace),
    arguments: [
      ("--move", "renameat2,renameat"), ("--move", "fdatasync,fsync"), ("--move", "unlinkat"),
      ("--copy", "renameat2,renameat"), ("--copy", "fdatasync,fsync"),
    ])
  func killed(option: String, call: String) throws {
    try declareAll()
    #expect(try home.command("init").run().ending == .exited(0))
    let isMove = option == "--move"
    var sweep = KillSweep(home: home, call: call)
    sweep.command = isMove ? importing("--move") : importing()
    sweep.reset = {
      if isMove { try declareAll() }
    }
    try sweep.run { moment in
      let list = try home.list()
      #expect(list.values.count { $0[path: "state"] == .string("completed") } == 4, "\(moment)")
      #expect(try files(home.library).count == 4, "\(moment)")
      #expect(try files(collection).count == (isMove ? 1 : 5), "\(moment)")
    }
  }
}
