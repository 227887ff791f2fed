// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

@Suite("sealed media")
struct SealingTests {
  private let server: FaultServer
  private let home: LibraryFixture
  private let audio = GeneratedAudio(title: "Night Drive", seconds: 2, seed: 1)

  init() throws {
    server = try FaultServer()
    home = try LibraryFixture()
    server.serve("/a.mp3", Resource(bytes: audio.bytes, etag: "\"a\""))
  }

  private var keys: String { home.folder.file("keys") }
  private var sealed: String { "\(home.library)/all/a.mp3.sealed" }

  private func declare(
    _ protect: String = "mode: encrypt, keys_file: ./keys", _ more: String = "", items: [String] = ["a"]
  ) throws {
    let list = items.map { "      - { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      """
      protect: { \(protect) }
      storage: { min_free: 0 }
      downloads: { retries: 0 }
      \(more)
      playlists:
        all:
          items:
      \(list.joined(separator: "\n"))
      """)
  }

  private func key(_ words: String...) throws -> CommandResult {
    try home.command(["key"] + words + [home.manifest]).run()
  }

  @discardableResult
  private func run(_ status: Int32 = 0) throws -> JSONValue {
    let (result, report) = try home.run()
    #expect(result.ending == .exited(status), "\(result.standardError) \(report)")
    return report
  }

  private func cat(_ options: String...) throws -> CommandResult {
    try home.command(["cat", "--manifest", home.manifest, "a"] + options).run()
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private func libraryID() throws -> String {
    let marker = try JSONValue(try FileBytes.read("\(home.state)/library.json"))
    return try #require(marker[path: "id"]).description
  }

  // MARK: The first run

  @Test("is fetched, sealed and read, and no plain byte of it touches the library's disk")
  func first() throws {
    try declare("mode: encrypt, keys_file: ./keys, partials: ./plain", "report: { m3u8: true, xspf: true }")
    #expect(try key("new").ending == .exited(0))
    var status = stat()
    #expect(stat(keys, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let report = try run()
    #expect(report[path: "warnings"] == .array([]), "\(report)")
    let file = try FileBytes.read(sealed)
    #expect(file.count == audio.bytes.count + 40 + 16)
    for path in try FileTree.files(home.folder.path, hidden: true) {
      let bytes = try FileBytes.read(home.folder.file(path))
      #expect(!contains(bytes, Array(audio.bytes[1000..<1064])), "\(path)")
    }
    #expect(try cat().stdout == audio.bytes)
    #expect(try cat("--offset", "1000", "--length", "64").stdout == Array(audio.bytes[1000..<1064]))
    #expect(try cat("--offset", "1GB").stdout == [])
    #expect(try home.command("verify", "--deep").run().ending == .exited(0))
    // No player plays it, so there is nothing to list.
    for list in ["all.m3u8", "all.xspf"] { #expect(!exists("\(home.library)/\(list)")) }
    // Nothing is left to do, and nothing is fetched again.
    #expect(try run()[path: "totals.unchanged"] == .number(1))
    #expect(server.requests.count == 1)
    #expect(try home.strays() == [])
  }

  @Test("is in the playlist files if the manifest asks for it")
  func listed() throws {
    try declare("mode: encrypt, keys_file: ./keys", "report: { sealed_in_playlists: true }")
    #expect(try key("new").ending == .exited(0))
    try run()
    let list = String(decoding: try FileBytes.read("\(home.library)/all.m3u8"), as: UTF8.self)
    #expect(list.contains("all/a.mp3.sealed"))
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains {
      bytes[$0] == first && bytes[$0..<$0 + part.count].elementsEqual(part)
    }
  }

  @Test("is tagged before it is sealed, and the queue has the hashes of all three files")
  func tagged() throws {
    try declare("mode: encrypt, keys_file: ./keys", "tags: { mode: overwrite }")
    #expect(try key("new").ending == .exited(0))
    try run()
    let item = try item()
    #expect(item[path: "sha256"]?.description == (try sha256(try FileBytes.read(sealed))))
    let media = try cat().stdout
    #expect(item[path: "sealed.sha256"]?.description == (try sha256(media)))
    #expect(item[path: "sealed.size"] == .number(Double(media.count)))
    #expect(item[path: "source_sha256"]?.description == (try sha256(audio.bytes)))
    #expect(media != audio.bytes)
    #expect(try home.strays() == [])
  }

  private func item() throws -> JSONValue {
    guard case .array(let items)? = try JSONValue(home.queueFile())[path: "items"] else { return .null }
    return try #require(items.first)
  }

  private func sha256(_ bytes: [UInt8]) throws -> String {
    String(try Command("/usr/bin/sha256sum", input: .bytes(bytes)).run().standardOutput.prefix(64))
  }

  @Test("waits for room beside its partial")
  func room() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    let manifest = String(decoding: try FileBytes.read(home.manifest), as: UTF8.self)
    try FileBytes.write(manifest.replacing("min_free: 0", with: "min_free: 999TB"), to: home.manifest)
    #expect(try home.run().result.ending == .exited(4))
    #expect(!exists(sealed))
  }

  // MARK: Keys

  @Test("without its keys, a run says so and changes nothing")
  func missingKeys() throws {
    try declare()
    let result = try home.command("run").run()
    #expect(result.ending == .exited(1))
    #expect(result.standardError.contains("there is no file \"\(keys)\""))
    #expect(result.standardError.contains("syncjob key new"))
    #expect(!exists(home.library))
    #expect(server.requests.isEmpty)
  }

  @Test("with the keys of another library, nothing is done", arguments: ["run", "plan", "verify"])
  func wrongKeys(command: String) throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    let before = try FileBytes.read(sealed)
    #expect(unlink(keys) == 0)
    #expect(try key("new").ending == .exited(12))
    try takeForeignKeys()
    #expect(try key("rotate").ending == .exited(12))
    let result = try home.command(command, options: command == "verify" ? ["--deep"] : []).run()
    #expect(result.ending == .exited(12), "\(result.standardError)")
    #expect(result.standardError.contains("are not those of"))
    #expect(try FileBytes.read(sealed) == before)
  }

  /// Puts the keys of another library in place of the own ones.
  private func takeForeignKeys() throws {
    let other = try LibraryFixture()
    try other.declare("protect: { mode: encrypt, keys_file: ./keys }")
    #expect(try other.command(["key", "new", other.manifest]).run().ending == .exited(0))
    try FileBytes.write(try FileBytes.read(other.folder.file("keys")), to: keys)
  }

  @Test("keys come from a program")
  func keysCommand() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try declare("mode: encrypt, keys_command: [/bin/cat, \"\(keys)\"]")
    try run()
    #expect(exists(sealed))
    #expect(try cat().stdout == audio.bytes)
    // Its keys are nothing that could be written.
    #expect(try key("rotate").ending == .exited(64))
    try declare("mode: encrypt, keys_command: [/bin/false]")
    let broken = try home.command("run").run()
    #expect(broken.ending == .exited(1) && broken.standardError.contains("\"/bin/false\" ended with status 1"))
    #expect(server.requests.count == 1)
  }

  @Test("keys come from the service manager")
  func keysCredential() throws {
    let folder = home.folder.file("credentials")
    try declare("mode: encrypt, keys_file: \"\(folder)/car\"")
    #expect(try key("new").ending == .exited(0))
    try declare("mode: encrypt, keys_credential: car")
    var command = home.command("run")
    let outside = try command.run()
    #expect(outside.ending == .exited(1) && outside.standardError.contains("LoadCredential=car:FILE"))
    #expect(server.requests.isEmpty)
    command.environment["CREDENTIALS_DIRECTORY"] = folder
    #expect(try command.run().ending == .exited(0))
    #expect(exists(sealed))
  }

  @Test("an import is sealed, and does not begin without keys")
  func imported() throws {
    try declare()
    let collection = home.folder.file("collection")
    let own = GeneratedAudio(title: "a", seconds: 2, seed: 1)
    try FileBytes.write(own.bytes, to: "\(collection)/a.mp3")
    let command = home.command(["import", "files", "--move", collection, home.manifest])
    #expect(try command.run().ending == .exited(1))
    #expect(exists("\(collection)/a.mp3") && !exists(home.library))
    #expect(try key("new").ending == .exited(0))
    #expect(try command.run().ending == .exited(0))
    #expect(!exists("\(collection)/a.mp3"))
    #expect(try FileTree.files(home.library) == ["all/a.mp3.sealed"])
    #expect(try cat().stdout == own.bytes)
    #expect(server.requests.isEmpty)
  }

  @Test("a folder with sealed files and no marker is not taken for a new library")
  func withoutMarker() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    try FileTree.remove(home.state)
    let result = try home.command("run").run()
    #expect(result.ending == .exited(12) && result.standardError.contains("bring that file back"))
    #expect(server.requests.count == 1 && !exists("\(home.state)/library.json"))
  }

  @Test("a library whose sealed files are all removed takes new keys")
  func lostKeys() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    #expect(unlink(keys) == 0)
    #expect(try home.command(["remove", "--all", "--yes", home.manifest]).run().ending == .exited(0))
    #expect(try key("new").ending == .exited(0))
    try home.edit("retry", "a")
    try run()
    #expect(try cat().stdout == audio.bytes)
  }

  @Test("key new never replaces a file, and key rotate keeps the old key")
  func keyCommands() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    let first = try FileBytes.read(keys)
    let again = try key("new")
    #expect(again.ending == .exited(64) && again.standardError.contains("is there already"))
    #expect(try FileBytes.read(keys) == first)
    try run()
    let old = try FileBytes.read(sealed)
    #expect(try key("rotate").ending == .exited(0))
    #expect(try cat().stdout == audio.bytes)
    let plan = try home.command("plan").run().standardOutput
    #expect(plan.contains("to be sealed with the new key"), "\(plan)")
    #expect(try run()[path: "totals.moved"] == .number(1))
    #expect(try FileBytes.read(sealed) != old)
    #expect(try cat().stdout == audio.bytes)
    let list = try key("list", "--json").standardOutput.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    #expect(list.map { $0[path: "files"] } == [.number(0), .number(1)])
    #expect(list.map { $0[path: "primary"] } == [nil, .bool(true)])
    #expect(try home.strays() == [])
    #expect(try run()[path: "totals.unchanged"] == .number(1))
  }

  // MARK: On and off

  @Test("what is there already is sealed, and comes back in clear")
  func onAndOff() throws {
    try declare("mode: none")
    try run()
    let clear = "\(home.library)/all/a.mp3"
    #expect(try FileBytes.read(clear) == audio.bytes)
    try declare()
    #expect(try key("new").ending == .exited(0))
    #expect(try home.command("plan").run().standardOutput.contains("to be sealed"))
    #expect(try run()[path: "totals.moved"] == .number(1))
    #expect(!exists(clear))
    #expect(try cat().stdout == audio.bytes)
    try declare("mode: none, keys_file: ./keys")
    #expect(try home.command("plan").run().standardOutput.contains("to be in clear again"))
    #expect(try run()[path: "totals.moved"] == .number(1))
    #expect(try FileBytes.read(clear) == audio.bytes)
    #expect(!exists(sealed))
    #expect(try run()[path: "totals.unchanged"] == .number(1))
    #expect(server.requests.count == 1)
    #expect(try home.strays() == [])
  }

  @Test("stays sealed without keys, which a run says")
  func offWithoutKeys() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    try declare("mode: none")
    let report = try run(3)
    #expect("\(report[path: "warnings"] ?? .null)".contains("stays sealed"), "\(report)")
    let verified = try home.command("verify", "--deep").run()
    #expect(verified.standardError.contains("1 sealed file was compared, but not opened"))
    #expect(exists(sealed))
    let cat = try cat()
    #expect(cat.ending == .exited(1) && cat.standardError.contains("add protect.keys_file"))
  }

  /// Runs with the items a and b, and returns the media of b.
  private func runWithTwo() throws -> [UInt8] {
    let other = GeneratedAudio(title: "Other", seconds: 2, seed: 2).bytes
    server.serve("/b.mp3", Resource(bytes: other, etag: "\"b\""))
    try declare(items: ["a", "b"])
    #expect(try key("new").ending == .exited(0))
    try run()
    return other
  }

  // MARK: Damage

  @Test("a changed file does not open, and nothing of the changed part is written")
  func damage() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    var bytes = try FileBytes.read(sealed)
    bytes[5000] ^= 1
    try FileBytes.write(bytes, to: sealed)
    let cat = try cat()
    #expect(cat.ending == .exited(3) && cat.stdout.isEmpty, "\(cat.standardError)")
    let decrypt = try home.command(
      ["decrypt", "--manifest", home.manifest, "a", "-o", home.folder.file("out.mp3")]
    ).run()
    #expect(decrypt.ending == .exited(3))
    #expect(!exists(home.folder.file("out.mp3")))
    #expect(try home.command("verify", "--deep").run().ending == .exited(3))
    try FileBytes.write(Array(bytes[0..<300]), to: sealed)
    let cut = try self.cat()
    #expect(cut.ending == .exited(3) && cut.standardError.contains("is damaged"))
    #expect(try home.command("verify", "--deep", "--repair").run().ending == .exited(0))
    try run()
    #expect(try self.cat().stdout == audio.bytes)
  }

  @Test("the file of another item does not open in its place")
  func swapped() throws {
    _ = try runWithTwo()
    try FileBytes.write(try FileBytes.read("\(home.library)/all/b.mp3.sealed"), to: sealed)
    let cat = try cat()
    #expect(cat.ending == .exited(3) && cat.stdout.isEmpty)
    #expect(cat.standardError.contains("is damaged"))
  }

  @Test("a file that no key opens is named by verify, also when it repairs")
  func keyGone() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    try home.edit("remove", "a")
    #expect(unlink(keys) == 0)
    #expect(try key("new").ending == .exited(0))
    #expect(try home.command("undo").run().ending == .exited(0))
    for options in [["--deep"], ["--deep", "--repair"]] {
      let result = try home.command("verify", options: options).run()
      #expect(result.ending == .exited(12), "\(result.standardError) \(result.standardOutput)")
    }
  }

  @Test("what a killed copy left is gone after the next one", .requires(.strace))
  func stoppedCopy() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    let folder = home.folder.file("out")
    let decrypt = home.command(["decrypt", "--manifest", home.manifest, "a", "-o", "\(folder)/a.mp3"])
    let strace = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=fdatasync"]
          + ["-e", "inject=fdatasync:signal=KILL:when=1", decrypt.executable] + decrypt.arguments))
    #expect(try strace.run().ending == .killed(signal: 9))
    #expect(try FileTree.files(folder, hidden: true).count == 1)
    #expect(try decrypt.run().ending == .exited(0))
    #expect(try FileTree.files(folder, hidden: true) == ["a.mp3"])
  }

  @Test("a copy that is being written is not taken for a remnant", .requires(.strace))
  func copiesAtOnce() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    let folder = home.folder.file("out")
    let decrypt = home.command(["decrypt", "--manifest", home.manifest, "a", "-o", "\(folder)/a.mp3"])
    let slow = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=renameat2"]
          + ["-e", "inject=renameat2:delay_enter=3000000", decrypt.executable] + decrypt.arguments)
    ).start()
    #expect(try eventually { try FileTree.files(home.folder.path, hidden: true).contains { $0.hasPrefix("out/.") } })
    _ = try decrypt.run()
    #expect(slow.wait().ending == .exited(0))
    #expect(try FileTree.files(folder, hidden: true) == ["a.mp3"])
    #expect(try FileBytes.read("\(folder)/a.mp3") == audio.bytes)
  }

  @Test("a file in clear that was changed is not copied")
  func changedClear() throws {
    try declare("mode: none")
    try run()
    try FileBytes.write(audio.bytes.reversed(), to: "\(home.library)/all/a.mp3")
    let folder = home.folder.file("out")
    let decrypt = try home.command(["decrypt", "--manifest", home.manifest, "a", "-o", "\(folder)/a.mp3"]).run()
    #expect(decrypt.ending == .exited(3) && decrypt.standardError.contains("was changed since it was put there"))
    #expect(try FileTree.files(folder, hidden: true) == [])
  }

  // MARK: Clear copies

  @Test("a playlist is written in clear, goes on after a stop, and overwrites nothing")
  func decryptPlaylist() throws {
    let other = try runWithTwo()
    let folder = home.folder.file("stick")
    try FileBytes.write(audio.bytes, to: "\(folder)/all/a.mp3")
    let command = home.command(["decrypt", "--manifest", home.manifest, "--playlist", "all", "-o", folder])
    let result = try command.run()
    #expect(result.ending == .exited(0) && result.standardOutput.contains("1 file written"), "\(result.standardError)")
    #expect(try FileBytes.read("\(folder)/all/b.mp3") == other)
    try FileBytes.write([1], to: "\(folder)/all/a.mp3")
    let taken = try command.run()
    #expect(taken.ending == .exited(3) && taken.standardOutput.contains("1 there already; 1 not written"))
    #expect(try FileBytes.read("\(folder)/all/a.mp3") == [1])
    for place in [home.library, "\(home.library)/new/folder", home.state] {
      let inside = try home.command(["decrypt", "--manifest", home.manifest, "a", "-o", "\(place)/x.mp3"]).run()
      #expect(inside.ending == .exited(64), "\(inside.standardError)")
    }
    #expect(try FileTree.files(folder, hidden: true).sorted() == ["all/a.mp3", "all/b.mp3"])
  }

  @Test("is found again after the loss of the queue, by its seal")
  func rebuild() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    for name in ["download_queue.json", "download_queue.prev.json", "download_queue.prev.journal"] {
      _ = unlink("\(home.state)/\(name)")
    }
    try run(3)
    #expect(server.requests.count == 1)
    #expect(try cat().stdout == audio.bytes)
    #expect(try run()[path: "totals.unchanged"] == .number(1))
  }

  // MARK: Other programs

  @Test(
    "opens with Tink and with a second implementation, and what Tink seals opens here", .requires(.tink),
    arguments: [("4KB", 4096, 14), ("1MB", 1 << 20, 2)])
  func interoperation(kind: String, segment: Int, segments: Int) throws {
    // The sizes around the media that fill a number of segments. The header has 40 bytes, each tag 16.
    let edges = (1...segments).map { $0 * (segment - 16) - 40 }
    let sizes = [1, 13] + edges.flatMap { [$0 - 1, $0, $0 + 1] }
    let pattern = Array(repeatElement(audio.bytes, count: sizes.max().map { $0 / audio.bytes.count + 1 } ?? 1).joined())
    let stream = try #require(Tool.tink.path)
    let script = "\(#filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined())/Support/tink-stream.py"
    func tink(_ words: [String]) throws {
      let result = try Command(stream, [script] + words).run()
      #expect(result.ending == .exited(0), "\(result.standardError)")
    }
    let names = sizes.map { "s\($0)" }
    var media: [String: [UInt8]] = [:]
    for (name, size) in zip(names, sizes) {
      let bytes = Array(pattern[0..<size])
      media[name] = bytes
      server.serve("/\(name).mp3", Resource(bytes: bytes, etag: "\"\(name)\""))
    }
    try declare("mode: encrypt, keys_file: ./keys", "checks: { sniff: false, duration: off }", items: names)
    try tink(["keyset", keys, kind])
    try run()
    let id = try libraryID()
    let folder = "\(home.library)/all"
    let files = try FileTree.files(folder).filter { $0.hasSuffix(".sealed") }
    #expect(files.count == names.count)
    for action in ["open", "second"] {
      try tink(
        [action, keys]
          + names.flatMap { name in
            let file = files.first { $0.hasPrefix("\(name).") } ?? name
            return ["syncjob:\(id):\(name)", "\(folder)/\(file)", home.folder.file("\(action)-\(name)")]
          })
      for name in names { #expect(try FileBytes.read(home.folder.file("\(action)-\(name)")) == media[name], "\(name)") }
    }
    try tink(
      ["seal", keys]
        + names.flatMap { name in
          let file = files.first { $0.hasPrefix("\(name).") } ?? name
          return ["syncjob:\(id):\(name)", home.folder.file("open-\(name)"), "\(folder)/\(file)"]
        })
    for name in names {
      #expect(try home.command(["cat", "--manifest", home.manifest, name]).run().stdout == media[name], "\(name)")
    }
  }

  @Test("two changes of the keys at once lose none of them", .requires(.strace))
  func keysAtOnce() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    let rotate = home.command(["key", "rotate", home.manifest])
    let slow = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=fsync,fdatasync"]
          + ["-e", "inject=fsync,fdatasync:delay_enter=1500000:when=1", rotate.executable] + rotate.arguments)
    ).start()
    #expect(try rotate.run().ending == .exited(0))
    #expect(slow.wait().ending == .exited(0))
    #expect(try key("list", "--json").standardOutput.split(separator: "\n").count == 3)
  }

  @Test("with a lost queue and foreign keys, nothing is changed")
  func lostQueue() throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    try run()
    let marker = try FileBytes.read("\(home.state)/library.json")
    try takeForeignKeys()
    for name in ["download_queue.json", "download_queue.prev.json", "download_queue.prev.journal"] {
      _ = unlink("\(home.state)/\(name)")
    }
    #expect(try home.command("run").run().ending == .exited(12))
    #expect(try FileBytes.read("\(home.state)/library.json") == marker)
    #expect(server.requests.count == 1)
  }

  @Test(
    "a sealed file keeps the name of its layout", arguments: ["{title}", "{title}.{ext}.sealed", "{ext}/{title}.{ext}"])
  func layouts(layout: String) throws {
    try declare()
    let manifest = String(decoding: try FileBytes.read(home.manifest), as: UTF8.self)
    try FileBytes.write(
      manifest.replacing(
        "./library }", with: "./library, layout: \"\(layout)\" }"),
      to: home.manifest)
    #expect(try key("new").ending == .exited(0))
    try run()
    #expect(try FileTree.files(home.library).count == 1)
    #expect(try run()[path: "totals.unchanged"] == .number(1))
    #expect(try home.command("plan", "--detailed-exitcode").run().ending == .exited(0))
    #expect(try cat().stdout == audio.bytes)
  }

  @Test("a long name is shortened for its ending")
  func names() throws {
    let long = String(repeating: "x", count: 251)
    try declare("mode: none", items: ["a"])
    var manifest = String(decoding: try FileBytes.read(home.manifest), as: UTF8.self)
    manifest = manifest.replacing("title: a,", with: "title: \(long),")
    try FileBytes.write(manifest, to: home.manifest)
    try run()
    let clear = try FileTree.files(home.library).filter { $0.hasSuffix(".mp3") }
    #expect(clear.count == 1 && clear.allSatisfy { $0.utf8.count > 240 }, "\(clear)")
    try FileBytes.write(manifest.replacing("mode: none", with: "mode: encrypt, keys_file: ./keys"), to: home.manifest)
    #expect(try key("new").ending == .exited(0))
    #expect(try run()[path: "totals.moved"] == .number(1))
    #expect(try cat().stdout == audio.bytes)
    #expect(try run()[path: "totals.unchanged"] == .number(1))
  }

  @Test("a foreign file at the sealed name is left alone")
  func foreign() throws {
    try declare("mode: none")
    try run()
    try declare()
    #expect(try key("new").ending == .exited(0))
    try FileBytes.write([1], to: sealed)
    #expect(try run()[path: "totals.moved"] == .number(1))
    #expect(try FileBytes.read(sealed) == [1])
    #expect(try cat().stdout == audio.bytes)
    #expect(!exists("\(home.library)/all/a.mp3"))
    #expect(try run()[path: "totals.unchanged"] == .number(1))
  }

  @Test("an error of the disk while a file is sealed loses and doubles nothing", .requires(.strace), arguments: 1...9)
  func failingDisk(point: Int) throws {
    try declare("mode: none")
    try run()
    try declare()
    #expect(try key("new").ending == .exited(0))
    for call in ["fsync", "unlinkat"] {
      let run = home.command("run")
      let strace = try #require(
        Tool.strace.command(
          ["-qq", "-f", "-o", home.folder.file("trace"), "-e", "trace=\(call)"]
            + ["-e", "inject=\(call):error=EIO:when=\(point)", run.executable] + run.arguments))
      _ = try strace.run()
    }
    try run()
    #expect(try cat().stdout == audio.bytes)
    #expect(try FileTree.files(home.library) == ["all/a.mp3.sealed"])
    #expect(server.requests.count == 1)
  }

  // MARK: kill -9

  private func check(_ moment: String) throws {
    let media = try cat().stdout
    #expect(media == audio.bytes, "\(moment)")
    let owned = try home.ownedPaths()
    #expect(owned == ["all/a.mp3.sealed"], "\(moment)")
  }

  @Test(
    "a kill at any change of the disk leaves the plain partial or the sealed file", .requires(.strace),
    arguments: ["unlinkat", "renameat2", "fsync", "fdatasync", "pwrite64"])
  func kills(call: String) throws {
    try declare()
    #expect(try key("new").ending == .exited(0))
    #expect(try home.command("init").run().ending == .exited(0))
    var sweep = KillSweep(home: home, call: call)
    sweep.afterKill = { moment in
      let visible = try FileTree.files(home.library)
      #expect(visible.allSatisfy { $0.hasSuffix(".sealed") }, "\(moment)")
    }
    try sweep.run { try check($0) }
  }

  @Test(
    "a kill at any change of the disk while a file is sealed again leaves it whole", .requires(.strace),
    arguments: ["unlinkat", "renameat2", "renameat", "fsync", "fdatasync", "pwrite64"])
  func killsOfChanges(call: String) throws {
    try declare("mode: none")
    try run()
    try declare()
    #expect(try key("new").ending == .exited(0))
    try KillSweep(home: home, call: call).run { try check($0) }
  }
}
