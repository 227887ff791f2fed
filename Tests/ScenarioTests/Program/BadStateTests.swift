// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("a memory that somebody changed")
struct BadStateTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let size: Int
  private var file: String { "\(home.state)/download_queue.json" }

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    let bytes = GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes
    size = bytes.count
    server.serve("/a.mp3", Resource(bytes: bytes))
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    #expect(try home.run().result.ending == .exited(0))
  }

  private func edit(_ change: (String) -> String) throws {
    let text = try FileBytes.text(file)
    let changed = change(text)
    #expect(changed != text)
    try FileBytes.write(changed, to: file)
  }

  private static func replaced(_ text: String, _ old: String, _ new: String) -> String {
    guard let range = text.firstRange(of: old) else { return text }
    return text[..<range.lowerBound] + new + text[range.upperBound...]
  }

  @Test(
    "an edit that makes no sense is named by line or item, kept aside, and the file before it serves",
    arguments: [
      ("\"path\":\"all/A.mp3\"", "\"path\":7", "the field \"path\" of the item \"a\" has an impossible value"),
      (
        "\"path\":\"all/A.mp3\"", "\"path\":\"../../etc/passwd\"",
        "the field \"path\" of the item \"a\" has an impossible value"
      ),
      (
        "\"path\":\"all/A.mp3\"", "\"path\":\".syncjob/library.json\"",
        "the field \"path\" of the item \"a\" has an impossible value"
      ),
      (
        "\"state\":\"completed\"", "\"state\":\"queued\"",
        "the item \"a\" is queued and has the field \"path\", which has no meaning then"
      ),
      ("{\"id\":\"a\"", "{\"id\":\"a\",}", "line 4, column 11: unexpected '}'"),
      ("\"saved_at\"", "\"saved\"", "the file has no field \"saved_at\""),
    ])
  func edited(_ old: String, _ new: String, _ problem: String) throws {
    try edit { Self.replaced($0, old, new) }
    try expectRestored(problem)
  }

  @Test("two entries of one id are refused, and the file before serves")
  func twins() throws {
    try edit { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let item = lines.firstIndex { $0.hasPrefix("{\"id\"") } ?? 0
      return (lines[..<item] + ["\(lines[item]),", lines[item]] + lines[(item + 1)...]).joined(separator: "\n")
    }
    try expectRestored("the item \"a\" is there twice")
  }

  @Test("two entries with one file are refused, and the file before serves")
  func siblings() throws {
    try edit { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let item = lines.firstIndex { $0.hasPrefix("{\"id\"") } ?? 0
      let other = Self.replaced(String(lines[item]), "\"id\":\"a\"", "\"id\":\"b\"")
      return (lines[..<item] + ["\(lines[item]),", other[...]] + lines[(item + 1)...]).joined(separator: "\n")
    }
    try expectRestored("the items \"a\" and \"b\" have one file, \"all/A.mp3\"")
  }

  private func expectRestored(_ problem: String) throws {
    let bad = try home.queueFile()
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    guard case .string(let name)? = report[path: "recovery.kept_aside.0"] else {
      Issue.record("nothing was kept: \(result.standardOutput)")
      return
    }
    let sentence =
      "the queue file could not be read (\(problem)) and was restored from the one before it; it is kept as \"\(name)\""
    #expect(report[path: "warnings"] == .array([.string(sentence)]))
    #expect(try FileBytes.read("\(home.state)/\(name)") == bad)
    #expect(try home.ownedPaths() == ["all/A.mp3"])
    #expect(try home.run().result.ending == .exited(0))
    #expect(server.requests.count == 1)
  }

  @Test("a queue file of a newer version stops everything and stays as it is", arguments: ["run", "status", "pin"])
  func newer(_ command: String) throws {
    // Without the count, which only this version writes with a check of its own: else the digit would be damage.
    try edit { Self.replaced(Self.replaced($0, "\"version\":1", "\"version\":2"), "\"count\"", "\"sum\"") }
    try expectRefused(
      command,
      "\"\(file)\" has version 2, and this syncjob knows version 1; it is left as it is: use a newer syncjob")
  }

  @Test("the queue file of another library stops everything and stays as it is", arguments: ["run", "status", "pin"])
  func another(_ command: String) throws {
    let other = "00000000000000000000000000000000"
    let own = try JSONValue(home.queueFile())[path: "library_id"]?.description ?? ""
    // Both files have a check. A marker of an older version has none, so the library gets such a one here.
    try FileBytes.write(
      #"{"format":"syncjob-library","version":1,"id":"\#(other)","created_at":"2026-11-21T06:00:03Z"}"# + "\n",
      to: "\(home.state)/library.json")
    try expectRefused(
      command,
      "\"\(file)\" belongs to the library \"\(own)\", and this is the library \"\(other)\"; check library.path and "
        + "library.state. Only if it is this library's state all the same: remove .syncjob/library.json from the library, "
        + "then syncjob init \(home.manifest)")
    // The advice in the message helps.
    try FileTree.remove("\(home.state)/library.json")
    #expect(try home.command("init", "-q").run().ending == .exited(0))
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
  }

  @Test("a library that has lost its mark alone is told how to have it back")
  func markLost() throws {
    try FileTree.remove("\(home.state)/library.json")
    let result = try home.command("run").run()
    #expect(result.ending == .exited(12))
    #expect(
      result.standardError
        == "syncjob: error: \"\(home.library)\" has lost its marker, .syncjob/library.json, and still has its state (1 "
        + "finished item); make it again with: syncjob init \(home.manifest)\n")
    #expect(try home.command("init", "-q").run().ending == .exited(0))
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
  }

  private func expectRefused(_ command: String, _ sentence: String) throws {
    let bad = try home.queueFile()
    let result = try (command == "pin" ? home.editing("pin", "a") : home.command(command)).run()
    #expect(result.ending == .exited(1))
    #expect(result.standardError == "syncjob: error: \(sentence)\n")
    #expect(result.standardOutput.isEmpty)
    #expect(try home.queueFile() == bad)
  }

  @Test("a state folder that others can write is closed to them, and that is said")
  func openFolder() throws {
    #expect(chmod(home.state, 0o777) == 0)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    let sentence: String =
      "other users could write into \"\(home.state)\" and change the job's state; it is open to its owner "
      + "alone now (mode 0700)"
    #expect(report[path: "warnings"] == .array([.string(sentence)]))
    var facts = stat()
    #expect(stat(home.state, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
    #expect(try home.run().report[path: "warnings.count"] == .number(0))
  }

  @Test("a state folder that others can look into is closed to them, on the short road as well")
  func readableFolder() throws {
    #expect(chmod(home.state, 0o755) == 0)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    #expect(
      report[path: "warnings"]
        == .array([.string("other users could list \"\(home.state)\"; it is open to its owner alone now (mode 0700)")]))
    var facts = stat()
    #expect(stat(home.state, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
    #expect(try home.run().report[path: "warnings.count"] == .number(0))
    #expect(access("\(home.state)/cache/settled", F_OK) == 0 && chmod(home.state, 0o755) == 0)
    #expect(try home.run().result.ending == .exited(0))
    #expect(stat(home.state, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
  }

  @Test("whoever looks at a damaged memory is told of the damage, and changes nothing")
  func damageSeen() throws {
    try home.edit("pin", "a")
    try edit { Self.replaced($0, "\"saved_at\"", "\"saved\"") }
    let bad = try home.queueFile()
    for command in ["status", "list", "verify"] {
      let result = try home.command(command).run()
      #expect(result.ending == .exited(command == "verify" ? 3 : 0), "\(command)")
      #expect(
        result.standardError.hasPrefix(
          "warning: the queue file could not be read (the file has no field \"saved_at\") and was restored from the one "
            + "before it"), "\(command): \(result.standardError)")
    }
    #expect(try home.queueFile() == bad)
  }

  @Test("a state folder of another user that others can write is told of at every run")
  func foreignFolder() throws {
    guard geteuid() == 0 else { return }
    #expect(chmod(home.state, 0o777) == 0 && chown(home.state, 1234, 1234) == 0)
    for _ in 1...2 {
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0))
      let sentence: String =
        "other users can write into \"\(home.state)\" and change the job's state, and it belongs to one of "
        + "them; make it yours alone, as root, with: chown -R USER \(home.state) && chmod 700 \(home.state)"
      #expect(report[path: "warnings"] == .array([.string(sentence)]))
    }
    #expect(chown(home.state, 0, 0) == 0)
  }
}
