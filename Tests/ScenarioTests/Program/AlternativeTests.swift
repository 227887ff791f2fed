// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("alternatives")
struct AlternativeTests {
  /// Declares a track of 3:45 whose URL is gone, and other versions of it in an order that is not by duration.
  private func declare(_ home: LibraryFixture, _ server: FaultServer) throws {
    try home.declare(
      """
      downloads: { network: { allow_private: true } }
      playlists:
        roads:
          items:
            - id: night-drive
              title: Night Drive
              url: \(server.url("/345.mp3"))
              duration: 3:45
              alternatives:
                - { url: "\(server.url("/500.mp3"))", title: Night Drive, duration: 5:00 }
                - { url: "\(server.url("/410.mp3"))", title: Night Drive, duration: 4:10 }
                - { url: "\(server.url("/live.mp3"))", title: Night Drive (live), duration: 3:46 }
                - { url: "\(server.url("/350.mp3"))", title: Night Drive, duration: 3:50 }
                - { url: "\(server.url("/340.mp3"))", title: Night Drive, duration: 3:40 }
      """)
  }

  @Test("the nearest durations are asked first, in the manifest's order on ties, and never one that is far off")
  func order() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    try declare(home, server)
    for path in ["/500.mp3", "/live.mp3"] { server.serve(path, audio(path)) }
    let (result, report) = try home.run()
    #expect(server.requests.map(\.path) == ["/345.mp3", "/350.mp3", "/340.mp3", "/410.mp3"])
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "totals.failed"] == .number(1))
  }

  @Test("the second choice is taken when the first is gone, and nothing is asked after it")
  func secondChoice() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    try declare(home, server)
    for path in ["/340.mp3", "/410.mp3", "/500.mp3"] { server.serve(path, audio(path)) }
    let (result, report) = try home.run()
    #expect(server.requests.map(\.path) == ["/345.mp3", "/350.mp3", "/340.mp3"])
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.alternatives_used"] == .number(1))
    let path = try #require(try home.ownedPaths().first)
    let isThatOne =
      try FileBytes.read("\(home.library)/\(path)") == GeneratedAudio(title: "/340.mp3", seconds: 1, seed: 1).bytes
    #expect(isThatOne)
  }

  private func audio(_ title: String) -> Resource {
    Resource(bytes: GeneratedAudio(title: title, seconds: 1, seed: 1).bytes)
  }
}
