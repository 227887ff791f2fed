// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("servers that bring little at a time")
struct ShortAnswerTests {
  private static let size = 400_000

  @Test("a file is whole in the end, however short each answer is", arguments: [60_000, 20_000, 3000])
  func progress(answer: Int) throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    let body = GeneratedAudio(title: "Long", seconds: 1, seed: 7).body(count: Self.size)
    server.serve("/a.mp3", Resource(body: body, etag: "\"1\""))
    server.script("/a.mp3", [.breakOff(after: answer)])
    // Each response but the first brings at least half of itself, or is requested once more.
    let enough = Self.size / answer * 2 + 2
    for round in 1...2 {
      try home.declare(
        """
        downloads: { retries: \(round == 1 ? 0 : min(100, enough)), backoff: { initial: 1ms, max: 1ms } }
        playlists: { all: { items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }] } }
        """)
      if round == 1 {
        // Without retries, each run still makes progress.
        var before = 0
        for _ in 0..<6 {
          _ = try home.run()
          let partials = try FileTree.files("\(home.state)/partial", hidden: true)
          let kept = try FileBytes.read("\(home.state)/partial/\(try #require(partials.first))").count
          #expect(kept > before)
          before = kept
        }
      } else {
        for _ in 0..<4 where try !home.ownedPaths().contains("all/A.mp3") { _ = try home.run() }
      }
    }
    #expect(try FileBytes.read("\(home.library)/all/A.mp3") == body.bytes(in: 0..<Self.size))
  }
}
