// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a battery, and a metered network")
struct PowerTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    server.serveAudio("plain", "low", "high", "urgent", "pinned")
  }

  private func declare(_ sections: String) throws {
    try home.declare(
      """
      \(sections)
      playlists:
        mix:
          quality: high
          items:
            - { id: plain, url: "\(server.url("/plain.mp3"))" }
            - { id: choice, title: choice, urls: { low: "\(server.url("/low.mp3"))", high: "\(server.url("/high.mp3"))" } }
            - { id: urgent, url: "\(server.url("/urgent.mp3"))", priority: high }
            - { id: pinned, url: "\(server.url("/pinned.mp3"))", pin: true }
      """)
  }

  /// Runs with variables, and with a folder of the given programs before those of the system.
  private func run(
    _ command: String = "run", _ variables: [String: String] = [:], programs: [String: String] = [:]
  ) throws -> (result: CommandResult, report: JSONValue) {
    let folder = home.folder.file("bin")
    for (name, text) in programs { try Script.write("#!/bin/sh\n\(text)\n", to: "\(folder)/\(name)") }
    var call = home.command(command, "--json")
    call.environment["PATH"] = "\(folder):\(call.environment["PATH"] ?? "/usr/bin:/bin")"
    call.environment.merge(variables) { $1 }
    let result = try call.run()
    return (result, try JSONValue(result.stdout))
  }

  /// Runs where the kernel tells of one battery.
  private func run(_ charge: Int, _ status: String) throws -> (result: CommandResult, report: JSONValue) {
    let supplies = "/sys/class/power_supply/BAT0"
    let call = home.command("run", "--json")
    let script =
      "mount -t tmpfs none /sys/class && mkdir -p \(supplies) && cd \(supplies) && echo Battery >type"
      + " && echo \(charge) >capacity && echo '\(status)' >status && cd / && exec \"$@\""
    let result = try Command(
      "/usr/bin/unshare", ["-m", "sh", "-c", script, "sh", call.executable] + call.arguments,
      environment: call.environment, directory: call.directory
    ).run()
    return (result, try JSONValue(result.stdout))
  }

  private static let metered = "downloads: { network: { metered: defer, allow_private: true } }"

  @Test("on a metered network nothing is fetched, and each item says why")
  func metered() throws {
    try declare(Self.metered)
    for word in ["yes", "1"] {
      let (result, report) = try run("run", ["SYNCJOB_METERED": word])
      #expect(result.ending == .exited(0), "\(result.standardError)")
      #expect(report[path: "totals.deferred"] == .number(4) && report[path: "totals.downloaded"] == .number(0))
      #expect(report[path: "items[id=pinned].reason"] == .string("metered_network"), "\(report)")
    }
    #expect(server.requests.isEmpty)
    var plan = home.command("plan")
    plan.environment["SYNCJOB_METERED"] = "yes"
    let text = try plan.run().standardOutput
    #expect(text.contains("mix/plain.mp3   the network is metered (downloads.network.metered)"), "\(text)")
    let (result, report) = try run("run", ["SYNCJOB_METERED": "no"], programs: ["busctl": "echo u 1"])
    #expect(result.ending == .exited(0) && report[path: "totals.downloaded"] == .number(4), "\(result.standardError)")
  }

  @Test("NetworkManager decides, by D-Bus or by nmcli; where it is not, nothing is deferred")
  func networkManager() throws {
    try declare(Self.metered)
    let absent = "echo 'The name is not activatable' >&2; exit 1"
    for programs in [["busctl": "echo u 3"], ["busctl": absent, "nmcli": "echo 'yes (guessed)'"]] {
      #expect(try run(programs: programs).report[path: "totals.deferred"] == .number(4))
    }
    #expect(
      try run(programs: ["busctl": "echo u 4", "nmcli": "echo yes"]).report[path: "totals.downloaded"] == .number(4))
    try declare("")
    #expect(try run(programs: ["busctl": "echo u 1", "nmcli": absent]).report[path: "totals.deferred"] == .number(0))
  }

  @Test("the system is not asked about the network when there is nothing to fetch")
  func notAsked() throws {
    try declare(Self.metered)
    let asked = home.folder.file("asked")
    let busctl = ["busctl": "echo asked >>'\(asked)'; echo u 4"]
    #expect(try run(programs: busctl).report[path: "totals.downloaded"] == .number(4))
    #expect(try FileBytes.text(asked) == "asked\n")
    #expect(try run(programs: busctl).report[path: "totals.unchanged"] == .number(4))
    #expect(try FileBytes.text(asked) == "asked\n")
  }

  @Test("a word that means neither yes nor no is a mistake of the call")
  func badWord() throws {
    try declare(Self.metered)
    var call = home.command("run")
    call.environment["SYNCJOB_METERED"] = "perhaps"
    let result = try call.run()
    #expect(result.ending == .exited(64))
    #expect(result.standardError.contains("$SYNCJOB_METERED must be 1, true, yes, on, 0"), "\(result.standardError)")
  }

  private static let power = "power: { low_below: 20%, normal_below: 50%, prefetch_above: 30% }"
  private static let needsMount = ConditionTrait.enabled("mount namespaces are not permitted") {
    try Command("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", "/sys/class"]).run().ending == .exited(0)
  }

  @Test("without a charging battery only what is pinned or important is fetched", needsMount)
  func prefetch() throws {
    try declare(Self.power)
    let (result, report) = try run(80, "Discharging")
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(2) && report[path: "totals.deferred"] == .number(2))
    #expect(report[path: "items[id=plain].reason"] == .string("battery"), "\(report)")
    #expect(report[path: "items[id=plain].charge_percent"] == .number(80))
    #expect(try home.ownedPaths().sorted() == ["mix/pinned.mp3", "mix/urgent.mp3"])
    let (_, second) = try run(31, "Charging")
    #expect(second[path: "totals.downloaded"] == .number(2) && second[path: "totals.deferred"] == .number(0))
  }

  @Test(
    "a low battery takes the lower quality, which a full one replaces; no file is replaced by a lower one", needsMount)
  func quality() throws {
    try declare("power: { low_below: 20%, normal_below: 50% }")
    let (result, report) = try run(10, "Discharging")
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(4))
    #expect(
      result.standardOutput.contains(
        "the battery is at 10 % and not charging, so 1 new item is fetched in low quality (power.low_below)"),
      "\(result.standardOutput)")
    #expect(server.requests(to: "/low.mp3").count == 1 && server.requests(to: "/high.mp3").isEmpty)
    let (_, again) = try run(10, "Discharging")
    #expect(again[path: "items[id=choice].reason"] == .string("battery"), "\(again)")
    #expect(server.requests(to: "/high.mp3").isEmpty)
    let (_, full) = try run(90, "Discharging")
    #expect(full[path: "totals.upgraded"] == .number(1), "\(full)")
    let (_, low) = try run(10, "Discharging")
    #expect(low[path: "totals.unchanged"] == .number(4), "\(low)")
    #expect(server.requests(to: "/low.mp3").count == 1 && server.requests(to: "/high.mp3").count == 1)
  }

  @Test("a partial goes on in its quality, whatever the manifest wants", needsMount)
  func partial() throws {
    try declare("power: { low_below: 20% }\ndownloads: { retries: 0, network: { allow_private: true } }")
    server.script("/low.mp3", [.breakOff(after: 500), .honest])
    _ = try run(10, "Discharging")
    let (_, report) = try run(10, "Discharging")
    #expect(report[path: "items[id=choice].reason"] == .string("partial_kept"), "\(report)")
    #expect(server.requests(to: "/high.mp3").isEmpty)
  }

  @Test("a rebuild at a low charge takes files for what is wanted, and fetches none of them again", needsMount)
  func rebuilds() throws {
    try declare("power: { low_below: 20% }")
    _ = try run(90, "Discharging")
    #expect(try Command("/bin/rm", ["-r", "\(home.library)/.syncjob"]).run().ending == .exited(0))
    _ = try run(10, "Discharging")
    let (_, report) = try run(90, "Discharging")
    #expect(report[path: "totals.unchanged"] == .number(4), "\(report)")
    #expect(server.requests(to: "/high.mp3").count == 1 && server.requests(to: "/low.mp3").isEmpty)
  }

  @Test("what waits on a metered network displaces no episode that is here")
  func displaced() throws {
    func publish(_ ids: [String]) {
      let items = ids.map { id in
        "<item><title>\(id)</title><guid>\(id)</guid><enclosure url=\"\(server.url("/\(id).mp3"))\" type=\"audio/mpeg\"/></item>"
      }
      let text = "<rss version=\"2.0\"><channel><title>N</title>\(items.joined())</channel></rss>"
      server.serve("/feed.xml", Resource(bytes: Array(text.utf8), contentType: "application/rss+xml"))
    }
    publish(["low", "plain"])
    try home.declare(
      """
      \(Self.metered)
      playlists: { news: { feed: "\(server.url("/feed.xml"))", retain: { at_most: 2 }, select: { initial: all } } }
      """)
    #expect(try run("run", ["SYNCJOB_METERED": "no"]).report[path: "totals.downloaded"] == .number(2))
    publish(["urgent", "pinned", "low", "plain"])
    let (result, report) = try run("run", ["SYNCJOB_METERED": "yes"])
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.removed"] == .number(0) && report[path: "totals.deferred"] == .number(2), "\(report)")
    let (_, later) = try run("run", ["SYNCJOB_METERED": "no"])
    #expect(later[path: "totals.removed"] == .number(2) && later[path: "totals.downloaded"] == .number(2), "\(later)")
  }
}
