// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("evict")
struct EvictTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private static let names = ["a", "b", "c"]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for (index, name) in Self.names.enumerated() {
      let audio = GeneratedAudio(title: name, seconds: 1, seed: UInt64(index + 1))
      server.serve("/\(name).mp3", Resource(body: audio.body(count: 40_000 * (index + 1))))
    }
    try declare("storage: { budget: 400KB, evict: { min_age: 0s } }")
    #expect(try home.run().result.ending == .exited(0))
    // The eviction order is then that of the names.
    #expect(try home.editing("played", "--count", "10", "b").run().ending == .exited(0))
    #expect(try home.editing("played", "--count", "50", "c").run().ending == .exited(0))
  }

  private func declare(_ sections: String) throws {
    let items = Self.names.map { "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }\n" }
    try home.declare("\(sections)\nplaylists:\n  all:\n    items:\n\(items.joined())")
  }

  private func evict(_ options: String..., variables: [String: String] = [:]) throws -> CommandResult {
    var command = home.command("evict", options: options)
    command.environment.merge(variables) { $1 }
    return try command.run()
  }

  private func files() throws -> Set<String> { Set(try FileTree.files(home.library).filter { $0.hasSuffix(".mp3") }) }

  @Test("frees so many bytes, by the score, and says so; a dry run says the same and changes nothing")
  func bytes() throws {
    let dry = try evict("--bytes", "41KB", "--dry-run")
    #expect(dry.ending == .exited(0), "\(dry.standardError)")
    #expect(
      dry.standardOutput == """
          - all/a.mp3  40.0 kB  least used, and room is needed
          - all/b.mp3  80.0 kB  least used, and room is needed
        would evict 2 items, freeing 120 kB

        """)
    #expect(try files().count == 3)
    let done = try evict("--bytes", "41KB", "--events", home.folder.file("events"))
    #expect(done.ending == .exited(0))
    #expect(done.standardOutput == dry.standardOutput.replacing("would evict", with: "evicted"))
    #expect(try files() == ["all/c.mp3"])
    #expect(try home.ownedPaths() == ["all/c.mp3"])
    #expect(try FileBytes.text("\(home.library)/all.m3u8").contains("all/a.mp3") == false)
    #expect(try FileBytes.text(home.folder.file("events")).contains("\"cause\":\"evicted\""))
    #expect(try home.list()["a"]?[path: "state"] == .string("removed"))
    #expect(
      try home.command("undo").run().standardOutput
        == "nothing to undo: the trash is empty; what was evicted is deleted, and does not come back this way\n")
  }

  @Test("goes down to a share of the budget, by default to storage.evict.target, and has nothing to do below it")
  func share() throws {
    let nothing = try evict()
    #expect(nothing.ending == .exited(0))
    #expect(nothing.standardOutput == "nothing to evict: the library holds 240 kB, 60 % of its budget\n")
    #expect(try evict("--to", "60%", "-q").standardOutput.isEmpty)
    let done = try JSONValue(evict("--to", "50%", "--json").stdout)
    #expect(done[path: "format"] == .string("syncjob-evict") && done[path: "dry_run"] == .bool(false))
    #expect(done[path: "bytes_needed"] == .number(40_000) && done[path: "bytes_freed"] == .number(40_000))
    #expect(done[path: "evicted.0.id"] == .string("a") && done[path: "evicted.count"] == .number(1))
    #expect(try files() == ["all/b.mp3", "all/c.mp3"])
    // Evicted files are not fetched again, as after a run that needed the room, until there is room below the target.
    let again = try JSONValue(evict("--to", "0%", "--json").stdout)
    #expect(again[path: "evicted.count"] == .number(2) && again[path: "bytes_lacking"] == .number(0))
    #expect(try files().isEmpty)
  }

  @Test("takes no pinned item, and ends with 4 and the reason when less than asked for can be freed")
  func lacking() throws {
    try home.edit("pin", "c")
    let result = try evict("--bytes", "1MB")
    #expect(result.ending == .exited(4))
    #expect(
      result.standardOutput.hasSuffix(
        "evicted 2 items, freeing 120 kB\n880 kB could not be freed: 1 item (120 kB) is pinned\n"),
      "\(result.standardOutput)")
    #expect(try files() == ["all/c.mp3"])
    let again = try evict("--bytes", "1", "-q")
    #expect(again.ending == .exited(4) && again.standardOutput.isEmpty)
    #expect(again.standardError == "nothing can be evicted\n1 B could not be freed: 1 item (120 kB) is pinned\n")
  }

  @Test("a file that others changed stays, and is named as what stays")
  func changed() throws {
    try FileBytes.write([1, 2, 3], to: "\(home.library)/all/a.mp3")
    let result = try evict("--bytes", "1MB")
    #expect(result.ending == .exited(4))
    #expect(
      result.standardOutput.hasSuffix(
        "could not be freed: 1 item (3 B) was changed by others and not removed\n"),
      "\(result.standardOutput)")
    #expect(try files() == ["all/a.mp3"])
  }

  @Test("empties the trash before anything else")
  func trash() throws {
    try home.edit("remove", "b")
    let result = try evict("--bytes", "80KB")
    #expect(
      result.standardOutput == "  - the trash  80.0 kB  goes first\nevicted the trash, freeing 80.0 kB\n",
      "\(result.standardOutput)\(result.standardError)")
    #expect(try files() == ["all/a.mp3", "all/c.mp3"])
    #expect(try FileTree.files("\(home.state)/trash").isEmpty)
  }

  @Test("a run that needs the room takes the trash as well, and says how much that was")
  func trashInRun() throws {
    try home.edit("remove", "b")
    let audio = GeneratedAudio(title: "d", seconds: 1, seed: 9).body(count: 180_000)
    server.serve("/d.mp3", Resource(body: audio))
    let items = ["a", "c", "d"].map { name in
      "      - { id: \(name), title: \(name), url: \"\(server.url("/\(name).mp3"))\"\(name == "d" ? ", size: 180000" : "") }\n"
    }
    try home.declare(
      "storage: { budget: 400KB, evict: { min_age: 0s } }\nplaylists:\n  all:\n    items:\n\(items.joined())")
    let run = try home.command("run").run()
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(run.standardOutput.contains(", 1 file of the trash deleted for room (80.0 kB); "), "\(run.standardOutput)")
    #expect(try files() == ["all/a.mp3", "all/c.mp3", "all/d.mp3"])
  }

  @Test("what forbids or contradicts it is refused with 64, and nothing goes")
  func refusals() throws {
    func expect(_ words: String, _ result: CommandResult, location: SourceLocation = #_sourceLocation) {
      #expect(result.ending == .exited(64), sourceLocation: location)
      #expect(result.standardError == "syncjob: error: \(words)\n", sourceLocation: location)
    }
    expect("--bytes and --to exclude each other; give only one", try evict("--bytes", "1", "--to", "5%"))
    expect("--bytes must be at least 1, but is \"0\"", try evict("--bytes", "0"))
    expect("--to must be a percentage such as 85%, but is \"70\": write \"70%\"", try evict("--to", "70"))
    expect(
      "$SYNCJOB_NO_EVICT forbids what evict does; unset it for this command",
      try evict("--bytes", "1", variables: ["SYNCJOB_NO_EVICT": "1"]))
    try declare("storage: { evict: { min_age: 0s } }")
    expect(
      "--to is a share of storage.budget, and the manifest has none; say how much to free with --bytes",
      try evict("--to", "50%"))
    expect(
      "without storage.budget there is no target to go down to; say how much to free with --bytes", try evict())
    try declare("features: { eviction: false }")
    expect(
      "the manifest has features.eviction: false, so nothing is evicted; remove that, or take items out with `syncjob remove`",
      try evict("--bytes", "1"))
    #expect(try files().count == 3)
  }

  @Test("with a clock that cannot be believed it refuses with 12")
  func clock() throws {
    try FileBytes.write("2090-01-01T00:00:00Z\n", to: "\(home.state)/clock")
    for options in [[], ["--dry-run"]] {
      let result = try home.command("evict", options: ["--bytes", "1"] + options).run()
      #expect(result.ending == .exited(12))
      #expect(result.standardError.contains("the clock says ") && result.standardError.contains("set the clock"))
    }
    #expect(try files().count == 3)
  }

  @Test("where nothing was ever fetched there is nothing to evict")
  func empty() throws {
    let other = try LibraryFixture()
    try other.declare("storage: { budget: 1MB }\nplaylists: {}")
    let result = try other.command("evict", "--dry-run").run()
    #expect(result.ending == .exited(0))
    #expect(result.standardOutput == "nothing to evict: the library holds 0 B, 0 % of its budget\n")
    let asked = try other.command("evict", "--bytes", "1KB", "-n").run()
    #expect(asked.ending == .exited(4))
    #expect(
      asked.standardOutput
        == "nothing can be evicted\n1.00 kB could not be freed: there is nothing else in the library\n")
  }
}
