// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a chain of moves")
struct MoveChainTests {
  private static let count = 60

  @Test(
    "each for the place that the one before it leaves, is carried out together, and each arrives", .requires(.strace))
  func chain() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    let names = (0...Self.count).map { "t\($0)" }
    for (number, name) in names.enumerated() {
      server.serve(
        "/\(name).mp3", Resource(bytes: GeneratedAudio(title: name, seconds: 1, seed: UInt64(number)).bytes))
    }
    func declare(_ names: [String]) throws {
      let items = names.map { "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
      try home.declare(
        """
        playlists:
          all:
            layout: "{position:05}.{ext}"
            items:
        \(items.joined(separator: "\n"))
        """)
    }
    try declare(Array(names.dropFirst()))
    #expect(try home.run().result.ending == .exited(0))
    // A new file in front pushes all of them on.
    try declare(names)
    let run = home.command("run", "--quiet", "--no-download")
    let trace = home.folder.file("trace")
    let strace = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-o", trace, "-e", "trace=fsync,fdatasync", run.executable] + run.arguments))
    #expect(try strace.run(timeout: 60).ending == .exited(0))
    let flushes = try FileBytes.text(trace).split(separator: "\n").count { $0.contains("sync(") }
    #expect(flushes < Self.count, "\(flushes) flushes for \(Self.count) files")
    for (number, name) in names.enumerated().dropFirst() {
      let place = "\(home.library)/\(String(repeating: "0", count: 5 - "\(number + 1)".count))\(number + 1).mp3"
      #expect(try FileBytes.read(place) == GeneratedAudio(title: name, seconds: 1, seed: UInt64(number)).bytes)
    }
    #expect(try home.strays() == [])
  }
}
