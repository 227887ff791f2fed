// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("three devices and one server")
struct GpodderSimulationTests {
  /// A library, and what a person did there.
  private struct Device {
    let name: String
    let house: Household
    /// The actions that the server must have from it in the end.
    var done: [String]
  }

  @Test("whatever answers are lost, no action is lost and none is there twice", arguments: [1, 2, 3])
  func household(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (first, pods) = (try Household(), try GpodderServer())
    var devices = try ["car", "desk", "tv"].map { name in
      Device(
        name: name, house: name == "car" ? first : try Household(sharing: first),
        done: ["a", "b", "c"].map { "download \($0)" })
    }
    var (minute, plays) = (0, ["a": 0.0, "b": 0.0])
    for device in devices {
      try device.house.declare(pods, "both, actions: all", device: device.name)
      _ = try device.house.command(at: minute).run()
    }
    for _ in 0..<30 {
      // A play covers the ten minutes before it.
      minute += 30
      let index = Int.random(in: devices.indices, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let episode = Bool.random(using: &random) ? "a" : "b"
        try devices[index].house.play("news:\(episode)", at: minute)
        devices[index].done.append("play \(episode)")
        plays[episode, default: 0] += 1
      case 2 where !devices[index].done.contains("delete c"):
        let removal = devices[index].house.home.editing("remove", "news:c", "--now", Household.time(minute))
        #expect(try removal.run().ending == .exited(0))
        devices[index].done.append("delete c")
      default:
        pods.script(pods.path, Self.trouble(&random))
        _ = try devices[index].house.command(at: minute).run()
        pods.script(pods.path, [.honest])
      }
    }
    for _ in 0..<2 {
      for device in devices {
        minute += 30
        try device.house.run(at: minute)
      }
    }
    for device in devices {
      let told = pods.actions.filter { $0.device == device.name }.map { action in
        "\(action.action) \(action.episode.dropFirst(first.origin.url("/").count).prefix { $0 != "." })"
      }
      #expect(told.sorted() == device.done.sorted(), "\(device.name), seed \(seed)")
      for (episode, count) in plays {
        #expect(try device.house.plays("news:\(episode)") == count, "\(device.name) \(episode), seed \(seed)")
      }
    }
  }

  /// The answers to the next requests.
  private static func trouble(_ random: inout SplitMix64) -> [Behaviour] {
    let answers: [Behaviour] = [
      .honest, .honest, .honest, .status(500), .status(429), .breakOff(after: 0), .contentLength("100000"),
      .status(200, body: "<html>Login</html>"),
    ]
    return (0..<4).map { _ in answers[Int.random(in: answers.indices, using: &random)] } + [.honest]
  }
}
