// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// One manifest and its library in a separate folder, and the built program to run on them.
final class LibraryFixture: Sendable {
  let folder: TemporaryDirectory
  private let program: String

  /// - Parameter inMemory: uses a file system in memory, if there is one, for a library of so many files that a disk
  ///   would determine the speed.
  init(inMemory: Bool = false) throws {
    folder = try TemporaryDirectory("syncjob-household", in: inMemory ? TemporaryDirectory.inMemory : nil)
    program = try #require(Program.syncjob, "no syncjob beside the tests; build it or set SYNCJOB_BIN")
  }

  var library: String { folder.file("library") }
  var state: String { folder.file("library/.syncjob") }
  var manifest: String { folder.file("manifest.yaml") }

  /// Writes the manifest: version and library come first, `sections` are whole top-level keys.
  func declare(_ sections: String) throws {
    try FileBytes.write("version: 1\nlibrary: { path: ./library }\n\(sections)\n", to: manifest)
  }

  func command(_ name: String, _ options: String...) -> Command { command(name, options: options) }

  func command(_ name: String, options: [String]) -> Command { Command(program, [name, manifest] + options) }

  /// A command with all of its arguments.
  func command(_ arguments: [String]) -> Command { Command(program, arguments) }

  /// A command about items or of similar form.
  func editing(_ name: String, _ arguments: String...) -> Command {
    Command(program, [name, "--manifest", manifest] + arguments)
  }

  /// Does one run to its end, and returns the report that it printed.
  func run(timeout seconds: Double = 120) throws -> (result: CommandResult, report: JSONValue) {
    let result = try command("run", "--json").run(timeout: seconds)
    try #require(!result.stdout.isEmpty, "the run printed no report: \(result.ending) \(result.standardError)")
    return (result, try JSONValue(result.stdout))
  }

  /// A command that edits the queue.
  func edit(_ command: String, _ items: String...) throws {
    let result = try Command(program, [command, "--manifest", manifest] + items).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  /// Puts every failed item back into the queue.
  func retryAll() throws {
    let result = try Command(program, ["retry", "--manifest", manifest, "--all"]).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  /// All text that the program left or printed, where a secret would show.
  func traces(_ results: CommandResult...) throws -> String {
    var text = results.map { $0.standardOutput + $0.standardError }.joined()
    for path in try FileTree.files(library, hidden: true) where !path.hasSuffix(".mp3") {
      text += path + String(decoding: try FileBytes.read("\(library)/\(path)"), as: UTF8.self)
    }
    return text
  }

  /// The output of `list` for every item, by its id. It also proves that the queue can be read at all.
  func list(_ moment: String = "") throws -> [String: JSONValue] {
    let result = try command("list", "--json").run()
    #expect(result.ending == .exited(0), "\(moment): \(result.standardError)")
    let lines = try result.standardOutput.split(separator: "\n").map {
      try JSONValue(Array($0.utf8))
    }
    return Dictionary(uniqueKeysWithValues: lines.map { ($0[path: "id"]?.description ?? "", $0) })
  }

  private var holdings: Holdings { Holdings(library: library) }

  func queueFile() throws -> [UInt8] { try holdings.queueFile() }
  func strays() throws -> [String] { try holdings.strays() }
  func ownedPaths() throws -> Set<String> { try holdings.ownedPaths() }
}

extension LibraryFixture {
  /// The same command as an unprivileged user; nil where that is not possible.
  func asNobody(_ command: Command) throws -> Command? {
    #expect(chmod(folder.path, 0o777) == 0)
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups", command.executable]
    guard let trial = Tool.setpriv.command(user + ["--version"]), try trial.run().ending == .exited(0) else {
      return nil
    }
    return Tool.setpriv.command(user + command.arguments)
  }
}

extension LibraryFixture {
  /// A household whose only playlist is the feed `/talk.xml` of the server, which also has `/a.mp3`.
  static func hearingTalk() throws -> (home: LibraryFixture, server: FaultServer) {
    let (home, server) = (try LibraryFixture(), try FaultServer())
    server.serveAudio("a")
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { talk: { feed: "\(server.url("/talk.xml"))", select: { initial: all } } }
      """)
    return (home, server)
  }
}
