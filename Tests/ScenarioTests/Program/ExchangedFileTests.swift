// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Finished files that a person renamed over one another.
@Suite("files that exchanged their names")
struct ExchangedFileTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private static let names = ["a", "b", "c"]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
  }

  /// - Parameter seconds: The lengths of the items, which determine their sizes.
  private func fetch(_ seconds: [Double], storage: String = "{}") throws {
    for (name, length) in zip(Self.names, seconds) {
      server.serve("/\(name).mp3", Resource(bytes: Self.bytes(name, length)))
    }
    let items = Self.names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      """
      storage: \(storage)
      report: { m3u8: false }
      playlists: { all: { items: [\(items.joined(separator: ", "))] } }
      """)
    #expect(try home.run().result.ending == .exited(0))
    server.clearLog()
  }

  private static func bytes(_ name: String, _ seconds: Double) -> [UInt8] {
    GeneratedAudio(title: name, seconds: seconds, seed: name.utf8.reduce(7) { $0 * 31 + UInt64($1) }).bytes
  }

  /// Renames in order. An existing file is replaced, as by `mv`.
  private func rename(_ steps: (String, String)...) {
    for (from, to) in steps {
      #expect(Glibc.rename("\(home.library)/all/\(from).mp3", "\(home.library)/all/\(to).mp3") == 0)
    }
  }

  private func expectInPlace(_ seconds: [Double], location: SourceLocation = #_sourceLocation) throws {
    let paths = Set(Self.names.map { "all/\($0).mp3" })
    #expect(try Set(FileTree.files(home.library)) == paths, sourceLocation: location)
    #expect(try home.ownedPaths() == paths, sourceLocation: location)
    for (name, length) in zip(Self.names, seconds) {
      let isOwn = try FileBytes.read("\(home.library)/all/\(name).mp3") == Self.bytes(name, length)
      #expect(isOwn, "\(name)", sourceLocation: location)
    }
    #expect(try home.command("verify", "--deep").run().ending == .exited(0), sourceLocation: location)
  }

  @Test("two files of different sizes go back to their places, by the run itself, without a request")
  func swapped() throws {
    let seconds = [1.0, 2, 3]
    try fetch(seconds)
    rename(("a", "x"), ("b", "a"), ("x", "b"))
    let plan = try JSONValue(try home.command("plan", "--json").run().stdout)
    #expect(plan[path: "totals.move"] == .number(2) && plan[path: "totals.download"] == .number(0))
    #expect(plan[path: "changes[id=a].reason"] == .string("moved_by_hand"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.moved"] == .number(2))
    #expect(server.requests.isEmpty)
    try expectInPlace(seconds)
  }

  @Test("three files of different sizes that went round go back to their places")
  func rotated() throws {
    let seconds = [1.0, 2, 3]
    try fetch(seconds)
    rename(("a", "x"), ("b", "a"), ("c", "b"), ("x", "c"))
    #expect(try home.run().report[path: "totals.moved"] == .number(3))
    #expect(server.requests.isEmpty)
    try expectInPlace(seconds)
  }

  @Test("verify --repair --deep recognises two files of one size, and the next run moves them without a request")
  func swappedEqual() throws {
    let seconds = [1.0, 1, 1]
    try fetch(seconds)
    rename(("a", "x"), ("b", "a"), ("x", "b"))
    let shown = try home.command("verify", "--deep").run()
    #expect(shown.ending == .exited(3))
    #expect(
      shown.standardOutput.contains(
        "moved by hand: it is at \"all/b.mp3\"; a file of the same size is in its place, so no run notices it: "
          + "record it with --repair"), "\(shown)")
    let repaired = try home.command("verify", "--deep", "--repair").run()
    #expect(repaired.ending == .exited(0), "\(repaired)")
    #expect(try home.strays().isEmpty)
    #expect(try home.run().report[path: "totals.moved"] == .number(2))
    #expect(server.requests.isEmpty)
    try expectInPlace(seconds)
  }

  @Test(
    "verify --repair finds out which files went round, if two of them have one size, and nothing is fetched",
    arguments: [[], ["--deep"]])
  func rotatedEqual(flags: [String]) throws {
    let seconds = [1.0, 1, 2]
    try fetch(seconds)
    rename(("a", "x"), ("c", "a"), ("b", "c"), ("x", "b"))
    #expect(try home.run().report[path: "totals.moved"] == .number(0))
    let shown = try home.command("verify", options: flags).run()
    #expect(!shown.standardOutput.contains("the next run moves it to its place"), "\(shown)")
    let repaired = try home.command("verify", options: ["--repair"] + flags).run()
    #expect(repaired.ending == .exited(0), "\(repaired)")
    #expect(try home.strays().isEmpty)
    #expect(try home.run().report[path: "totals.moved"] == .number(3))
    #expect(server.requests.isEmpty)
    try expectInPlace(seconds)
  }

  @Test(
    "a file goes back from a free name to the place that another file took", arguments: [["run"], ["repair", "run"]])
  func displaced(ways: [String]) throws {
    let seconds = [1.0, 2, 3]
    try fetch(seconds)
    rename(("a", "x"), ("b", "a"))
    if ways.count > 1 { #expect(try home.command("verify", "--repair").run().ending == .exited(0)) }
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.moved"] == .number(2))
    #expect(server.requests.isEmpty)
    try expectInPlace(seconds)
  }

  @Test("verify --repair of one playlist leaves the file of another item alone")
  func repairedInPart() throws {
    let seconds = [1.0, 2, 3]
    try fetch(seconds)
    rename(("a", "x"), ("b", "a"), ("x", "b"))
    let repaired = try home.command("verify", "--repair", "--playlist", "all").run()
    #expect(repaired.ending == .exited(3), "\(repaired)")
    #expect(repaired.standardOutput.contains("the file of another item is in its place"), "\(repaired)")
    #expect(try home.run().report[path: "totals.moved"] == .number(2))
    #expect(server.requests.isEmpty)
    try expectInPlace(seconds)
  }

  @Test("verify --repair recognises two files of different sizes as a run does")
  func swappedRepaired() throws {
    let seconds = [1.0, 2, 3]
    try fetch(seconds)
    rename(("a", "x"), ("b", "a"), ("x", "b"))
    let repaired = try home.command("verify", "--repair").run()
    #expect(repaired.ending == .exited(0), "\(repaired)")
    #expect(try home.run().report[path: "totals.moved"] == .number(2))
    #expect(server.requests.isEmpty)
    try expectInPlace(seconds)
  }

  @Test(
    "a file renamed over another goes back, and only the other is fetched",
    arguments: [[1.0, 2, 3], [1, 1, 1]], ["run", "repair", "deep"])
  func renamedOver(seconds: [Double], way: String) throws {
    try fetch(seconds)
    rename(("a", "b"))
    switch way {
    case "repair": #expect(try home.command("verify", "--repair").run().ending == .exited(0))
    case "deep": #expect(try home.command("verify", "--repair", "--deep").run().ending == .exited(0))
    default: break
    }
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.moved"] == .number(1) && report[path: "totals.downloaded"] == .number(1))
    #expect(server.requests.map(\.path) == ["/b.mp3"])
    try expectInPlace(seconds)
  }

  @Test("a chain of files of one size goes back, and only the one whose contents are gone is fetched")
  func chain() throws {
    let seconds = [1.0, 1, 1]
    try fetch(seconds)
    rename(("b", "c"), ("a", "b"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.moved"] == .number(2))
    #expect(server.requests.map(\.path) == ["/c.mp3"])
    try expectInPlace(seconds)
  }

  @Test("a file that a person edited stays as it is, also beside another that was edited")
  func edited() throws {
    let seconds = [1.0, 2, 3]
    try fetch(seconds)
    let other = Self.bytes("x", 2)
    try FileBytes.write(other, to: "\(home.library)/all/a.mp3")
    try FileBytes.write(Self.bytes("y", 1), to: "\(home.library)/all/b.mp3")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.moved"] == .number(0) && server.requests.isEmpty)
    #expect(try FileBytes.read("\(home.library)/all/a.mp3") == other)
  }

  @Test("a copy of a file over another is not moved, because the first is in its place")
  func copied() throws {
    let seconds = [1.0, 2, 3]
    try fetch(seconds)
    try FileBytes.write(Self.bytes("a", 1), to: "\(home.library)/all/b.mp3")
    #expect(try home.run().report[path: "totals.moved"] == .number(0))
    #expect(server.requests.isEmpty)
    #expect(try home.command("verify", "--repair").run().ending == .exited(0))
    #expect(try home.run().report[path: "totals.downloaded"] == .number(1))
    try expectInPlace(seconds)
  }

  @Test(
    "a run that is killed while two files change places loses neither", .requires(.strace),
    arguments: ["renameat2", "fsync", "pwrite64"])
  func killed(call: String) throws {
    let seconds = [1.0, 2, 3]
    try fetch(seconds)
    rename(("a", "x"), ("b", "a"), ("x", "b"))
    try KillSweep(home: home, call: call).run { _ in try expectInPlace(seconds) }
    #expect(server.requests.isEmpty)
  }
}
