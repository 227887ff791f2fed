// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// On FAT and exFAT, files are written in the order of their playlist: players show them in that order.
@Suite("the order of writing")
struct WritingOrderTests {
  private static let names = ["a", "b", "c", "d"]

  /// The order in which items appeared in the library.
  private func published(_ profile: String, behaviours: [String: [Behaviour]]) throws -> [String] {
    let server = try FaultServer()
    for name in Self.names {
      let audio = GeneratedAudio(title: name, seconds: 4, seed: 7)
      server.serve("/\(name).mp3", Resource(bytes: audio.bytes))
      server.script("/\(name).mp3", behaviours[name] ?? [])
    }
    let home = try LibraryFixture()
    let items = Self.names.map { "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try FileBytes.write(
      """
      version: 1
      library: { path: ./library, profile: \(profile) }
      downloads: { concurrency: 4, per_host: 4, retries: 0 }
      playlists:
        mix:
          items:
      \(items.joined(separator: "\n"))
      """, to: home.manifest)
    let result = try home.command("run", "--quiet", "--events", home.folder.file("events")).run()
    #expect([.exited(0), .exited(3)].contains(result.ending), "\(result.standardError)")
    server.stop()
    #expect(try home.strays().isEmpty)
    return try FileBytes.text(home.folder.file("events")).split(separator: "\n").compactMap { line in
      let event = try JSONValue(Array(line.utf8))
      return event[path: "event"] == .string("item_completed") ? event[path: "id"]?.description : nil
    }
  }

  @Test("is that of the playlist on FAT, however slow the first is", arguments: ["fat", "exfat"])
  func inOrder(profile: String) throws {
    let slow: [String: [Behaviour]] = [
      "a": [.throttle(bytesPerSecond: 60_000)], "c": [.throttle(bytesPerSecond: 90_000)],
    ]
    #expect(try published(profile, behaviours: slow) == ["a", "b", "c", "d"])
  }

  @Test("is that of arrival elsewhere")
  func elsewhere() throws {
    let order = try published("auto", behaviours: ["a": [.throttle(bytesPerSecond: 60_000)]])
    #expect(order.last == "a")
    #expect(order.count == 4)
  }

  @Test("waits for nobody who fails")
  func failure() throws {
    let order = try published("fat", behaviours: ["a": [.status(404)], "b": [.throttle(bytesPerSecond: 60_000)]])
    #expect(order == ["b", "c", "d"])
  }
}
