// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

@Suite("Tags")
struct TagTests {
  private let server: FaultServer
  private let home: LibraryFixture
  private let audio = GeneratedAudio(title: "Its own", seconds: 2, seed: 1)

  init() throws {
    server = try FaultServer()
    home = try LibraryFixture()
    server.serve("/a.mp3", Resource(bytes: audio.bytes, etag: "\"a\""))
  }

  private func declare(_ tags: String, _ more: String = "", storage: String = "") throws {
    try home.declare(
      """
      tags: { \(tags) }
      \(storage)
      downloads: { retries: 0 }
      report: { m3u8: false }
      playlists:
        all:
          layout: "{id}.{ext}"
          items:
            - { id: a, title: Night Drive, artist: Anna, url: "\(server.url("/a.mp3"))"\(more) }
      """)
  }

  private var path: String { "\(home.library)/a.mp3" }
  private var published: [UInt8] { get throws { try FileBytes.read(path) } }

  private func item() throws -> JSONValue {
    guard case .array(let items)? = try JSONValue(home.queueFile())[path: "items"] else { return .null }
    return try #require(items.first)
  }

  private func sha256(_ bytes: [UInt8]) throws -> String {
    let result = try Command("/usr/bin/sha256sum", input: .bytes(bytes)).run()
    return String(result.standardOutput.prefix(64))
  }

  /// The program, with another `syncjob-tags` beside it.
  private func command(_ script: String?) throws -> Command {
    var command = home.command("run", "--json")
    let program = home.folder.file("bin/syncjob")
    try FileBytes.write("", to: home.folder.file("bin/.keep"))
    #expect(try Command("/bin/cp", [command.executable, program]).run().ending == .exited(0))
    command.executable = program
    guard let script else { return command }
    try Script.write("#!/bin/sh\n\(script)\n", to: home.folder.file("bin/syncjob-tags"))
    return command
  }

  @Test("are filled in, and the queue knows the bytes received, the file and its audio")
  func fill() throws {
    let hash = try sha256(audio.bytes)
    try declare("mode: fill", ", size: \(audio.size), checksum: \"sha256:\(hash)\"")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "warnings"] == .array([]), "\(report)")
    let text = String(decoding: try published, as: UTF8.self)
    #expect(text.contains("Its own") && text.contains("Anna") && !text.contains("Night Drive"))
    let item = try item()
    #expect(item[path: "sha256"] == .string(try sha256(try published)))
    #expect(item[path: "source_sha256"] == .string(hash))
    #expect(item[path: "source_size"] == .number(Double(audio.size)))
    #expect(item[path: "media_sha256"] != nil)
    #expect(try home.strays() == [])
    // Neither the declared size nor the checksum makes the next run fetch it again.
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
    #expect(server.requests.count == 1)
  }

  @Test("are replaced by overwrite")
  func overwrite() throws {
    try declare("mode: overwrite")
    #expect(try home.run().result.ending == .exited(0))
    let text = String(decoding: try published, as: UTF8.self)
    #expect(text.contains("Night Drive") && !text.contains("Its own"))
  }

  @Test("are left alone by default")
  func off() throws {
    try declare("mode: off")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try published == audio.bytes)
    #expect(try item()[path: "source_sha256"] == nil)
  }

  @Test("that a person changes are neither damage nor a reason to fetch the file")
  func changedByHand() throws {
    try declare("mode: fill")
    #expect(try home.run().result.ending == .exited(0))
    let edited = try published + Array("TAG".utf8) + [UInt8](repeating: 65, count: 125)
    try FileBytes.write(edited, to: path)
    let verified = try home.command("verify", "--json").run()
    #expect(verified.ending == .exited(0), "\(verified.standardOutput)")
    #expect(try JSONValue(verified.stdout)[path: "retagged"] == .number(1))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "warnings"] == .array([]), "\(report)")
    #expect(try published == edited)
    #expect(try item()[path: "sha256"] == .string(try sha256(edited)))
    #expect(server.requests.count == 1)
    #expect(try home.command("verify", "--deep").run().standardOutput.contains("all OK"))
    // A change that keeps the size is seen by whoever reads the file.
    try FileBytes.write(edited.dropLast() + [66], to: path)
    let deep = try home.command("verify", "--deep", "--repair").run()
    #expect(deep.ending == .exited(0) && deep.standardOutput.contains("tags were changed"), "\(deep.standardOutput)")
    #expect(try home.command("verify", "--deep").run().standardOutput.contains("all OK"))
    // A change of the audio is not one of tags.
    try FileBytes.write(edited.dropLast(200) + [UInt8](repeating: 66, count: 200), to: path)
    #expect(try home.command("verify", "--deep").run().ending == .exited(3))
  }

  @Test(
    "that cannot be written are one clear warning, and the file is published as it was received",
    arguments: [
      ("missing", "the program syncjob-tags is missing"), ("old", "is of an earlier version"),
      ("crash", "syncjob-tags crashed on the file"), ("empty", "syncjob-tags crashed on the file"),
    ])
  func trouble(kind: String, words: String) throws {
    let old = #"printf '\010\000\000\000invalid\000'; exec cat > /dev/null"#
    let scripts = ["old": old, "crash": "kill -SEGV $$", "empty": "exit 0"]
    try declare("mode: fill")
    let result = try command(scripts[kind]).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect("\(report)".contains(words), "\(report)")
    #expect(try published == audio.bytes)
    #expect(try home.strays() == [])
  }

  @Test("of a file that nobody can tag are left out, and a copy without its audio is not published")
  func damagedCopy() throws {
    try declare("mode: fill")
    // Answers that the file lacks tags, and then that an empty copy has them.
    let script = #"""
      printf '\010\000\000\000differs\000'
      for file in "$(dirname "$0")"/../library/.syncjob/partial/*; do : > "$file.tagged"; done
      printf '\003\000\000\000ok\000'
      exec cat > /dev/null
      """#
    let result = try command(script).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(result.standardOutput.contains("damaged"), "\(result.standardOutput)")
    #expect(try published == audio.bytes)
    #expect(try home.strays() == [])
  }

  @Test(
    "need room for a copy; without it, the file is published as it was received",
    .enabled(if: Requirement("unshare -m mount -t tmpfs none /mnt").lack == nil, "nothing may be mounted here"))
  func noRoom() throws {
    try declare("mode: fill", "", storage: "storage: { min_free: 0B }")
    let run = home.command("run")
    let words = ([run.executable] + run.arguments).map { "'\($0)'" }.joined(separator: " ")
    let mount = "mkdir -p '\(home.library)' && mount -t tmpfs -o size=1m none '\(home.library)' || exit 99"
    let script = "\(mount)\n\(words) && cat '\(path)' | sha256sum"
    let result = try #require(Tool("unshare").command(["-m", "/bin/sh", "-c", script])).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let output = result.standardOutput + result.standardError
    #expect(output.contains("more on the disk"), "\(output)")
    #expect(output.contains(try sha256(audio.bytes)), "\(output)")
  }
}

/// A run that tags two files, killed at every call that changes the disk or asks for tags.
@Suite("kill -9 while files get their tags", .serialized)
struct TagKillTests {
  @Test(
    "the next run publishes the tagged files", .requires(.strace),
    arguments: ["renameat2", "fsync", "fdatasync", "unlinkat", "sendto"])
  func everyPoint(call: String) throws {
    let server = try FaultServer()
    for name in ["a", "b"] {
      let audio = GeneratedAudio(title: name, seconds: 2, seed: name == "a" ? 1 : 2)
      server.serve("/\(name).mp3", Resource(bytes: audio.bytes, etag: "\"\(name)\""))
    }
    let home = try LibraryFixture()
    let items = ["a", "b"].map {
      "      - { id: \($0), title: \($0), artist: The Loopbacks, url: \"\(server.url("/\($0).mp3"))\" }"
    }
    try home.declare(
      """
      tags: { mode: fill }
      report: { m3u8: false }
      playlists:
        all:
          items:
      \(items.joined(separator: "\n"))
      """)
    #expect(try Command("/bin/mkdir", [home.library]).run().ending == .exited(0))
    try KillSweep(home: home, call: call).run { moment in
      #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"], "\(moment)")
      for name in ["a", "b"] {
        let text = String(decoding: try FileBytes.read("\(home.library)/all/\(name).mp3"), as: UTF8.self)
        #expect(text.contains("The Loopbacks"), "\(moment): \(name)")
      }
    }
    server.stop()
  }
}
