// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("files that are taken over")
struct AdoptionTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let bytes = GeneratedAudio(title: "Same", seconds: 1, seed: 4).bytes

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    for name in ["a", "b"] { server.serve("/\(name).mp3", Resource(bytes: bytes)) }
    try FileBytes.write(bytes, to: "\(home.library)/all/Same.mp3")
  }

  private func declare(_ extra: String = "") throws {
    let items = ["a", "b"].map { name in
      "{ id: \(name), title: Same, url: \"\(server.url("/\(name).mp3"))\", size: \(bytes.count)\(name == "b" ? extra : "") }"
    }
    try home.declare("playlists: { all: { items: [\(items.joined(separator: ", "))] } }")
  }

  private func expectOwnFiles(_ report: JSONValue) throws {
    #expect(report[path: "totals.adopted"] == .number(1) && report[path: "totals.downloaded"] == .number(1))
    #expect(try home.ownedPaths().count == 2)
    #expect(try home.editing("remove", "a").run().ending == .exited(0))
    #expect(try FileBytes.read("\(home.library)/\(try home.ownedPaths().first ?? "")") == bytes)
  }

  @Test("become one item's, however many they would suit")
  func once() throws {
    try declare()
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try home.list()["a"]?[path: "path"] == .string("all/Same.mp3"))
    try expectOwnFiles(report)
  }

  @Test("become the item's that proves more than a size")
  func better() throws {
    let sum = try #require(Tool("sha256sum").command(["\(home.library)/all/Same.mp3"])).run().standardOutput.prefix(64)
    try declare(", checksum: \"sha256:\(sum)\"")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try home.list()["b"]?[path: "path"] == .string("all/Same.mp3"))
    try expectOwnFiles(report)
  }
}
