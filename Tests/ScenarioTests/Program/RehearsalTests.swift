// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("dry runs of commands")
struct RehearsalTests {
  private let home: LibraryFixture
  private let server: FaultServer

  /// `a` and `b` are in the library, `gone` is in the trash, and `c` failed.
  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b", "gone")
    let items = ["a", "b", "c", "gone"].map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare("playlists: { all: { items: [\(items.joined(separator: ", "))] } }")
    #expect(try home.command("run", "-q").run().ending == .exited(3))
    try home.edit("remove", "gone")
  }

  private func everything() throws -> [String: [UInt8]] {
    let files = try FileTree.files(home.folder.path, hidden: true)
    return try Dictionary(uniqueKeysWithValues: files.map { ($0, try FileBytes.read(home.folder.file($0))) })
  }

  private func rehearse(_ arguments: [String], _ words: String) throws { try rehearse(arguments, 0, words) }

  private func rehearse(_ arguments: [String], _ status: Int32, _ words: String) throws {
    let (before, asked) = (try everything(), server.requests.count)
    var command = home.command("")
    command.arguments = arguments
    let result = try command.run()
    #expect(result.ending == .exited(status), "\(arguments): \(result.standardError)")
    // A refusal is a message, not a result.
    let text = status == 12 || status == 64 ? result.standardError : result.standardOutput
    #expect(!words.isEmpty && text.contains(words), "\(arguments): \(text)")
    #expect(try everything() == before, "\(arguments)")
    #expect(server.requests.count == asked, "\(arguments)")
  }

  @Test("say what would be done, and change nothing")
  func edits() throws {
    let rows: [([String], String)] = [
      (["pin", "-m", home.manifest, "-n", "a"], "would pin \"a\"\n"),
      (["unpin", "-m", home.manifest, "-n", "a"], "\"a\" is not pinned; nothing to do\n"),
      (["cancel", "-m", home.manifest, "-n", "c"], "would cancel \"c\"\n"),
      (["retry", "-m", home.manifest, "-n", "gone"], "would queue again \"gone\"\n"),
      (["retry", "--all", "--dry-run", home.manifest], "would queue again \"c\"\n"),
      (["played", "-m", home.manifest, "-n", "a"], "would record as played \"a\"\n"),
      (["remove", "-m", home.manifest, "-n", "a"], "would remove \"a\"\n"),
      (["remove", "--all", "-n", home.manifest], "would remove \"a\"\nwould remove \"b\"\n"),
      (["remove", "--playlist", "a*", "-n", home.manifest], "would remove \"a\"\nwould remove \"b\"\n"),
      (["undo", "-n", home.manifest], "would come back"),
      (["clean", "-n", home.manifest], "nothing to clean\n"),
      (["init", "-n", home.manifest], "is initialised already"),
    ]
    for (arguments, words) in rows { try rehearse(arguments, words) }
  }

  @Test("say why nothing would be done")
  func refusals() throws {
    try rehearse(["cancel", "-m", home.manifest, "-n", "a"], 64, "\"a\" is finished; take it out with: ")
    try rehearse(
      ["retry", "-m", home.manifest, "-n", "a"], 64, "\"a\" is in the library; there is nothing to try again.")
  }

  @Test("of state: an import is weighed without being done")
  func state() throws {
    let file = home.folder.file("state.json")
    #expect(try home.command("state").ending(["state", "export", "-o", file, home.manifest]) == .exited(0))
    try rehearse(["state", "import", "-n", file, home.manifest], 12, "To replace them: --replace")
    try rehearse(
      ["state", "import", "-n", "--replace", file, home.manifest],
      "would import 4 items, 2 of them finished; 4 items would be forgotten\n")
  }

  @Test("of a repair and of a saved plan: what would be found and done")
  func repair() throws {
    try FileTree.remove("\(home.library)/all/b.mp3")
    try rehearse(["verify", "--repair", "-n", home.manifest], 3, "missing")
    let plan = home.folder.file("car.plan")
    #expect(try home.command("plan").ending(["plan", "-q", "-o", plan, home.manifest]) == .exited(0))
    try rehearse(["apply", "-n", plan], "its file is gone")
  }

  @Test("as JSON they print the items as they would be")
  func json() throws {
    let result = try home.editing("pin", "-n", "--json", "a").run()
    #expect(try JSONValue(result.stdout)[path: "pinned"] == .bool(true))
    #expect(try home.list()["a"]?[path: "pinned"] == nil)
  }

  @Test("a manifest that is not there is not written")
  func newManifest() throws {
    let path = home.folder.file("new.yaml")
    try rehearse(["init", "-n", path], "would write \"\(path)\"\n")
  }
}

extension Command {
  fileprivate func ending(_ arguments: [String]) throws -> CommandResult.Ending {
    var command = self
    command.arguments = arguments
    return try command.run().ending
  }
}
