// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Replaces each file that the program reads by a sparse file of 20 GB.
@Suite("a file that is far too large", .serialized)
struct BoundedFileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The path in the folder of the manifest.
    let file: String
    let command: [String]
    let status: Int32
    /// The expected words of the program. Empty if it must say nothing.
    let words: String

    init(_ file: String, _ command: String, _ status: Int32, _ words: String = "") {
      (self.file, self.status, self.words) = (file, status, words)
      self.command = command.split(separator: " ").map(String.init)
    }

    var testDescription: String { "\(command.joined(separator: " ")): \(file)" }
  }

  private static let size = 20 << 30

  private let home: LibraryFixture
  private let server: FaultServer
  private let media: [UInt8]

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    media = GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes
    server.serve("/a.mp3", Resource(bytes: media))
    let item =
      "<item><title>A</title><guid>a</guid><enclosure url=\"\(server.url("/a.mp3"))\" type=\"audio/mpeg\"/></item>"
    let feed = "<rss version=\"2.0\"><channel><title>Talk</title>\(item)</channel></rss>"
    server.serve("/talk.xml", Resource(bytes: Array(feed.utf8), contentType: "application/rss+xml", etag: "\"1\""))
    for file in ["local.xml", "listens.jsonl", "password", "cookies", "netrc", "ca.pem", "plan.json", "export.json"] {
      try FileBytes.write(file == "local.xml" ? feed : "", to: home.folder.file(file))
    }
    try declare("")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.command("plan", "-o", home.folder.file("plan.json")).run().ending == .exited(0))
  }

  private func declare(_ sections: String) throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        talk: { feed: "\(server.url("/talk.xml"))" }
        local: { feed: ./local.xml }
      \(sections)
      """)
  }

  @Test(
    "of the state is refused by its size, and nothing is lost",
    arguments: [
      Case("library/.syncjob/download_queue.json", "run", 1, "it is larger than 4.00 GiB"),
      Case("library/.syncjob/download_queue.json", "plan", 1, "it is larger than 4.00 GiB"),
      Case("library/.syncjob/download_queue.json", "status", 1, "it is larger than 4.00 GiB"),
      Case("library/.syncjob/download_queue.journal", "run", 1, "it is larger than 4.00 GiB"),
      Case("library/.syncjob/library.json", "run", 1, "it is larger than 64.0 KiB"),
    ])
  func state(_ example: Case) throws { try refuse(example) }

  @Test("that is the log of plays is left alone with a warning at each run")
  func plays() throws {
    let (result, peak) = try run(Case("library/.syncjob/plays.jsonl", "run", 3))
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect((result.standardOutput + result.standardError).contains("was not written by syncjob"), "\(result)")
    #expect(peak < 100 << 10, "\(peak) KiB")
    var facts = stat()
    #expect(stat(home.folder.file("library/.syncjob/plays.jsonl"), &facts) == 0 && facts.st_size == Self.size)
  }

  @Test(
    "and only saves work is passed over",
    arguments: [
      Case("library/.syncjob/download_queue.prev.json", "run", 0),
      Case("library/.syncjob/download_queue.prev.journal", "run", 0),
      Case("library/.syncjob/cache/talk.xml", "run", 0), Case("library/.syncjob/cache/talk.xml", "plan", 0),
      Case("library/.syncjob/cache/talk.listing", "run", 0), Case("library/.syncjob/cache/talk.listing", "plan", 0),
      Case("library/.syncjob/cache/sources", "run", 0), Case("library/.syncjob/cache/settled", "run", 0),
      Case("library/.syncjob/hsts.txt", "run", 0), Case("library/mine.m3u8", "run", 0),
    ])
  func passedOver(_ example: Case) throws {
    let (result, peak) = try run(example)
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(peak < 100 << 10, "\(peak) KiB")
    #expect(try FileBytes.read("\(home.library)/talk/A.mp3") == media)
  }

  @Test(
    "of a person's is refused by its size",
    arguments: [
      Case("manifest.yaml", "run", 78, "it is larger than 256 MiB"),
      Case("manifest.yaml", "validate", 78, "it is larger than 256 MiB"),
      Case("plan.json", "apply FILE", 1, "it is larger than 4.00 GiB"),
      Case("export.json", "state import FILE -m MANIFEST", 1, "it is larger than 4.00 GiB"),
    ])
  func ofPerson(_ example: Case) throws { try refuse(example) }

  @Test("that is a feed is refused by its size, and its items stay")
  func feed() throws {
    let (result, peak) = try run(Case("local.xml", "run --json", 3))
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(try JSONValue(result.stdout)[path: "warnings.0"]?.description.contains("256 MiB") == true)
    #expect(peak < 100 << 10, "\(peak) KiB")
    #expect(try FileBytes.read("\(home.library)/talk/A.mp3") == media)
  }

  @Test(
    "that the manifest names is refused by its size",
    arguments: [
      ("auth: { user: a, password_file: ./password }", "password", 1, "is larger than 4.00 MiB"),
      ("auth: { netrc: ./netrc }", "netrc", 1, "is larger than 4.00 MiB"),
      ("auth: { cookies_file: ./cookies }", "cookies", 1, "is larger than 4.00 MiB"),
    ])
  func named(_ setting: String, _ file: String, _ status: Int, _ words: String) throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { talk: { feed: "\(server.url("/talk.xml"))", \(setting) } }
      """)
    try refuse(Case(file, "run", Int32(status), words))
  }

  @Test(
    "that is a history or holds certificates is refused in a sentence",
    arguments: [
      ("listens.jsonl", 3, "it is larger than 4.00 GiB"), ("ca.pem", 1, "is not a file of certificates in PEM"),
    ])
  func others(_ file: String, _ status: Int, _ words: String) throws {
    try declare(file == "ca.pem" ? "" : "history: [ { listens: ./listens.jsonl } ]")
    if file == "ca.pem" {
      try home.declare(
        """
        downloads: { retries: 0, network: { allow_private: true }, tls: { ca_file: ./ca.pem } }
        playlists: { talk: { feed: "\(server.url("/talk.xml"))" } }
        """)
    }
    let (result, peak) = try run(Case(file, "run", 0))
    #expect(result.ending == .exited(Int32(status)), "\(result.standardOutput)\(result.standardError)")
    let text = result.standardOutput + result.standardError
    #expect(text.contains(file) && text.contains(words), "\(text)")
    #expect(peak < 100 << 10, "\(peak) KiB")
  }

  /// Expects a refusal that changes neither the sparse file nor anything else.
  private func refuse(_ example: Case) throws {
    let (result, peak) = try run(example)
    #expect(result.ending == .exited(example.status), "\(result.standardError)")
    #expect(result.standardError.contains(example.words), "\(result.standardError)")
    #expect(peak < 100 << 10, "\(peak) KiB")
    var facts = stat()
    #expect(stat(home.folder.file(example.file), &facts) == 0 && facts.st_size == Self.size)
    #expect(try FileBytes.read("\(home.library)/talk/A.mp3") == media)
  }

  private func run(_ example: Case) throws -> (result: CommandResult, peakKiB: Int) {
    let path = home.folder.file(example.file)
    try FileBytes.write([], to: path)
    try #require(truncate(path, Self.size) == 0, "the file system of the tests has no files of holes")
    let words = example.command.map { $0 == "FILE" ? path : $0 == "MANIFEST" ? home.manifest : $0 }
    var command = home.command(words[0], options: Array(words.dropFirst()))
    if example.command.contains("FILE") { command.arguments = words }
    let running = try command.start()
    let watch = try ProcessWatch(running.pid, everyMilliseconds: 2) { 0 }
    let result = running.wait(timeout: 60)
    return (result, watch.samples.map(\.peakKiB).max() ?? 0)
  }
}
