// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("kill -9", .serialized)
struct KillTests {
  private static let kills = 20
  private static let mebibyte = 1 << 20

  /// A file of a size between 3 and 5 MiB that no other has.
  private struct Track {
    let number: Int
    var path: String { "/\(number).mp3" }
    var size: Int { 3 * mebibyte + number * 190_001 }
    var body: Body { GeneratedAudio(title: "Track \(number)", seconds: 1, seed: UInt64(number)).body(count: size) }
    var resource: Resource { Resource(body: body, etag: "\"\(number)\"") }
  }

  @Test("twenty runs that are killed in their midst cost nothing that had reached the disk")
  func downloads() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    let tracks = (0..<12).map { Track(number: $0) }
    for track in tracks {
      server.serve(track.path, track.resource)
      server.script(track.path, [.throttle(bytesPerSecond: 2_500_000)])
    }
    try home.declare(manifest(tracks, server, "storage: { min_free: 1MiB }"))
    var chance = SplitMix64(seed: 20)
    for number in 1...Self.kills {
      let delay = 0.1 + Double(chance.next() % 450) / 1000
      // A program that takes longer than its time is killed with SIGKILL.
      #expect(try home.command("run").run(timeout: delay).ending == .timedOut)
      #expect(throws: Never.self) { try home.list("after kill \(number)") }
    }
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    try check(home, holds: tracks)
    #expect(try server.waitUntilIdle())
    let sent = server.requests.reduce(0) { $0 + $1.bytesSent }
    let total = tracks.reduce(0) { $0 + $1.size }
    #expect(sent >= total)
    #expect(sent <= total + Self.kills * Self.mebibyte, "\(sent - total) bytes were sent twice")
  }

  private func manifest(_ tracks: [Track], _ server: FaultServer, _ sections: String) -> String {
    let items = tracks.map { track in
      "      - { id: t\(track.number), title: Track \(track.number), url: \"\(server.url(track.path))\", size: \(track.size) }"
    }
    return """
      downloads: { concurrency: 3, per_host: 3, backoff: { initial: 10ms } }
      \(sections)
      playlists:
        all:
          items:
      \(items.joined(separator: "\n"))
      """
  }

  /// Checks that the library holds these complete files and nothing else.
  private func check(_ home: LibraryFixture, holds tracks: [Track]) throws {
    let strays = try home.strays()
    #expect(strays.isEmpty)
    let owned = try home.ownedPaths()
    #expect(owned == Set(tracks.map { "all/Track \($0.number).mp3" }))
    for track in tracks {
      let isWhole =
        try FileBytes.read("\(home.library)/all/Track \(track.number).mp3") == track.body.bytes(in: 0..<track.size)
      #expect(isWhole, "Track \(track.number)")
    }
  }
}
