// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

@Suite("an import of files that the system hinders")
struct ImportFilesFaultTests {
  private let home: LibraryFixture

  init() throws { home = try LibraryFixture() }

  private var collection: String { home.folder.file("music") }
  private static let titles = ["A", "B", "C"]

  private func prepare(_ home: LibraryFixture) throws -> Command {
    let items = Self.titles.map { "{ id: \($0), title: \($0), url: \"http://127.0.0.1:9/\($0).mp3\" }" }
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { all: { items: [\(items.joined(separator: ", "))] } }
      """)
    for (number, title) in Self.titles.enumerated() {
      let audio = GeneratedAudio(title: title, seconds: 1, seed: UInt64(number))
      try FileBytes.write(audio.bytes, to: "\(home.folder.file("music"))/\(title).mp3")
    }
    return home.command(["import", "files", "--json", home.folder.file("music"), home.manifest])
  }

  @Test("is partial if a file may not be read that could be anybody's, and names it")
  func unreadable() throws {
    guard let command = try home.asNobody(prepare(home)) else { return }
    let closed = "\(collection)/track 7.mp3"
    try FileBytes.write([1], to: closed)
    #expect(chmod(closed, 0) == 0)
    let result = try command.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "imported"] == .number(3) && report[path: "lacking"] == .number(0))
    #expect(report[path: "unmatched"] == .array([]))
    let warning = report[path: "warnings.0"]?.description ?? ""
    #expect(warning.contains("track 7.mp3") && warning.contains("permission denied"), "\(warning)")
  }

  @Test("passes over folders whose paths are too long, and names them")
  func deep() throws {
    let command = try prepare(home)
    let name = String(repeating: "d", count: 250)
    var folder = open(collection, O_RDONLY)
    for _ in 0..<20 {
      #expect(mkdirat(folder, name, 0o700) == 0)
      let below = openat(folder, name, O_RDONLY)
      close(folder)
      folder = below
    }
    close(folder)
    let result = try command.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "imported"] == .number(3))
    #expect(report[path: "warnings.0"]?.description.contains("the name is too long") == true, "\(report)")
    // No path leads to the last ones.
    let remove = try #require(Tool("rm").command(["-r", collection]))
    #expect(try remove.run().ending == .exited(0))
  }

  /// strace counts the calls of each thread for itself. On one processor the same thread does the same work each time.
  @Test(
    "tells what came into the library when the disk fails at the very end", .requires(.strace),
    .requires(Tool("taskset")))
  func endings() throws {
    let call = "fdatasync"
    var told = 0
    for number in 1...60 {
      let home = try LibraryFixture()
      let command = try prepare(home)
      let trace = home.folder.file("trace")
      let injected = ["-e", "trace=\(call)", "-e", "inject=\(call):error=EIO:when=\(number)"]
      let program = try #require(Tool.strace.path)
      let words = ["-c", "0", program, "-qq", "-f", "-o", trace] + injected + [command.executable] + command.arguments
      let result = try #require(Tool("taskset").command(words)).run()
      guard try FileBytes.text(trace).contains("(INJECTED)") else { break }
      let moment = "\(call) \(number): \(result.ending) \(result.standardOutput) \(result.standardError)"
      // The first failures keep the library from being opened.
      if !result.stdout.isEmpty {
        let report = try JSONValue(result.stdout)
        let count = try FileTree.files(home.library).count { $0.hasSuffix(".mp3") }
        let imported = report[path: "imported"]
        switch result.ending {
        case .exited(3):
          // A file that could not be flushed stays in the collection, and its line says why.
          #expect(imported == .number(Double(count)) && count < 3, "\(moment)")
          #expect(result.standardOutput.contains("\"error\":\"cannot flush "), "\(moment)")
        default:
          #expect(report[path: "error"]?.description.contains("input/output error") == true, "\(moment)")
          // Files whose record could not be flushed are not called imported; the next run finds them.
          #expect(imported == .number(Double(count)) || imported == .number(0), "\(moment)")
          if imported == .number(3) { told += 1 }
        }
      }
      #expect(try FileTree.files(home.folder.file("music")).count == 3, "\(moment)")
      let next = try command.run()
      #expect(next.ending == .exited(0), "\(moment), then \(next.standardOutput) \(next.standardError)")
      #expect(try home.ownedPaths().count == 3 && home.strays().isEmpty, "\(moment)")
    }
    // Two failures come after the last import: one of the playlist's file, and one of the queue file.
    #expect(told == 2)
  }
}
