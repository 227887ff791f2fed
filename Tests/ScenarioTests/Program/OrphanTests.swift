// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("what no playlist names any more")
struct OrphanTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
  }

  private func serve(_ numbers: some Sequence<Int>) {
    for number in numbers {
      let audio = GeneratedAudio(title: "\(number)", seconds: 1, seed: UInt64(number))
      server.serve("/\(number).mp3", Resource(bytes: audio.bytes))
    }
  }

  private func publish(_ numbers: some Sequence<Int>) {
    let items = numbers.map { number in
      """
      <item><title>Part \(number)</title><guid>\(number)</guid>
      <enclosure url="\(server.url("/\(number).mp3"))" type="audio/mpeg"/></item>
      """
    }
    let document = "<rss version=\"2.0\"><channel><title>World</title>\(items.joined())</channel></rss>"
    server.serve("/world.xml", Resource(bytes: Array(document.utf8)))
  }

  private func declare(_ storage: String, _ playlists: String...) throws {
    try home.declare(
      """
      storage: { \(storage) }
      downloads: { network: { allow_private: true } }
      playlists:
      \(playlists.map { "  " + $0 }.joined(separator: "\n"))
      """)
  }

  private var world: String {
    "world: { feed: \"\(server.url("/world.xml"))\", select: { initial: all }, mirror: true }"
  }

  private func text(_ command: String) throws -> String { try home.command(command).run().standardOutput }

  @Test("is named by the plan, the status and the list, and bytes add up")
  func named() throws {
    serve(1...4)
    publish(1...2)
    func inline(_ number: Int) -> String {
      "mix\(number): { items: [{ id: i\(number), title: I \(number), url: \"\(server.url("/\(number).mp3"))\" }] }"
    }
    try declare("orphans: keep", world, inline(3), inline(4))
    #expect(try home.run().result.ending == .exited(0))
    #expect(try !text("plan").contains("Orphans") && !text("status").contains("Orphans"))
    #expect(try home.list().values.allSatisfy { $0[path: "orphan"] == nil })
    // One playlist is removed, and one item leaves its source.
    try declare("orphans: keep", world, inline(4))
    publish([2])
    let plan = try text("plan")
    #expect(plan.contains("Orphans: 2 items, "), "\(plan)")
    #expect(plan.contains("mix3/I 3.mp3") && plan.contains("Part 1.mp3") && !plan.contains("Part 2.mp3"), "\(plan)")
    #expect(try home.run().result.ending == .exited(0))
    let status = try text("status")
    #expect(status.contains("2 items that no playlist names"), "\(status)")
    let json = try JSONValue(home.command("status", "--json").run().stdout)
    #expect(json[path: "orphans.items"] == .number(2))
    var bytes = 0.0
    for path in ["orphans.bytes", "playlists.0.bytes", "playlists.1.bytes"] {
      if case .number(let number)? = json[path: path] { bytes += number }
    }
    #expect(json[path: "storage.used"] == .number(bytes))
    let list = try home.list()
    #expect(list.filter { $0.value[path: "orphan"] == .bool(true) }.keys.sorted() == ["i3", "world:1"])
    #expect(try text("list").split(separator: "\n").count { $0.contains("orphan: no playlist names it") } == 2)
  }

  @Test("because its source no longer lists it adds up over seven days under max_delete")
  func departures() throws {
    serve(1...60)
    publish(1...60)
    try declare("orphans: remove, max_delete: 25%", world)
    func run(_ day: Int, _ options: String...) throws -> (CommandResult, JSONValue) {
      let options = ["--json", "--now", "2090-01-\(day < 10 ? "0" : "")\(day)T06:00:00Z"] + options
      let result = try home.command("run", options: options).run()
      return (result, try JSONValue(result.stdout))
    }
    #expect(try run(1).0.ending == .exited(0))
    publish(1...52)
    #expect(try run(2).1[path: "totals.removed"] == .number(8))
    publish(1...46)
    #expect(try run(3).1[path: "totals.removed"] == .number(6))
    // 8 and 6 and 2 are more than a quarter of the 60 that were there when the first of them left.
    publish(1...44)
    let (result, report) = try run(4)
    #expect(result.ending == .exited(12))
    #expect(report[path: "totals.removed"] == .number(0))
    let warning = report[path: "warnings"]?.description ?? ""
    #expect(
      warning.contains("2 items would be removed because their sources no longer list them, and 14 went"), "\(warning)")
    #expect(warning.contains("(15 of 60)") && warning.contains("--max-delete 16"), "\(warning)")
    // Removals that a person allows, and those that the passing of time allows.
    #expect(try run(4, "--max-delete", "16").1[path: "totals.removed"] == .number(2))
    publish(1...42)
    #expect(try run(5).0.ending == .exited(12))
    #expect(try run(12).1[path: "totals.removed"] == .number(2))
  }
}
