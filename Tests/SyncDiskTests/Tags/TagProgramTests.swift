// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncTestSupport
import Testing

@Suite("The program for tags", .timeLimit(.minutes(2)))
struct TagProgramTests {
  private let folder: TemporaryDirectory
  private let tags = TagProgram()

  init() throws { folder = try TemporaryDirectory() }

  private func file(_ bytes: [UInt8], _ fileExtension: String = "mp3") throws -> MediaFile {
    let path = folder.file("x.part")
    try FileBytes.write(bytes, to: path)
    return MediaFile(path: path, fileExtension: fileExtension)
  }

  @Test("measures a file whatever its name")
  func duration() async throws {
    let audio = GeneratedAudio(title: "A", seconds: 90, seed: 1)
    let seconds = try #require(try await tags.duration(of: try file(audio.bytes), isExact: false)).inSeconds
    #expect(abs(seconds - audio.seconds) < 0.1)
    let counted = try #require(try await tags.duration(of: try file(audio.bytes), isExact: true)).inSeconds
    #expect(abs(counted - audio.seconds) < 0.01)
  }

  @Test("counts the frames of parts that a server has joined, where the first one's header would mislead")
  func joined() async throws {
    let parts = [30.0, 60.0, 10.0].map { GeneratedAudio(title: "\($0)", seconds: $0, seed: 2) }
    let joined = try file(parts.flatMap(\.bytes))
    let seconds = try #require(try await tags.duration(of: joined, isExact: true)).inSeconds
    #expect(abs(seconds - parts.map(\.seconds).reduce(0, +)) < 0.1)
  }

  @Test("tells the title, the artist, the album and the length of a file")
  func names() async throws {
    let audio = GeneratedAudio(title: "Nachtfahrt – Ö", artist: "Anna", seconds: 20, seed: 1)
    let names = try #require(try await tags.names(in: try file(audio.bytes)))
    #expect(names.title == "Nachtfahrt – Ö")
    #expect(names.artist == "Anna")
    #expect(names.album == nil)
    #expect(abs(try #require(names.duration).inSeconds - audio.seconds) < 0.1)
  }

  @Test("tells nothing of a file that is not what it should be", arguments: ["mp3", "flac", "ogg", "mkv", ""])
  func noNames(fileExtension: String) async throws {
    let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let names = try await tags.names(in: try file(noise, fileExtension))
    #expect(names?.title == nil)
    #expect(try await tags.names(in: MediaFile(path: folder.file("absent"), fileExtension: fileExtension)) == nil)
  }

  @Test(
    "does not tell the duration of a file that is not what it should be",
    arguments: ["mp3", "m4a", "ogg", "opus", "flac", "wav", "aiff", "wma", "ape", "wv", "mkv", ""])
  func otherContent(fileExtension: String) async throws {
    let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for bytes in [[], Array("OggS".utf8), noise] {
      for isExact in [false, true] {
        #expect(try await tags.duration(of: try file(bytes, fileExtension), isExact: isExact) == nil)
      }
    }
    let absent = MediaFile(path: folder.file("absent"), fileExtension: fileExtension)
    #expect(try await tags.duration(of: absent, isExact: false) == nil)
  }

  @Test("starts again after it was brought down")
  func crash() async throws {
    // Ends at each request for a file of another kind, as if it had crashed.
    let script = folder.file("tags")
    let own = try #require(own)
    try Script.write("#!/bin/sh\n[ -e '\(folder.file("down"))' ] && kill -9 $$\nexec '\(own)'\n", to: script)
    let tags = TagProgram(path: script)
    let audio = try file(GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes)
    try FileBytes.write("", to: folder.file("down"))
    #expect(try await tags.duration(of: audio, isExact: false) == nil)
    #expect(unlink(folder.file("down")) == 0)
    #expect(try await tags.duration(of: audio, isExact: false) != nil)
  }

  @Test("says why it cannot be used")
  func problems() async throws {
    let audio = try file([])
    await #expect(throws: TagProblem.programMissing) {
      _ = try await TagProgram(path: folder.file("absent")).duration(of: audio, isExact: false)
    }
    let script = folder.file("tags")
    try Script.write("#!/bin/sh\nexit 127\n", to: script)
    // The dynamic loader ends with this status.
    await #expect(throws: TagProblem.libraryMissing) {
      _ = try await TagProgram(path: script).duration(of: audio, isExact: false)
    }
    try Script.write("no program", to: script)
    await #expect(throws: TagProblem.notStarted(ErrnoCode(ENOEXEC))) {
      _ = try await TagProgram(path: script).duration(of: audio, isExact: false)
    }
  }

  @Test("gets no variable of this process, which may be a secret")
  func variables() async throws {
    let script = folder.file("tags")
    try Script.write("#!/bin/sh\n/usr/bin/env > '\(folder.file("env"))'\n", to: script)
    setenv("SYNCJOB_TEST_SECRET", "hunter2", 1)
    defer { unsetenv("SYNCJOB_TEST_SECRET") }
    #expect(try await TagProgram(path: script).duration(of: try file([]), isExact: false) == nil)
    #expect(try !FileBytes.text(folder.file("env")).contains("hunter2"))
  }

  /// The program as it is built beside the tests.
  private var own: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    let folder = String(cString: path).split(separator: "/").dropLast().joined(separator: "/")
    return "/\(folder)/syncjob-tags"
  }
}
