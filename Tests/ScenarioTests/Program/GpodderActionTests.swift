// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("actions about files at a server of the gpodder.net API")
struct GpodderActionTests {
  private let house: Household
  private let pods: GpodderServer

  init() throws { (house, pods) = (try Household(), try GpodderServer()) }

  /// The actions of this device, as `download a`, in the order in which they arrived.
  static func told(_ pods: GpodderServer, _ house: Household) -> [String] {
    pods.actions.filter { $0.device == "car" }.map { action in
      "\(action.action) \(action.episode.dropFirst(house.origin.url("/").count).prefix { $0 != "." })"
    }
  }

  private var told: [String] { Self.told(pods, house) }

  private func edit(_ command: String, _ id: String, at minute: Int) throws {
    let result = try house.home.editing(command, id, "--now", Household.time(minute)).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  @Test("a download and a removal by a person are told once each, and so is the return of the file")
  func files() throws {
    try house.declare(pods, "both, actions: all")
    let report = try house.run(at: 0)
    #expect(told == ["download a", "download b", "download c"] && Household.entry(report, "pushed") == 3)
    #expect(pods.actions.allSatisfy { $0.position == nil && $0.total == nil })
    try edit("remove", "news:a", at: 1)
    let text = try house.home.command("run", "--now", Household.time(2)).run().standardOutput
    #expect(text.contains("pods: 1 action pushed."), "\(text)")
    #expect(told.dropFirst(3) == ["delete a"])
    for minute in [3, 4] { try house.run(at: minute) }
    #expect(told.count == 4, "\(told)")
    let undone = try house.home.editing("undo", "--now", Household.time(5)).run()
    #expect(undone.ending == .exited(0), "\(undone.standardError)")
    for minute in [6, 7] { try house.run(at: minute) }
    #expect(told.dropFirst(4) == ["download a"], "\(told)")
  }

  @Test("files from before are not told, and plays are told beside them")
  func later() throws {
    try house.declare(pods, "push")
    try house.run(at: 0)
    #expect(told.isEmpty)
    try house.play("news:a", at: 1)
    try house.declare(pods, "push, actions: all")
    try house.run(at: 2)
    #expect(told.sorted() == ["download a", "download b", "download c", "play a"])
  }

  @Test("the download of a run that was cut off before it told of it is told by the next, before the removal")
  func outage() throws {
    try house.declare(pods, "push, actions: all")
    pods.script(pods.path, Array(repeating: .status(503), count: 40))
    let report = try house.run(5, at: 0)
    #expect(Household.entry(report, "waiting") == 3)
    let status = try house.home.command("status").run().standardOutput
    #expect(status.contains("3 actions not yet pushed to pods"), "\(status)")
    pods.script(pods.path, [.honest])
    try edit("remove", "news:a", at: 1)
    try house.run(at: 2)
    #expect(told == ["download a", "download b", "download c", "delete a"])
  }

  @Test("this device is declared once, and again if it changes")
  func device() throws {
    try house.declare(pods, "push")
    try house.run(at: 0)
    #expect(pods.devices.isEmpty, "there is nothing to push yet")
    try house.play("news:a", at: 1)
    try house.run(at: 2)
    #expect(pods.devices == ["car": "{}"])
    let keys = #", device_caption: "Anna's car", device_type: mobile"#
    try house.declare(pods, "push", keys: keys)
    for minute in [4, 6] {
      try house.play("news:b", at: minute - 1)
      try house.run(at: minute)
    }
    #expect(pods.devices == ["car": #"{"caption":"Anna's car","type":"mobile"}"#])
    #expect(pods.server.requests.count { $0.path.contains("/devices/") } == 2)
    // Actions go out although the device cannot be declared.
    try house.declare(pods, "push", keys: ", device_type: other")
    pods.script("/api/2/devices/anna%20b/car.json", [.status(500), .status(404)])
    for minute in [8, 10, 12] {
      try house.play("news:c", at: minute - 1)
      try house.run(at: minute)
    }
    #expect(told.count == 6 && pods.server.requests.count { $0.path.contains("/devices/") } == 4)
  }

  @Test("a URL in the server's own form is recognised when it comes back; one that it does not take is said once")
  func urls() throws {
    try house.declare(pods, "both")
    try house.run(at: 0)
    let kept = "http://other.example/kept-a.mp3"
    pods.keep(house.origin.url("/a.mp3"), as: kept)
    pods.keep(house.origin.url("/b.mp3"), as: "")
    for id in ["news:a", "news:b", "news:c"] { try house.play(id, at: 1) }
    let result = try house.command(at: 2).run()
    #expect(result.ending == .exited(3))
    #expect(
      result.standardOutput.contains("1 play (news:b) will not be pushed to pods: the server does not take its URL"),
      "\(result.standardOutput)")
    #expect(Household.entry(try JSONValue(result.stdout), "pushed") == 2)
    pods.report(
      .init(podcast: house.feed, episode: kept, device: "phone", timestamp: "2026-11-20T10:00:00"))
    #expect(Household.entry(try house.run(at: 3), "counted") == 1)
    #expect(try house.plays("news:a") == 2 && house.plays("news:c") == 1)
    try house.run(at: 4)
    #expect(pods.actions.count == 3)
  }

  @Test("a mark as new elsewhere forgets the position; a deletion elsewhere changes nothing")
  func others() throws {
    try house.declare(pods, "pull")
    let episode = house.origin.url("/a.mp3")
    pods.report(
      .init(
        podcast: house.feed, episode: episode, device: "phone", timestamp: "2026-11-20T10:00:00", started: 0,
        position: 100, total: 600))
    try house.run(at: 0)
    #expect(try house.home.list()["news:a"]?[path: "play_position"] == .number(100))
    pods.report(
      .init(podcast: house.feed, episode: episode, device: "phone", action: "new", timestamp: "2026-11-21T10:00:00"),
      .init(podcast: house.feed, episode: episode, device: "tv", action: "delete", timestamp: "2026-11-22T10:00:00"),
      .init(podcast: house.feed, episode: episode, device: "tv", action: "download", timestamp: "2026-11-22T10:00:00"))
    for minute in [1, 2] {
      try house.run(at: minute)
      let item = try house.home.list()["news:a"]
      #expect(item?[path: "play_position"] == nil && item?[path: "state"] == .string("completed"))
    }
  }

  @Test("a restored state tells nothing again")
  func restored() throws {
    try house.declare(pods, "both, actions: all")
    try house.run(at: 0)
    try FileBytes.write("", to: "\(house.home.state)/outbox.jsonl")
    for minute in [1, 2] { try house.run(at: minute) }
    try edit("remove", "news:a", at: 3)
    for minute in [4, 5] { try house.run(at: minute) }
    #expect(told == ["download a", "download b", "download c", "delete a"])
  }
}

@Suite("actions about files and kills", .requires(.strace))
struct GpodderActionKillTests {
  @Test(
    "a removal is told once, wherever the run is killed",
    arguments: ["fsync", "pwrite64", "sendto", "recvfrom", "renameat"])
  func removal(call: String) throws {
    let (house, pods) = (try Household(), try GpodderServer())
    try house.declare(pods, "both, actions: all")
    try house.run(at: 0)
    let before = pods.actions
    #expect(try house.home.editing("remove", "news:a", "--now", Household.time(1)).run().ending == .exited(0))
    // The sweep takes files in the trash for strays.
    try FileTree.remove("\(house.home.state)/trash")
    var sweep = KillSweep(home: house.home, call: call)
    sweep.command = house.command(at: 2)
    sweep.reset = {
      pods.forget()
      for action in before { pods.report(action) }
    }
    try sweep.run { (moment: String) throws in
      #expect(
        GpodderActionTests.told(pods, house) == ["download a", "download b", "download c", "delete a"], "\(moment)")
    }
  }

  @Test("a download is told once, wherever the run is killed", arguments: ["fsync", "renameat2", "sendto"])
  func download(call: String) throws {
    let (house, pods) = (try Household(), try GpodderServer())
    try house.declare(pods, "push, actions: all")
    // The library is there, and empty.
    house.origin.script("/feed.xml", [.status(503), .honest])
    _ = try house.command(at: 0).run()
    #expect(pods.actions.isEmpty)
    var sweep = KillSweep(home: house.home, call: call)
    sweep.command = house.command(at: 1)
    sweep.reset = { pods.forget() }
    try sweep.run { (moment: String) throws in
      #expect(
        GpodderActionTests.told(pods, house).sorted() == ["download a", "download b", "download c"], "\(moment)")
    }
  }
}

@Suite("actions at a real server of the gpodder.net API", .requires(.gpodder), .requires(.curl))
struct GpodderActionPeerTests {
  @Test("keeps each action once, with the device")
  func actions() throws {
    let peer = try GpodderPeer()
    let house = try Household()
    func declare() throws {
      try house.declare(
        peer.url, user: GpodderPeer.user, password: GpodderPeer.password, "both, actions: all",
        keys: #", device_caption: "Anna's car", device_type: mobile"#)
    }
    try declare()
    try house.run(at: 0)
    try house.play("news:b", at: 1)
    #expect(try house.home.editing("remove", "news:a", "--now", Household.time(2)).run().ending == .exited(0))
    for minute in [3, 4, 5] { try house.run(at: minute) }
    let answer = try JSONValue(try peer.actions())
    let actions = (0..<5).compactMap { index -> String? in
      guard case .string(let kind)? = answer[path: "actions.\(index).action"],
        case .string(let device)? = answer[path: "actions.\(index).device"]
      else { return nil }
      return "\(kind) \(device)"
    }
    #expect(actions.sorted() == ["delete car", "download car", "download car", "download car", "play car"])
    #expect(answer[path: "actions.count"] == .number(5))
    let device = try JSONValue(try peer.devices())
    #expect(device[path: "0.caption"] == .string("Anna's car") && device[path: "0.type"] == .string("mobile"))
  }
}
