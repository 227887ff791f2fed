// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("subscriptions at a server of the gpodder.net API")
struct SubscriptionTests {
  private let house: Household

  init() throws {
    house = try Household()
    house.serveFeed("/one.xml", title: "One")
    house.serveFeed("/two.xml", title: "Two")
  }

  private func feed(_ name: String) -> String { house.origin.url("/\(name).xml") }

  /// - Parameter history: The history of the server. Empty for none.
  private func declare(
    _ url: String, user: String = GpodderServer.user, password: String = GpodderServer.password, history: String = "",
    _ playlists: String...
  ) throws {
    try house.home.declare(
      """
      servers:
        pods: { type: gpodder, url: "\(url)", device: car, auth: { user: "\(user)", password: \(password) } }
      \(history.isEmpty ? "" : "history: [ { server: pods, \(history) } ]")
      storage: { min_free: 0, orphans: keep }
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        \(playlists.joined(separator: "\n  "))
      """)
  }

  private let phone = "phone: { gpodder: { server: pods }, select: { initial: 1 } }"

  /// The names of the playlists that the report knows.
  private func sources(_ report: JSONValue) -> [String] {
    guard case .array(let sources)? = report[path: "sources"] else { return [] }
    return sources.compactMap { if case .string(let name)? = $0[path: "playlist"] { name } else { nil } }.sorted()
  }

  @Test("each becomes a playlist, and one that ends is handled as one that left", arguments: GpodderServer.API.allCases)
  func source(_ api: GpodderServer.API) throws {
    let pods = try GpodderServer(api)
    pods.subscribe(to: feed("one"), feed("two"))
    try declare(pods.url, phone)
    let report = try house.run(at: 0)
    let names = sources(report)
    #expect(names.count == 3 && names.allSatisfy { $0 == "phone" || $0.hasPrefix("phone/") }, "\(report)")
    #expect(report[path: "totals.downloaded"] == .number(1), "they have the same episodes")
    pods.subscribe(to: feed("two"))
    #expect(sources(try house.run(at: 1)).count == 2)
    #expect(pods.server.requests.allSatisfy { $0.method == "GET" })
    #expect(house.origin.requests.allSatisfy { $0.authorization == nil })
  }

  @Test(
    "a server that does not answer with its subscriptions removes nothing",
    arguments: [
      Behaviour.status(500), .status(401), .status(200, body: "<html>Login</html>"), .status(200, body: "[]"),
      .status(200, body: ""), .breakOff(after: 20),
    ], GpodderServer.API.allCases)
  func trouble(_ behaviour: Behaviour, _ api: GpodderServer.API) throws {
    let pods = try GpodderServer(api)
    pods.subscribe(to: feed("one"), feed("two"))
    try declare(pods.url, phone)
    try house.run(at: 0)
    let path = api == .gpodder ? "/subscriptions/anna%20b.opml" : "/index.php/apps/gpoddersync/subscriptions"
    pods.script(path, [behaviour, .honest])
    let result = try house.command(at: 1).run()
    #expect(result.ending == .exited(3) || result.ending == .exited(5), "\(result.standardOutput)")
    let report = try JSONValue(result.stdout)
    #expect(sources(report).count == 3 && report[path: "totals.removed"] != .number(1), "\(report)")
    #expect(try house.run(at: 2)[path: "totals.failed"] == .number(0))
  }

  @Test("feeds of the manifest are told once, and never unsubscribed", arguments: GpodderServer.API.allCases)
  func push(_ api: GpodderServer.API) throws {
    let pods = try GpodderServer(api)
    pods.subscribe(to: "https://other.example/feed")
    let (one, two) = ("one: { feed: \"\(feed("one"))\" }", "two: { feed: \"\(feed("two"))\" }")
    try declare(pods.url, history: "direction: pull", one, two)
    try house.run(at: 0)
    #expect(pods.feeds.count == 1)
    try declare(pods.url, history: "direction: pull, subscribe: true", one, two)
    let report = try house.run(at: 1)
    #expect(Household.entry(report, "subscribed") == 2, "\(report)")
    #expect(Set(pods.feeds) == ["https://other.example/feed", feed("one"), feed("two")])
    // A person ends it on a phone.
    pods.subscribe(to: "https://other.example/feed", feed("two"))
    try house.run(at: 2)
    #expect(pods.feeds.count == 2)
    try declare(pods.url, history: "direction: pull, subscribe: true", two)
    try house.run(at: 3)
    try declare(pods.url, history: "direction: pull, subscribe: true", one, two)
    let text = try house.home.command("run", "--now", Household.time(4)).run().standardOutput
    #expect(text.contains("pods: subscribed to 1 feed."), "\(text)")
    #expect(pods.feeds.count == 3, "it is in the manifest again")
  }

  @Test("what the server lists is not sent back to it; an address with a password is not sent")
  func ownFeeds() throws {
    let pods = try GpodderServer()
    pods.subscribe(to: feed("one"))
    let secret = feed("two").replacing("http://", with: "http://anna:geheim@")
    try declare(pods.url, history: "subscribe: true", phone, "two: { feed: \"\(secret)\" }")
    let report = try house.run(at: 0)
    #expect(Household.entry(report, "subscribed") == nil, "\(report)")
    #expect(pods.server.requests.allSatisfy { $0.method == "GET" })
  }

  @Test("a server that fails is told in the next run; a feed that it refuses is said once")
  func troubles() throws {
    let pods = try GpodderServer()
    let playlists = ["one", "two", "feed"].map { "\($0): { feed: \"\(feed($0))\" }" }
    try declare(pods.url, history: "subscribe: true", playlists[0], playlists[1], playlists[2])
    let path = "/api/2/subscriptions/anna%20b/car.json"
    pods.script(path, [.status(500), .honest])
    let result = try house.command(at: 0).run()
    #expect(
      result.ending == .exited(5)
        && result.standardOutput.contains(
          "pods could not be told of feed, one, two, and the next run tries again: the server answered 500"),
      "\(result.standardOutput)")
    pods.refuse(feed("two"))
    let next = try house.command(at: 1).run()
    #expect(
      next.ending == .exited(3)
        && next.standardOutput.contains("pods does not take the subscription to two; it is not told of it again"),
      "\(next.standardOutput)")
    #expect(pods.feeds.sorted() == [feed("feed"), feed("one")])
    let count = pods.server.requests(to: path).count
    try house.run(at: 2)
    #expect(pods.server.requests(to: path).count == count)
  }

  @Test("a server that refuses everything is not the place that was meant")
  func refusesAll() throws {
    let pods = try GpodderServer()
    try declare(pods.url, history: "subscribe: true", "one: { feed: \"\(feed("one"))\" }")
    pods.refuse(feed("one"))
    let result = try house.command(at: 0).run()
    #expect(
      result.ending == .exited(3) && result.standardOutput.contains("the server refuses them"),
      "\(result.standardOutput)")
    #expect(try house.command(at: 1).run().ending == .exited(3))
  }
}

@Suite("subscriptions and kills", .requires(.strace))
struct SubscriptionKillTests {
  @Test("a feed arrives, wherever the run is killed", arguments: ["fsync", "pwrite64", "sendto", "recvfrom"])
  func killed(call: String) throws {
    let (house, pods) = (try Household(), try GpodderServer())
    try house.declare(pods, "pull")
    try house.run(at: 0)
    try house.declare(pods, "pull, subscribe: true")
    var sweep = KillSweep(home: house.home, call: call)
    sweep.command = house.command(at: 1)
    sweep.reset = { pods.forget() }
    try sweep.run { (moment: String) throws in #expect(pods.feeds == [house.feed], "\(moment)") }
  }
}

@Suite("subscriptions at a real server", .requires(.gpodder), .requires(.curl))
struct SubscriptionPeerTests {
  @Test("of a phone become playlists, and those of the manifest arrive")
  func bothWays() throws {
    let peer = try GpodderPeer()
    let house = try Household()
    house.serveFeed("/one.xml", title: "One")
    let one = house.origin.url("/one.xml")
    let sent = try peer.post(
      "/api/2/subscriptions/\(GpodderPeer.user)/phone.json", #"{"add":["\#(one)"],"remove":[]}"#)
    #expect(sent.ending == .exited(0), "\(sent.standardError)")
    try house.declare(
      peer.url, user: GpodderPeer.user, password: GpodderPeer.password, "both, subscribe: true",
      playlists: "  phone: { gpodder: { server: pods } }\n")
    let report = try house.run(at: 0)
    #expect(Household.entry(report, "subscribed") == 1, "\(report)")
    let list = try peer.subscriptions()
    #expect(list.contains(one) && list.contains(house.feed), "\(list)")
    #expect(try house.run(at: 1)[path: "history.0.subscribed"] == nil)
  }
}
