// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the folders whose files a list may name")
struct LocalRootsTests {
  private func file(_ path: String) throws -> RemoteURL { try RemoteURL(file: path.utf8) }

  @Test("are that of the list and the declared ones, with everything below")
  func places() throws {
    let roots = LocalRoots(list: "/m/lists/l.m3u", others: ["/n/", "/m"])
    #expect(roots.paths == ["/m/lists", "/n", "/m"])
    let place = try #require(roots.places(of: file("/m/lists/x/a b.mp3")).first)
    #expect(place.root == "/m/lists/" && place.path == Array("x/a b.mp3".utf8))
    #expect(try roots.places(of: file("/m/lists/x")).count == 2)
    for path in ["/n", "/nn/a", "/etc/shadow", "/m/../a"] { #expect(try !roots.contain(file(path))) }
    #expect(try !roots.contain(RemoteURL("https://m/lists/a")))
  }

  @Test("may be the root of the file system, and none at all")
  func extremes() throws {
    #expect(try LocalRoots(list: "/l.m3u").contain(file("/etc/a")))
    #expect(try LocalRoots(list: "/m/l.m3u", others: ["/"]).contain(file("/etc/a")))
    #expect(try LocalRoots().isEmpty && !LocalRoots().contain(file("/a")))
  }

  @Test("belong to a list in a file only")
  func sources() throws {
    #expect(Playlist.Source.listing(.list, at: .file("/m/l")).localRoots == LocalRoots(list: "/m/l"))
    #expect(Playlist.Source.list(path: "/m/l", roots: ["/n"]).localRoots == LocalRoots(list: "/m/l", others: ["/n"]))
    #expect(Playlist.Source.listing(.feed, at: .file("/m/l")).localRoots.isEmpty)
    #expect(Playlist.Source.listing(.list, at: .remote(try RemoteURL("https://a.example/l"))).localRoots.isEmpty)
  }
}
