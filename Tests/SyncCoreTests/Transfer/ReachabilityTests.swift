// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("whether anything can be reached")
struct ReachabilityTests {
  typealias Row = (
    notes: [(Reachability.Evidence, String)], hasRoute: Bool?, isOffline: Bool, isOfflineAfterRetries: Bool
  )

  @Test(
    "one request in vain is the network's fault without a way out; two hosts' with one, once nothing is left to try")
  func rule() {
    let rows: [Row] = [
      ([], false, false, false),
      ([(.unreached, "a")], false, true, true),
      ([(.unreached, "a")], true, false, false),
      ([(.unreached, "a")], nil, false, false),
      ([(.unreached, "a"), (.unreached, "a")], true, false, false),
      ([(.unreached, "a"), (.unreached, "b")], true, false, true),
      ([(.unreached, "a"), (.unreached, "b")], nil, false, true),
      ([(.unreached, "a"), (.unreached, "b"), (.answered, "a")], false, false, false),
      ([(.answered, "a"), (.unreached, "b"), (.unreached, "c")], true, false, false),
      ([(.unreached, "127.0.0.1")], false, false, false),
      ([(.unreached, "127.0.0.1"), (.unreached, "::1"), (.unreached, "localhost")], true, false, false),
      ([(.unreached, "a"), (.answered, "localhost")], false, false, false),
    ]
    for row in rows {
      var reachability = Reachability()
      for (evidence, host) in row.notes { reachability.note(evidence, host: host) }
      #expect(reachability.isOffline(hasRoute: row.hasRoute) == row.isOffline, "\(row)")
      #expect(reachability.isOfflineAfterRetries(hasRoute: row.hasRoute) == row.isOfflineAfterRetries, "\(row)")
    }
  }

  @Test(
    "this machine is known by its names and addresses",
    arguments: [
      ("localhost", true), ("a.localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true),
      ("::ffff:127.0.0.1", true), ("notlocalhost", false), ("localhost.example", false), ("10.0.0.1", false),
      ("::2", false), ("fe80::1", false),
    ])
  func local(host: String, isLocal: Bool) { #expect(Reachability.isLocal(host) == isLocal) }

  @Test("a manifest needs a network when it names another machine, or a file that may")
  func needs() throws {
    func needs(_ urls: [String], feed: ListingLocation? = nil) throws -> (Bool, Bool) {
      var world = World()
      for (index, url) in urls.enumerated() { try world.name(try item("i\(index)", url: url)) }
      if let feed {
        world.manifest.playlists.append(
          Playlist(name: try playlistName("feed"), source: .listing(.feed, at: feed)))
      }
      return (world.manifest.needsNetwork, world.manifest.namesLocalHost)
    }
    #expect(try needs([]) == (false, false))
    #expect(try needs(["http://localhost/a"]) == (false, true))
    #expect(try needs(["http://localhost/a", "http://a.example/b"]) == (true, true))
    #expect(try needs(["http://a.example/b"]) == (true, false))
    #expect(try needs([], feed: .file("/x.rss")) == (true, false))
    #expect(try needs([], feed: .remote(try RemoteURL("http://127.0.0.1/x.rss"))) == (false, true))
    #expect(try needs([], feed: .remote(try RemoteURL("http://a.example/x.rss"))) == (true, false))
  }

  @Test("a proxy on this machine may have a way out of its own")
  func proxy() throws {
    var world = World()
    try world.name(try item("i", url: "http://a.example/b"))
    for (proxy, isLocal) in [("socks5h://127.0.0.1:9050", true), ("http://proxy.example:3128", false)] {
      world.manifest.downloads.proxy = .url(try #require(ProxyURL(proxy)))
      #expect(world.manifest.needsNetwork == !isLocal)
      #expect(world.manifest.namesLocalHost == isLocal)
    }
  }

  @Test("offline is said in place of each source's own trouble, and ends a run with 5")
  func report() throws {
    let source = Warning.sourceNotWhole(try playlistName("pod"), .unreachable(.dns(host: "a")))
    for warnings in [[source, .offline], [.offline, source]] {
      var report = RunReport(runID: "1", name: "car", startedAt: World.start)
      for warning in warnings { report.fold(.warned(warning)) }
      #expect(report.warnings == [.offline])
      #expect(report.statusOfItems == .temporary)
    }
  }
}
