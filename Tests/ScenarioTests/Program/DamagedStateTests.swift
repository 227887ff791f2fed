// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// The memory of a library, cut, changed or gone behind the program's back.
@Suite("a queue file or journal that is damaged", .serialized)
struct DamagedStateTests {
  private static let finished = ["a", "b", "c"]

  private let server: FaultServer
  private let home: Household

  init() throws {
    server = try FaultServer()
    home = try Household()
    for name in Self.finished + ["d"] {
      let audio = GeneratedAudio(title: name, seconds: 1, seed: UInt64(name.utf8.reduce(0) { Int($0) + Int($1) }))
      server.serve("/\(name).mp3", Resource(bytes: audio.bytes, etag: "\"\(name)\""))
    }
  }

  private var journal: String { "\(home.state)/download_queue.journal" }
  private var queueFile: String { "\(home.state)/download_queue.json" }

  private func declare(_ names: [String]) throws {
    let items = names.map { "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      "downloads: { concurrency: 1, retries: 0 }\nplaylists:\n  all:\n    items:\n\(items.joined(separator: "\n"))")
  }

  /// A run that is killed when three of four files are finished and the queue file is not written.
  /// - Returns: the journal that it left.
  private func killedRun() throws -> [UInt8] {
    server.script("/d.mp3", [.stall(after: 100), .honest])
    try declare(Self.finished + ["d"])
    let run = try home.command("run").start()
    let isThere = try eventually {
      guard access(journal, F_OK) == 0 else { return false }
      return try FileBytes.text(journal).split(separator: "\n").count { $0.contains("\"state\":\"completed\"") } == 3
    }
    run.signal(SIGKILL)
    #expect(isThere && run.wait().ending == .killed(signal: SIGKILL))
    try #require(Command("/bin/cp", ["-a", home.library, home.folder.file("killed")]).run().ending == .exited(0))
    return try FileBytes.read(journal)
  }

  /// The library as the killed run left it, with another journal.
  private func restore(_ bytes: [UInt8]) throws {
    try FileTree.remove(home.library)
    try #require(Command("/bin/cp", ["-a", home.folder.file("killed"), home.library]).run().ending == .exited(0))
    try FileBytes.write(bytes, to: journal)
  }

  @Test("cut anywhere in its last records, the journal has the earlier ones, and no file is fetched again")
  func journalCut() throws {
    let whole = try killedRun()
    let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Up to two records from the end, byte by byte in strides that share nothing with their lengths.
    let start = whole.count - lines.suffix(3).reduce(0) { $0 + $1.count + 1 }
    for length in stride(from: start, to: whole.count, by: 149) {
      try restore(Array(whole.prefix(length)))
      let known = try home.list("cut at \(length)")
      #expect(known.count >= 3, "cut at \(length)")
      server.clearLog()
      let (result, _) = try home.run()
      #expect(result.ending == .exited(0), "cut at \(length): \(result.standardError)")
      #expect(server.requests.allSatisfy { $0.path == "/d.mp3" }, "cut at \(length): \(server.requests.map(\.line))")
      let owned = try home.ownedPaths()
      #expect(owned.count == 4, "cut at \(length)")
      let strays = try home.strays()
      #expect(strays.isEmpty, "cut at \(length)")
    }
  }

  @Test("a flipped byte costs one record; later ones are applied, a copy is kept, and the run says so")
  func journalDamaged() throws {
    var bytes = try killedRun()
    let middle = bytes.count / 2
    bytes[middle] = bytes[middle] == UInt8(ascii: "x") ? UInt8(ascii: "y") : UInt8(ascii: "x")
    try restore(bytes)
    server.clearLog()
    let (result, _) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(server.requests.allSatisfy { $0.path == "/d.mp3" }, "\(server.requests.map(\.line))")
    let owned = try home.ownedPaths()
    #expect(owned.count == 4)
    let aside = try FileTree.files(home.state, hidden: true).filter { $0.hasPrefix("download_queue.journal.corrupt-") }
    #expect(aside.count == 1)
    let isKept = try FileBytes.read("\(home.state)/\(aside.first ?? "")") == bytes
    #expect(isKept)
    let next = try home.run()
    #expect(next.result.ending == .exited(0))
  }

  @Test("empty, NUL, or cut in half: the previous one and the journal make it again", arguments: ["", "\0", "half"])
  func queueFile(_ damage: String) throws {
    try declare(["a", "gone"])
    #expect(try home.command("run").run().ending == .exited(3))
    try declare(["a", "gone", "b"])
    #expect(try home.command("run").run().ending == .exited(3))
    let whole = try FileBytes.text(queueFile)
    let text =
      switch damage {
      case "half": String(whole.prefix(whole.count / 2))
      case "\0": String(repeating: "\0", count: whole.utf8.count)
      default: ""
      }
    try FileBytes.write(text, to: queueFile)
    server.clearLog()
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(server.requests.isEmpty, "\(server.requests.map(\.line))")
    #expect(report[path: "warnings.count"] != .number(0))
    let known = try home.list()
    #expect(known["gone"]?[path: "state"] == .string("failed"))
    #expect(known["a"]?[path: "state"] == .string("completed") && known["b"]?[path: "state"] == .string("completed"))
    let aside = try FileTree.files(home.state, hidden: true).filter { $0.hasPrefix("download_queue.json.corrupt-") }
    #expect(aside.count == 1)
  }
}
