// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// One system call of the program fails with EIO, as on a disk that breaks.
@Suite("a disk that fails", .serialized)
struct FailingDiskTests {
  private static let names = ["a", "b", "c"]

  @Test(
    "ends the run with its one reason; what failed to be flushed is not flushed again, and the next run completes",
    .requires(.strace), arguments: ["fsync", "fdatasync", "renameat2"])
  func flush(call: String) throws {
    let server = try FaultServer()
    for (number, name) in Self.names.enumerated() {
      let audio = GeneratedAudio(title: name, seconds: 1, seed: UInt64(number))
      server.serve("/\(name).mp3", Resource(bytes: audio.bytes, etag: "\"\(name)\""))
    }
    var failures = 0
    for number in stride(from: 1, through: 40, by: Torture.isWhole ? 1 : 8) {
      let home = try LibraryFixture()
      let items = Self.names.map { "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
      try home.declare("playlists:\n  all:\n    items:\n\(items.joined(separator: "\n"))")
      guard try fails(home, call, number) else { break }
      failures += 1
    }
    #expect(failures >= 1)
    server.stop()
  }

  /// - Returns: false when the run ended before there was such a call.
  private func fails(_ home: LibraryFixture, _ call: String, _ number: Int) throws -> Bool {
    let run = home.command("run")
    let trace = home.folder.file("trace")
    let strace = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-y", "-o", trace, "-e", "trace=fsync,fdatasync,renameat2"]
          + ["-e", "inject=\(call):error=EIO:when=\(number)", run.executable] + run.arguments))
    let result = try strace.run()
    let lines = try FileBytes.text(trace).split(separator: "\n").map(String.init)
    guard let failed = lines.firstIndex(where: { $0.hasSuffix("(INJECTED)") }) else {
      #expect(result.ending == .exited(0))
      return false
    }
    let moment = "\(call) \(number)"
    #expect([.exited(4), .exited(1)].contains(result.ending), "\(moment): \(result.ending) \(result.standardError)")
    let said = result.standardOutput + result.standardError
    #expect(said.contains("input/output error"), "\(moment): \(said)")
    if call != "renameat2",
      let file = lines[failed].split(separator: "<").dropFirst().first?.split(separator: ">").first
    {
      let again = lines[(failed + 1)...].filter { $0.contains("sync(") && $0.contains("<\(file)>") }
      #expect(again.isEmpty, "\(moment): \(lines[failed]), then \(again)")
    }
    let next = try home.command("run").run()
    #expect(next.ending == .exited(0), "\(moment): \(next.standardOutput) \(next.standardError)")
    let owned = try home.ownedPaths()
    #expect(owned.count == Self.names.count, "\(moment)")
    let strays = try home.strays()
    #expect(strays.isEmpty, "\(moment)")
    return true
  }
}
