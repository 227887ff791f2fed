// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("a list of local files")
struct LocalListTests {
  private let home: LibraryFixture

  init() throws {
    home = try LibraryFixture()
    try write(audio: "music/a b.mp3")
    try write(audio: "other/c.mp3")
    try declare("./lists/l.m3u8")
  }

  private func write(audio name: String, seconds: Double = 1) throws {
    let audio = GeneratedAudio(title: name, seconds: seconds, seed: 7)
    try FileBytes.write(audio.bytes, to: home.folder.file("lists/\(name)"))
  }

  private func declare(_ list: String, keys: String = "") throws {
    try home.declare("playlists: { road: { title: Road, list: \(list)\(keys) } }")
  }

  private func write(_ lines: String...) throws {
    try FileBytes.write("#EXTM3U\n" + lines.joined(separator: "\n"), to: home.folder.file("lists/l.m3u8"))
  }

  @discardableResult
  private func run(_ status: Int32 = 0) throws -> JSONValue {
    let result = try home.command("run", "--json").run()
    #expect(result.ending == .exited(status), "\(result.standardError) \(result.standardOutput)")
    return try JSONValue(result.stdout)
  }

  private var names: [String] {
    get throws { try home.ownedPaths().map { String($0.split(separator: "/").last ?? "") }.sorted() }
  }

  @Test("is copied once, whatever happens to the files later")
  func copies() throws {
    try write("#EXTINF:1,One", "music/a b.mp3", home.folder.file("lists/other/c.mp3"))
    let report = try run()
    #expect(report[path: "totals.downloaded"] == .number(2))
    #expect(try names == ["One.mp3", "c.mp3"] && home.strays().isEmpty)
    let source = try FileBytes.read(home.folder.file("lists/music/a b.mp3"))
    let isSame = try FileBytes.read("\(home.library)/Road/One.mp3") == source
    #expect(isSame)
    #expect(try run()[path: "totals.unchanged"] == .number(2))
    try write(audio: "music/a b.mp3", seconds: 3)
    unlink(home.folder.file("lists/other/c.mp3"))
    try write("#EXTINF:2,Two", "music/a b.mp3", "other/c.mp3")
    #expect(try run()[path: "totals.downloaded"] == .number(0))
    #expect(try names == ["Two.mp3", "c.mp3"])
  }

  @Test("whose files are all outside fails for good, and names the remedy")
  func allOutside() throws {
    try write("#EXTINF:1,One", "../../a.mp3", "#EXTINF:1,Two", "../../b.mp3")
    let report = try run(3)
    let warning = report[path: "warnings.0"]?.description ?? ""
    #expect(warning.contains("each of the 2 files of the list lies outside of its folder and its roots"), "\(report)")
  }

  @Test("names nothing outside its folder, not even through a link, and more with roots")
  func outside() throws {
    try FileBytes.write("secret", to: home.folder.file("secret"))
    try write(audio: "../far/d.mp3")
    symlink("../../far/d.mp3", home.folder.file("lists/music/link.mp3"))
    try write("music/link.mp3", "../secret", "/etc/shadow", "../far/d.mp3")
    let report = try run(3)
    #expect(report[path: "items.0.error.kind"] == .string("forbidden_address"))
    #expect(report[path: "sources.0.flaws.0.kind"] == .string("outside_roots"))
    #expect(try names == [])
    try declare("{ path: ./lists/l.m3u8, roots: [far] }")
    try run(3)
    #expect(try names == ["d.mp3"])
  }

  @Test("from a URL names no local file")
  func remote() throws {
    let server = try FaultServer()
    let path = home.folder.file("lists/music/a b.mp3")
    server.serve("/l.m3u8", Resource(bytes: Array("#EXTM3U\nfile://\(path)\n".utf8)))
    try declare("\"\(server.url("/l.m3u8"))\"")
    let report = try run(5)
    #expect(report[path: "sources.0.flaws.0.kind"] == .string("local_file"))
    #expect(try names == [])
  }

  @Test("fails with its file, and tries again in the next run when the file is back")
  func vanished() throws {
    try write("music/gone.mp3", "music/a b.mp3")
    let report = try run(3)
    #expect(report[path: "items.0.error.kind"] == .string("io"))
    #expect(try names == ["a b.mp3"])
    try write(audio: "music/gone.mp3")
    try run()
    #expect(try names == ["a b.mp3", "gone.mp3"])
  }

  @Test("keeps to the largest size, and takes another location if the first is gone")
  func alternatives() throws {
    try home.declare(
      "downloads: { max_item_size: 20KB }\nplaylists: { road: { title: Road, list: ./lists/l.xspf } }")
    try write(audio: "music/long.mp3", seconds: 30)
    try FileBytes.write(
      """
      <playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>
      <track><location>music/gone.mp3</location><location>music/a%20b.mp3</location><title>One</title></track>
      <track><location>music/long.mp3</location><title>Long</title></track></trackList></playlist>
      """, to: home.folder.file("lists/l.xspf"))
    let report = try run(3)
    #expect(report[path: "totals.alternatives_used"] == .number(1))
    #expect(report[path: "items.1.error.kind"] == .string("too_large"))
    #expect(try names == ["One.mp3"] && home.strays().isEmpty)
  }

  @Test("in the library itself adopts the files that are in their places")
  func adopted() throws {
    try write(audio: "../library/Road/x.mp3")
    try FileBytes.write("Road/x.mp3\n", to: "\(home.library)/in.m3u8")
    try declare("./library/in.m3u8")
    let before = try FileBytes.read("\(home.library)/Road/x.mp3")
    #expect(try run()[path: "totals.adopted"] == .number(1))
    let isSame = try FileBytes.read("\(home.library)/Road/x.mp3") == before
    #expect(isSame)
    #expect(try names == ["x.mp3"])
  }
}
