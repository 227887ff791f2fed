// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a playlist file that somebody copied")
struct PlaylistCopyTests {
  private let home: Household
  private let server: FaultServer

  init() throws {
    home = try Household()
    server = try FaultServer()
    for name in ["a", "b"] {
      server.serve("/\(name).mp3", Resource(bytes: GeneratedAudio(title: name, seconds: 1, seed: 1).bytes))
    }
    try declare("Roads")
  }

  private func declare(_ title: String, _ items: [String] = ["a"]) throws {
    let items = items.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare("playlists: { roads: { title: \(title), items: [\(items.joined(separator: ", "))] } }")
  }

  private func run() throws { #expect(try home.run().result.ending == .exited(0)) }

  private func list(_ name: String) -> String { "\(home.library)/\(name).m3u8" }

  @Test("is that person's, whatever becomes of the one it was copied from", arguments: ["roads", "My copy", "Hills"])
  func copied(name: String) throws {
    try run()
    let copy = try FileBytes.read(list("Roads"))
    try FileBytes.write(copy, to: list(name))
    try declare("Hills", ["a", "b"])
    try run()
    #expect(try FileBytes.read(list(name)) == copy)
    let ours = try FileBytes.text(list(name == "Hills" ? "Hills [roads]" : "Hills"))
    #expect(ours.hasSuffix("Hills/a.mp3\n#EXTINF:-1,b\nHills/b.mp3\n"), "\(ours)")
    // Our file was removed together with its title.
    #expect(try FileTree.names(home.library).filter { $0 == "Roads.m3u8" }.isEmpty)
  }

  @Test("stays when its playlist goes; ours does not")
  func orphaned() throws {
    try run()
    let copy = try FileBytes.read(list("Roads"))
    try FileBytes.write(copy, to: list("My copy"))
    try home.declare("storage: { orphans: remove }\nplaylists: {}")
    try run()
    #expect(try FileBytes.read(list("My copy")) == copy)
    #expect(try !FileTree.names(home.library).contains("Roads.m3u8"))
  }
}
