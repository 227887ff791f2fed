// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncTestSupport
import Testing

@testable import SyncDisk

@Suite("Writing tags", .timeLimit(.minutes(2)))
struct TagWritingTests {
  private static let formats: [(ending: String, encoder: [String])] = [
    ("mp3", ["-c:a", "libmp3lame", "-b:a", "64k"]), ("m4a", ["-c:a", "aac", "-b:a", "64k"]),
    ("ogg", ["-c:a", "libvorbis"]), ("opus", ["-c:a", "libopus", "-b:a", "32k"]), ("flac", ["-c:a", "flac"]),
    ("wav", ["-c:a", "pcm_s16le"]),
  ]

  private let folder: TemporaryDirectory
  private let tags = TagProgram()

  init() throws { folder = try TemporaryDirectory() }

  private static var fields: TagFields {
    get throws {
      let id = try #require(ItemID("a"))
      var item = Item(id: id, title: "Nachtfahrt – Ö", main: Candidate(url: try RemoteURL("https://a.example/a")))
      (item.artist, item.album) = ("Anna", "Roads")
      item.published = CivilTime(year: 2026, month: 1, day: 5)?.timestamp
      var details = ItemDetails()
      (details.guid, details.number) = ("urn:1", 7)
      item.details = details
      item.recordings = [.isrc("USRC17607839")]
      return TagFields(item, .fill)
    }
  }

  /// A second of a tone.
  private func audio(_ ending: String, _ options: [String]) throws -> MediaFile {
    let path = folder.file("x.\(ending)")
    let tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-fflags", "+bitexact", "-map_metadata", "-1"]
    let command = try #require(Tool.ffmpeg.command(["-v", "error", "-nostdin", "-y"] + tone + options + [path]))
    #expect(try command.run().ending == .exited(0))
    return MediaFile(path: path, fileExtension: ending)
  }

  private func place(_ path: String) throws -> (FilePlace, POSIXFileSystem) {
    let files = POSIXFileSystem()
    let root = try files.openRoot(folder.path, making: nil)
    let name = try #require(path.split(separator: "/").last)
    return (try #require(FilePlace(root).child(name)), files)
  }

  private func media(_ path: String) throws -> SyncCore.SHA256Digest? {
    let (place, files) = try place(path)
    return MediaPart.digest(of: place, in: files)
  }

  @Test(
    "another program that writes tags and the header frame anew leaves the audio the same",
    .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"), arguments: ["encoded", "generated"])
  func retaggedByOthers(kind: String) throws {
    var file = MediaFile(path: folder.file("x.mp3"), fileExtension: "mp3")
    if kind == "encoded" {
      file = try audio("mp3", ["-c:a", "libmp3lame", "-q:a", "4"])
    } else {
      // Without a header frame, which the program adds.
      try FileBytes.write(GeneratedAudio(title: "A", seconds: 2, seed: 1).bytes, to: file.path)
    }
    let (digest, size) = (try #require(try media(file.path)), try FileBytes.read(file.path).count)
    let copy = folder.file("y.mp3")
    let tags = ["-map", "0", "-c", "copy", "-metadata", "title=FF", copy]
    let command = try #require(Tool.ffmpeg.command(["-v", "error", "-nostdin", "-y", "-i", file.path] + tags))
    #expect(try command.run().ending == .exited(0))
    #expect(try FileBytes.read(copy).count != size)
    #expect(try media(copy) == digest)
    // A byte of the audio is another matter.
    var bytes = try FileBytes.read(copy)
    bytes[bytes.count - 200] ^= 1
    try FileBytes.write(bytes, to: copy)
    #expect(try media(copy) != digest)
  }

  @Test("a hash that includes the header frame is recognised")
  func formerHash() throws {
    var first = [0xFF, 0xFB, 0x90, 0x40] + [UInt8](repeating: 0, count: 32) + Array("Xing".utf8)
    first += [UInt8](repeating: 0, count: 417 - first.count)
    let bytes = first + GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes.drop { $0 != 0xFF }
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]
    try FileBytes.write(tag + bytes, to: folder.file("x"))
    let (place, files) = try place(folder.file("x"))
    let digest = SyncCore.SHA256Digest(of: Array(bytes))
    #expect(try media(folder.file("x")) != digest)
    #expect(FileDigest.compute(place, in: files, ifMediaIs: digest) != nil)
    let other = SyncCore.SHA256Digest(of: [1])
    #expect(FileDigest.compute(place, in: files, ifMediaIs: other) == nil)
  }

  private func order(_ file: MediaFile, overwrites: Bool = false, copy: String? = "copy") throws -> TagOrder {
    TagOrder(try Self.fields, for: file, overwrites: overwrites, copy: copy.map(folder.file))
  }

  @Test(
    "the copy has the tags and the same audio, and the file is as it was",
    .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"), arguments: 0..<6)
  func formats(number: Int) async throws {
    let (ending, encoder) = Self.formats[number]
    let file = try audio(ending, encoder)
    let before = try FileBytes.read(file.path)
    #expect(try await tags.write(try order(file, copy: nil)) == .lacking)
    #expect(try await tags.write(try order(file)) == .written)
    #expect(try FileBytes.read(file.path) == before)
    let copy = MediaFile(path: folder.file("copy"), fileExtension: ending)
    let names = try #require(try await tags.names(in: copy))
    #expect(names.title == "Nachtfahrt – Ö")
    #expect(names.artist == "Anna" && names.album == "Roads")
    let digest = try #require(try media(file.path))
    #expect(try media(copy.path) == digest)
    // Nothing is left to write.
    #expect(try await tags.write(try order(copy, overwrites: true, copy: "second")) == .unchanged)
    #expect(access(folder.file("second"), F_OK) != 0)
    try checkWithFFprobe(copy, ending)
  }

  @Test(
    "a picture and chapters go into the copy, whose audio stays the same",
    .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"), arguments: 0..<6)
  func attachments(number: Int) async throws {
    let (ending, encoder) = Self.formats[number]
    let file = try audio(ending, encoder)
    try FileBytes.write([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 65, count: 20_000), to: folder.file("cover"))
    var order = try order(file)
    order.fields.add(picture: folder.file("cover"))
    if ending != "m4a" {
      order.fields.add(chapters: [
        ChapterMark(start: .zero, title: "Intro"), ChapterMark(start: .milliseconds(500), title: "Mitte – Ö"),
      ])
    }
    #expect(try await tags.write(order) == .written)
    let copy = try FileBytes.read(folder.file("copy"))
    // Ogg has pictures in base64.
    #expect(copy.count > 20_000)
    let isFound = copy.firstRange(of: Array("Mitte – Ö".utf8)) != nil
    #expect(isFound == (ending != "m4a"))
    let digest = try #require(try media(file.path))
    #expect(try media(folder.file("copy")) == digest)
    order.file.path = folder.file("copy")
    order.copy = nil
    #expect(try await tags.write(order) == .unchanged)
  }

  /// Checks that FFmpeg finds the date in the file.
  private func checkWithFFprobe(_ file: MediaFile, _ ending: String) throws {
    let arguments = ["-v", "error", "-f", ending == "m4a" ? "mov" : ending == "opus" ? "ogg" : ending]
    // The tags of Ogg are those of a stream.
    let ofStream = ["ogg", "opus"].contains(ending) ? ["-map_metadata", "0:s:a:0"] : []
    let command = try #require(
      Tool.ffmpeg.command(arguments + ["-i", file.path] + ofStream + ["-f", "ffmetadata", "-"]))
    let text = try command.run().standardOutput.lowercased()
    #expect(text.contains("2026-01-05"), "\(text)")
  }

  @Test("fill leaves the fields that a file has, and overwrite replaces them")
  func modes() async throws {
    let audio = GeneratedAudio(title: "Its own", seconds: 1, seed: 1)
    let path = folder.file("x.part")
    try FileBytes.write(audio.bytes, to: path)
    let file = MediaFile(path: path, fileExtension: "mp3")
    let copy = MediaFile(path: folder.file("copy"), fileExtension: "mp3")
    #expect(try await tags.write(try order(file)) == .written)
    #expect(try await tags.names(in: copy)?.title == "Its own")
    #expect(try await tags.names(in: copy)?.artist == "Anna")
    #expect(try await tags.write(try order(file, overwrites: true)) == .written)
    #expect(try await tags.names(in: copy)?.title == "Nachtfahrt – Ö")
  }

  @Test("a file that is not what it should be, or a copy that cannot be made, leaves no copy")
  func failures() async throws {
    let path = folder.file("x.part")
    try FileBytes.write([UInt8](repeating: 7, count: 5000), to: path)
    for ending in ["mp3", "m4a", "ogg", "opus", "flac", "wav", "mkv"] {
      let result = try await tags.write(try order(MediaFile(path: path, fileExtension: ending)))
      // TagLib finds no frame, but it takes anything as an MP3 or WAV file.
      #expect(result == .failed(.unreadable) || ["mp3", "wav"].contains(ending), "\(ending): \(result)")
    }
    try FileBytes.write(GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes, to: path)
    let file = MediaFile(path: path, fileExtension: "mp3")
    let result = try await tags.write(try order(file, copy: "absent/copy"))
    #expect(result == .failed(.refused(.enoent)))
  }

  @Test("a program that hangs, crashes or is too old is told apart", arguments: ["hang", "crash", "old"])
  func troubles(kind: String) async throws {
    let script = folder.file("tags")
    let old = #"printf '\010\000\000\000invalid\000'; exec sleep 60"#
    let body = kind == "hang" ? "sleep 60" : kind == "crash" ? "kill -SEGV $$" : old
    try Script.write("#!/bin/sh\n\(body)\n", to: script)
    let tags = TagProgram(path: script, patience: 1)
    let path = folder.file("x.part")
    try FileBytes.write(GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes, to: path)
    let order = try order(MediaFile(path: path, fileExtension: "mp3"))
    if kind == "old" {
      await #expect(throws: TagProblem.programTooOld) { _ = try await tags.write(order) }
    } else {
      #expect(try await tags.write(order) == .failed(kind == "hang" ? .tooSlow : .crashed))
    }
  }

  @Test("the audio is known without the tags that other programs write around it")
  func trailingTags() throws {
    let audio = GeneratedAudio(title: "A", seconds: 1, seed: 1)
    let plain = Array(audio.bytes.dropFirst(audio.tag.bytes.count))
    let version1 = Array("TAG".utf8) + [UInt8](repeating: 65, count: 125)
    let ape =
      Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 32, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
    let path = folder.file("x")
    var digests: Set<SyncCore.SHA256Digest?> = []
    for bytes in [
      plain, audio.bytes, audio.bytes + audio.bytes.prefix(0) + version1, plain + ape, plain + ape + version1,
    ] {
      try FileBytes.write(bytes, to: path)
      digests.insert(try media(path))
    }
    #expect(digests.count == 1 && digests.first != .some(nil))
    try FileBytes.write(plain.dropLast() + [1], to: path)
    #expect(try !digests.contains(media(path)))
  }

  @Test("damaged files have no part that could be known", arguments: 0..<6)
  func damaged(number: Int) throws {
    let heads: [[UInt8]] = [
      Array("fLaC".utf8) + [0, 0, 0, 34], Array("OggS".utf8) + [UInt8](repeating: 255, count: 40),
      Array("RIFF".utf8) + [255, 255, 255, 255] + Array("WAVEdata".utf8) + [255, 255, 255, 127],
      [0, 0, 0, 16] + Array("ftypM4A \0\0\0\0".utf8) + [0, 0, 0, 1] + Array("mdat".utf8)
        + [UInt8](repeating: 255, count: 8),
      Array("ID3".utf8) + [4, 0, 0, 127, 127, 127, 127], [],
    ]
    let path = folder.file("x")
    try FileBytes.write(heads[number], to: path)
    #expect(try media(path) == nil)
  }
}
