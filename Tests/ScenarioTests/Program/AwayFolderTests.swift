// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// A folder of the library that is away for a run, and back before the next one.
@Suite("a folder that is away for one run")
struct AwayFolderTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let names = ["a", "b", "c"]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in names { server.serve("/\(name).mp3", Resource(bytes: Self.bytes(name))) }
    try declare()
    #expect(try home.run().result.ending == .exited(0))
  }

  /// All files have one size, so that a size alone proves nothing.
  private static func bytes(_ name: String) -> [UInt8] {
    GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(7) { $0 * 31 + UInt64($1) }).bytes
  }

  private func declare(_ storage: String = "{}", listing listed: [String] = ["a", "b", "c"]) throws {
    let items = listed.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      """
      storage: \(storage)
      downloads: { retries: 0 }
      report: { m3u8: false }
      playlists: { all: { items: [\(items.joined(separator: ", "))] } }
      """)
  }

  private func takeAway() { #expect(rename("\(home.library)/all", home.folder.file("all")) == 0) }

  /// - Parameter folder: The new name of the folder.
  private func bringBack(as folder: String = "all") {
    // The run may have left an empty folder in its place.
    #expect(rmdir("\(home.library)/\(folder)") == 0 || errno == ENOENT)
    #expect(rename(home.folder.file("all"), "\(home.library)/\(folder)") == 0)
  }

  private func answer(_ behaviour: Behaviour) {
    for name in names { server.script("/\(name).mp3", [behaviour]) }
  }

  private func expectAllBack(adopted: Int = 3, moved: Int = 0, location: SourceLocation = #_sourceLocation) throws {
    answer(.honest)
    server.clearLog()
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)", sourceLocation: location)
    #expect(server.requests.isEmpty, sourceLocation: location)
    #expect(report[path: "totals.adopted"] == .number(Double(adopted)), sourceLocation: location)
    #expect(report[path: "totals.moved"] == .number(Double(moved)), sourceLocation: location)
    let paths = Set(names.map { "all/\($0).mp3" })
    #expect(try Set(FileTree.files(home.library)) == paths, sourceLocation: location)
    #expect(try home.ownedPaths() == paths, sourceLocation: location)
    let lines = String(decoding: try home.queueFile(), as: UTF8.self)
    #expect(!lines.contains("\"lost\":"), "a file that is back is not lost", sourceLocation: location)
  }

  @Test(
    "its files are adopted when it returns, whatever the server answered meanwhile",
    arguments: [(404, Int32(3)), (410, 3), (503, 5), (401, 3)])
  func refused(status: Int, ending: Int32) throws {
    takeAway()
    answer(.status(status))
    #expect(try home.run().result.ending == .exited(ending))
    bringBack()
    try expectAllBack()
  }

  @Test("its files are adopted after a run that was not to download")
  func noDownload() throws {
    takeAway()
    #expect(try home.command("run", "--no-download").run().ending == .exited(0))
    bringBack()
    try expectAllBack()
  }

  @Test("its files are adopted after several such runs and a retry in between")
  func retried() throws {
    takeAway()
    answer(.status(404))
    #expect(try home.run().result.ending == .exited(3))
    try home.retryAll()
    #expect(try home.run().result.ending == .exited(3))
    try home.retryAll()
    bringBack()
    try expectAllBack()
  }

  @Test("its files are adopted by failed items without any retry, and a plan says so")
  func failed() throws {
    takeAway()
    answer(.status(404))
    #expect(try home.run().result.ending == .exited(3))
    bringBack()
    let plan = try JSONValue(try home.command("plan", "--json").run().stdout)
    #expect(plan[path: "totals.adopt"] == .number(3) && plan[path: "totals.download"] == .number(0))
    try expectAllBack()
  }

  @Test("its files are found under another name, and go back to their places")
  func renamed() throws {
    takeAway()
    answer(.status(404))
    #expect(try home.run().result.ending == .exited(3))
    bringBack(as: "elsewhere")
    try expectAllBack(adopted: 0, moved: 3)
  }

  @Test("its files are adopted after verify --repair and a cancellation that was taken back")
  func repaired() throws {
    takeAway()
    answer(.status(404))
    #expect(try home.command("verify", "--repair").run().ending == .exited(0))
    try home.edit("cancel", "a")
    try home.edit("retry", "a")
    bringBack()
    try expectAllBack()
  }

  @Test("a file that returns for an item that no playlist names any more belongs to that item, not to a stranger")
  func unnamed() throws {
    takeAway()
    answer(.status(404))
    #expect(try home.run().result.ending == .exited(3))
    try declare(listing: ["b", "c"])
    #expect(try home.run().result.ending == .exited(3))
    #expect(try home.list()["a"]?[path: "state"] == .string("removed"))
    bringBack()
    try expectAllBack()
  }

  @Test("another file of the same size at the place of a lost one is not adopted")
  func otherFile() throws {
    takeAway()
    #expect(try home.command("run", "--no-download").run().ending == .exited(0))
    bringBack()
    try FileBytes.write(Self.bytes("x"), to: "\(home.library)/all/a.mp3")
    server.clearLog()
    #expect(try home.run().report[path: "totals.adopted"] == .number(2))
    #expect(server.requests.map(\.path) == ["/a.mp3"])
    #expect(try FileBytes.read("\(home.library)/all/a.mp3") == Self.bytes("x"))
  }

  @Test("a file that was fetched again is not lost any more, and the old one stays a stranger")
  func fetchedMeanwhile() throws {
    takeAway()
    #expect(try home.run().report[path: "totals.downloaded"] == .number(3))
    #expect(rename(home.folder.file("all"), "\(home.library)/old") == 0)
    server.clearLog()
    #expect(try home.run().result.ending == .exited(0))
    #expect(server.requests.isEmpty)
    #expect(try FileTree.files(home.library).count == 6)
  }
}
