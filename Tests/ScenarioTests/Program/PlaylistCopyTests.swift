// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a playlist file that somebody copied")
struct PlaylistCopyTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b")
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

  @Test("is named once by each run if it has the name of a playlist's file, and the status stays")
  func warned() throws {
    try FileBytes.write("#EXTM3U\n", to: list("Hills"))
    try declare("Hills")
    for _ in 1...2 {
      let result = try home.command("run").run()
      #expect(result.ending == .exited(0))
      let count = result.standardOutput.ranges(
        of: "\"Hills.m3u8\" is not a file of syncjob and is left alone; the playlist file of roads is"
          + " \"Hills [roads].m3u8\" instead; move the other file away to have it there"
      ).count
      #expect(count == 1, "\(result.standardOutput)")
    }
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

  @Test("is that person's in XSPF, too")
  func xspf() throws {
    func declare(_ title: String) throws {
      try home.declare(
        """
        report: { m3u8: false, xspf: true }
        playlists: { roads: { title: \(title), items: [{ id: a, title: a & b, url: "\(server.url("/a.mp3"))" }] } }
        """)
      try run()
    }
    func path(_ name: String) -> String { "\(home.library)/\(name).xspf" }
    try declare("Roads")
    let copy = try FileBytes.read(path("Roads"))
    let text = String(decoding: copy, as: UTF8.self)
    #expect(text.contains("<location>Roads/a%20%26%20b.mp3</location>\n      <title>a &amp; b</title>"), "\(text)")
    for name in ["My copy", "Hills"] { try FileBytes.write(copy, to: path(name)) }
    try declare("Hills")
    for name in ["My copy", "Hills"] { #expect(try FileBytes.read(path(name)) == copy) }
    #expect(try FileBytes.text(path("Hills [roads]")).contains("<location>Hills/a%20%26%20b.mp3</location>"))
    let names = try FileTree.names(home.library)
    #expect(!names.contains("Roads.xspf") && !names.contains { $0.hasSuffix(".m3u8") }, "\(names)")
  }
}
