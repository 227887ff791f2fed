// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a server that keeps the history")
struct ServerHistoryTests {
  private let house: Household
  private let pods: GpodderServer

  init() throws { (house, pods) = (try Household(), try GpodderServer()) }

  private func play(_ id: String, at: String? = "2026-11-20T10:00:00", started: Int? = 0, position: Int? = 600) {
    pods.report(
      .init(
        podcast: house.feed, episode: house.origin.url("/\(id).mp3"), device: "phone", timestamp: at, started: started,
        position: position, total: 600))
  }

  @Test("plays on other devices count once, whatever the server tells again", arguments: GpodderServer.API.allCases)
  func pulls(_ api: GpodderServer.API) throws {
    let pods = try GpodderServer(api)
    try house.declare(pods, "pull")
    pods.report(
      .init(
        podcast: house.feed, episode: house.origin.url("/a.mp3"), device: "phone", timestamp: "2026-11-20T10:00:00"),
      .init(
        podcast: house.feed, episode: house.origin.url("/b.mp3"), device: "phone", timestamp: "2026-11-20T10:00:00Z",
        started: 0, position: 100, total: 600),
      .init(podcast: "http://h/f", episode: "http://h/e.mp3", device: "phone", timestamp: "2026-11-20T10:00:00"),
      .init(podcast: house.feed, episode: house.origin.url("/c.mp3"), device: "phone", timestamp: nil))
    let report = try house.run()
    let counts = ["read", "counted", "unheard", "unmatched", "passed_over"].map { Household.entry(report, $0) }
    #expect(counts == [3, 1, 1, 1, 1], "\(report)")
    #expect(report[path: "history.0.server"] == .string("pods") && report[path: "history.0.pushed"] == nil)
    #expect(try house.plays("news:a") == 1 && house.plays("news:b") == 0)
    #expect(try house.home.list()["news:b"]?[path: "play_position"] == .number(100))
    #expect(Household.entry(try house.run(), "known") == 1)
    #expect(try house.plays("news:a") == 1)
    #expect(pods.pushed.isEmpty)
  }

  @Test("an episode that was played in parts counts once; the overlap reaches what a device reported late")
  func parts() throws {
    try house.declare(pods)
    try house.run()
    play("a", at: "2026-11-20T10:00:00", started: 0, position: 200)
    play("a", at: "2026-11-20T10:10:00", started: 200, position: 400)
    play("a", at: "2026-11-20T10:20:00", started: 400, position: 600)
    #expect(Household.entry(try house.run(), "counted") == 1)
    play("b", at: "2026-11-10T10:00:00")
    #expect(Household.entry(try house.run(), "counted") == 1)
    #expect(pods.pushed.isEmpty, "a play from a server is not pushed to it")
  }

  @Test("plays are pushed once, but not earlier ones than the server, nor those of items in no feed")
  func pushes() throws {
    try house.declare(pods, "pull")
    try house.run(at: 0)
    try house.play("news:a", at: 1)
    try house.run(at: 2)
    try house.declare(pods)
    #expect(try house.run(at: 3)[path: "history.0.pushed"] == nil)
    try house.play("news:b", at: 4)
    try house.play("own", at: 4)
    let plan = try house.home.command("plan", "--now", Household.time(5)).run()
    #expect(plan.ending == .exited(0) && pods.pushed.isEmpty, "\(plan.standardError)")
    let report = try house.run(at: 5)
    #expect(Household.entry(report, "pushed") == 1 && Household.entry(report, "waiting") == 0, "\(report)")
    let pushed = try #require(pods.actions.first)
    #expect(pushed.podcast == house.feed && pushed.episode == house.origin.url("/b.mp3") && pushed.device == "car")
    #expect(
      [pushed.started, pushed.position, pushed.total] == [0, 600, 600] && pushed.timestamp == "2026-12-01T00:04:00")
    for minute in [6, 7] { #expect(try house.run(at: minute)[path: "history.0.pushed"] == nil) }
    #expect(pods.actions.count == 1)
    #expect(try house.plays("news:b") == 1, "it came back, and is known")
    try house.play("news:b", at: 8)
    let text = try house.home.command("run", "--now", Household.time(9)).run().standardOutput
    #expect(text.contains("pods: 1 play pushed."), "\(text)")
  }

  @Test("nothing is pulled from a server with direction push")
  func pushOnly() throws {
    try house.declare(pods, "push")
    play("a")
    try house.run(at: 0)
    try house.play("news:c", at: 1)
    #expect(Household.entry(try house.run(at: 2), "pushed") == 1)
    #expect(try house.plays("news:a") == 0)
    #expect(pods.server.requests.allSatisfy { $0.method == "POST" })
  }

  @Test(
    "plays wait for the next run if the server fails",
    arguments: [
      (
        Behaviour.status(500), 5,
        "1 play could not be pushed to pods, and the next run tries again: the server answered 500"
      ),
      (.status(429), 5, "429"), (.breakOff(after: 0), 5, "pods"),
      (.status(401), 3, "the server refused the login (401); check servers.pods.auth"),
      (.status(404), 3, "check servers.pods.url"), (.status(302), 3, "it has moved"),
      (.status(200, body: "<html>Login</html>"), 5, "the answer is not one of the gpodder.net API"),
    ])
  func fails(_ behaviour: Behaviour, _ status: Int32, _ words: String) throws {
    try house.begin(pods, "push", playing: "news:a")
    pods.script(pods.path, [behaviour, .honest])
    let result = try house.command(at: 2).run()
    #expect(result.ending == .exited(status) && result.standardOutput.contains(words), "\(result.standardOutput)")
    let report = try JSONValue(result.stdout)
    #expect(Household.entry(report, "waiting") == 1 && report[path: "history.0.outcome"] == .string("problem"))
    #expect(try house.home.command("status").run().standardOutput.contains("Plays     1 play not yet pushed to pods"))
    let status = try JSONValue(house.home.command("status", "--json").run().stdout)
    #expect(status[path: "waiting_plays.0.server"] == .string("pods"))
    #expect(status[path: "waiting_plays.0.plays"] == .number(1))
    let next = try house.run(at: 3)
    #expect(Household.entry(next, "pushed") == 1, "\(next)")
    #expect(pods.actions.count == 1)
  }

  @Test("a play is not sent again within a run after a connection that ends without an answer")
  func endsSilently() throws {
    try house.begin(pods, playing: "news:a")
    // The question keeps its connection open; the play has one of its own.
    pods.script(pods.path, [Behaviour().with { $0.keepsConnection = true }, .breakOff(after: 0), .honest])
    #expect(try Household.entry(house.run(5, at: 2), "waiting") == 1)
    #expect(pods.pushed.count == 1)
    try house.run(at: 3)
    #expect(pods.actions.count == 1)
  }

  @Test("a play is not sent again after a lost answer")
  func lostAnswer() throws {
    try house.begin(pods, "push", playing: "news:a")
    // The server took it before its answer broke off.
    pods.script(pods.path, [.contentLength("1000"), .honest])
    #expect(try Household.entry(house.run(5, at: 2), "waiting") == 1)
    #expect(pods.actions.count == 1)
    #expect(try Household.entry(house.run(at: 3), "pushed") == 1)
    #expect(pods.actions.count == 1)
  }

  @Test("what the server refuses is dropped alone, and said once")
  func refused() throws {
    try house.begin(pods, "push", playing: "news:a", "news:b", "news:c")
    pods.refuse(house.origin.url("/b.mp3"))
    let result = try house.command(at: 2).run()
    let report = try JSONValue(result.stdout)
    let numbers = ["pushed", "waiting", "dropped"].map { Household.entry(report, $0) }
    #expect(numbers == [2, 0, 1], "\(report)")
    #expect(
      result.ending == .exited(3)
        && result.standardOutput.contains(
          "1 play (news:b) will not be pushed to pods: refused, though other plays were accepted: the server answered 422"
        )
    )
    #expect(Set(pods.actions.map(\.episode)) == [house.origin.url("/a.mp3"), house.origin.url("/c.mp3")])
    #expect(try house.run(at: 3)[path: "history.0.pushed"] == nil)
  }

  @Test(
    "a server that refuses everything is not the place that was meant: nothing is lost", arguments: [400, 413, 422])
  func refusesAll(_ status: Int) throws {
    try house.begin(pods, "push", playing: "news:a", "news:b", "news:c")
    pods.script(pods.path, Array(repeating: .status(status), count: 20))
    let result = try house.command(at: 2).run()
    #expect(result.ending == .exited(3) && result.standardOutput.contains("the server answered \(status)"))
    #expect(Household.entry(try JSONValue(result.stdout), "waiting") == 3 && pods.pushed.count < 12)
    pods.script(pods.path, [.honest])
    #expect(Household.entry(try house.run(at: 3), "pushed") == 3)
    #expect(pods.actions.count == 3)
  }

  @Test("a play with which the server has trouble waits alone, and says so")
  func troubled() throws {
    try house.begin(pods, "push", playing: "news:a", "news:b", "news:c")
    pods.upset(by: house.origin.url("/b.mp3"))
    let report = try house.run(5, at: 2)
    #expect(["pushed", "waiting"].map { Household.entry(report, $0) } == [2, 1], "\(report)")
    #expect(Household.entry(try house.run(5, at: 3), "waiting") == 1)
    pods.upset(by: nil)
    #expect(Household.entry(try house.run(at: 4), "pushed") == 1)
    #expect(pods.actions.map(\.episode).sorted() == ["a", "b", "c"].map { house.origin.url("/\($0).mp3") })
  }

  @Test("the position at which a player left an episode is told once, and comes back as no play")
  func positions() throws {
    try house.declare(pods)
    var text = try FileBytes.text(house.home.manifest)
    text.replace("history: [", with: "history: [ { listens: listens.jsonl },")
    try FileBytes.write(text, to: house.home.manifest)
    let log = house.home.folder.file("listens.jsonl")
    try FileBytes.write("", to: log)
    try house.run(at: 0)
    // Eight minutes in, of which a minute was played now.
    let line =
      #"{"id":"news:a","ended":"\#(Household.time(1))","position":480,"seconds":60,"duration":600,"reason":"quit"}"#
    try FileBytes.write(line + "\n", to: log)
    try house.run(at: 2)
    let action = try #require(pods.actions.first)
    #expect(
      [action.started, action.position, action.total] == [0, 480, 600] && action.timestamp == "2026-12-01T00:01:00")
    for minute in [3, 4] { try house.run(at: minute) }
    #expect(pods.actions.count == 1)
    let item = try house.home.list()["news:a"]
    #expect(
      item?[path: "play_position"] == .number(480) && item?[path: "play_count"] != .number(1),
      "\(String(describing: item))")
  }

  @Test("a play that the server already has is not pushed, and counts once")
  func knownThere() throws {
    try house.begin(pods, playing: "news:a")
    play("a", at: "2026-12-01T00:01:00")
    #expect(try house.run(at: 2)[path: "history.0.pushed"] == nil)
    #expect(pods.actions.count == 1)
    #expect(try house.plays("news:a") == 1)
  }

  @Test("a server with a new name gets no play twice, and a warning names the plays that waited for the old one")
  func renamed() throws {
    try house.begin(pods, "push", playing: "news:a")
    pods.script(pods.path, [.status(500), .honest])
    try house.run(5, at: 2)
    let text = try FileBytes.text(house.home.manifest).replacing("pods", with: "sync")
    try FileBytes.write(text, to: house.home.manifest)
    let result = try house.command(at: 3).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(
      result.standardOutput.contains(
        "1 play (news:a) will not be pushed to pods: the manifest no longer has a history that pushes to it"),
      "\(result.standardOutput)")
    #expect(try !house.command(at: 4).run().standardOutput.contains("will not be pushed"))
    #expect(pods.actions.isEmpty)
  }

  @Test("a device whose clock is ahead hides no play of others")
  func clockAhead() throws {
    try house.declare(pods)
    pods.script(pods.path, [.status(200, body: #"{"actions":[],"timestamp":4000000000}"#), .honest])
    try house.run(at: 0)
    play("a", at: "2026-11-30T10:00:00")
    #expect(Household.entry(try house.run(at: 1), "counted") == 1)
  }

  @Test("the play of an item that left the manifest is pushed; an address with /api/2 is accepted")
  func leftManifest() throws {
    try house.declare(pods.url + "/api/2/", user: GpodderServer.user, password: GpodderServer.password)
    try house.run(at: 0)
    try house.play("news:a", at: 1)
    pods.script(pods.path, [.honest, .status(500), .honest])
    try house.run(5, at: 2)
    let text = try FileBytes.text(house.home.manifest).replacing("news: { feed:", with: "other: { feed:")
    try FileBytes.write(text.replacing("/feed.xml", with: "/b.mp3"), to: house.home.manifest)
    let report = try JSONValue(try house.command(at: 3).run().stdout)
    #expect(Household.entry(report, "pushed") == 1, "\(report)")
    #expect(pods.actions.map(\.episode) == [house.origin.url("/a.mp3")])
  }

  @Test(
    "an answer of anything else counts nothing, and the run goes on",
    arguments: ["", "<html>Login</html>", "[]", #"{"actions":7}"#, #"{"actions":[{"podcast":"p""#])
  func nonsense(_ body: String) throws {
    try house.declare(pods)
    pods.script(pods.path, [.status(200, body: body), .honest])
    let result = try house.command(at: 0).run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(result.standardOutput.contains("the answer is not one of the gpodder.net API"), "\(result.standardOutput)")
    #expect(try JSONValue(result.stdout)[path: "totals.downloaded"] == .number(4))
    try house.run(at: 1)
  }

  @Test("a damaged outbox begins anew, and no play is pushed twice")
  func damaged() throws {
    try house.begin(pods, playing: "news:a")
    try house.run(at: 2)
    var bytes = try FileBytes.read("\(house.home.state)/outbox.jsonl")
    bytes[20] ^= 1
    try FileBytes.write(bytes, to: "\(house.home.state)/outbox.jsonl")
    let result = try house.command(at: 3).run()
    #expect(result.ending == .exited(3))
    #expect(result.standardOutput.contains("the outbox of plays is damaged"), "\(result.standardOutput)")
    try house.play("news:b", at: 4)
    #expect(try Household.entry(house.run(at: 5), "pushed") == 1)
    #expect(pods.actions.map(\.episode) == [house.origin.url("/a.mp3"), house.origin.url("/b.mp3")])
  }

  @Test("the password goes to the server alone, and is in no file")
  func secret() throws {
    try house.begin(pods, playing: "news:a")
    try house.run(at: 2)
    #expect(house.origin.requests.allSatisfy { $0.authorization == nil })
    for file in try FileTree.files(house.home.library, hidden: true) {
      let text = String(decoding: try FileBytes.read("\(house.home.library)/\(file)"), as: UTF8.self)
      #expect(!text.contains(GpodderServer.password), "\(file)")
    }
  }
}

/// Runs that are killed while they tell a server of a play.
@Suite("a history on a server and kills", .requires(.strace))
struct ServerHistoryKillTests {
  @Test(
    "a play arrives once, wherever the run is killed",
    arguments: ["fsync", "pwrite64", "sendto", "recvfrom", "renameat", "ftruncate"])
  func pushed(call: String) throws {
    let (house, pods) = (try Household(), try GpodderServer())
    try house.begin(pods, playing: "news:a")
    var sweep = KillSweep(home: house.home, call: call)
    sweep.command = house.command(at: 2)
    sweep.reset = { pods.forget() }
    try sweep.run { (moment: String) throws in
      #expect(pods.actions.map(\.episode) == [house.origin.url("/a.mp3")], "\(moment)")
      #expect(try house.plays("news:a") == 1, "\(moment)")
    }
  }

  @Test("a play elsewhere counts once, wherever the run is killed", arguments: ["fsync", "pwrite64", "recvfrom"])
  func pulled(call: String) throws {
    let (house, pods) = (try Household(), try GpodderServer())
    try house.declare(pods)
    try house.run(at: 0)
    pods.report(
      .init(podcast: house.feed, episode: house.origin.url("/b.mp3"), device: "phone", timestamp: "2026-12-01T00:01:00")
    )
    var sweep = KillSweep(home: house.home, call: call)
    sweep.command = house.command(at: 2)
    try sweep.run { (moment: String) throws in
      #expect(try house.plays("news:b") == 1, "\(moment)")
      #expect(pods.actions.count == 1, "\(moment)")
    }
  }
}

@Suite("a real server of the gpodder.net API", .requires(.gpodder), .requires(.curl))
struct GpodderPeerTests {
  @Test("keeps each play once, and returns those of other devices")
  func bothWays() throws {
    let peer = try GpodderPeer()
    let house = try Household()
    try house.declare(peer.url, user: GpodderPeer.user, password: GpodderPeer.password)
    let phone = try peer.post(
      "/api/2/episodes/\(GpodderPeer.user).json",
      """
      [{"podcast":"\(house.feed)","episode":"\(house.origin.url("/a.mp3"))","device":"phone","action":"play",
      "timestamp":"2026-11-20T10:00:00","started":0,"position":600,"total":600}]
      """)
    #expect(phone.ending == .exited(0), "\(phone.standardError)")
    #expect(Household.entry(try house.run(at: 0), "counted") == 1)
    try house.play("news:b", at: 1)
    #expect(Household.entry(try house.run(at: 2), "pushed") == 1)
    for minute in [3, 4] { try house.run(at: minute) }
    let actions = try JSONValue(try peer.actions())
    #expect(actions[path: "actions.count"] == .number(2), "\(actions)")
    #expect(
      actions[path: "actions.0.device"] == .string("phone") && actions[path: "actions.1.device"] == .string("car"))
    #expect(actions[path: "actions.1.timestamp"] == .string("2026-12-01T00:01:00"))
    #expect(try house.plays("news:a") == 1 && house.plays("news:b") == 1)
  }
}
