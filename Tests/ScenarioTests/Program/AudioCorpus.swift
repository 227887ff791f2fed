// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A hundred real audio files in each of three formats, no two alike, one to six seconds long, with tags.
struct AudioCorpus {
  struct Format: Sendable {
    let ending: String
    let type: String
    let encoder: [String]

    static let all = [
      Format(ending: "mp3", type: "audio/mpeg", encoder: ["-c:a", "libmp3lame", "-b:a", "64k"]),
      Format(ending: "m4a", type: "audio/mp4", encoder: ["-c:a", "aac", "-b:a", "64k"]),
      Format(ending: "opus", type: "audio/ogg", encoder: ["-c:a", "libopus", "-b:a", "32k"]),
    ]
  }

  struct File: Sendable {
    let format: Format
    let number: Int
    let size: Int
    var name: String { "\(format.ending)-\(number).\(format.ending)" }
    var title: String { "\(format.ending) track \(number)" }
  }

  let files: [File]

  /// Encodes once for each format; the copies are cut and tagged without encoding again, all by one call.
  init(in root: String) throws {
    let folder = "\(root)/audio"
    try FileBytes.write("", to: "\(folder)/.keep")
    for format in Format.all { try Self.make(format, in: folder) }
    let sizes = Dictionary(uniqueKeysWithValues: try FileTree.list(folder).map { ($0.path, $0.size) })
    files = try Format.all.flatMap { format in
      try (1...100).map { number in
        let file = File(format: format, number: number, size: 0)
        return File(format: format, number: number, size: try #require(sizes[file.name]))
      }
    }
  }

  /// Every other file, so that each half has all formats.
  var halves: ([File], [File]) {
    (files.filter { $0.number.isMultiple(of: 2) }, files.filter { !$0.number.isMultiple(of: 2) })
  }

  private static func make(_ format: Format, in folder: String) throws {
    let tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=7:sample_rate=48000", "-ac", "1"]
    let original = try TemporaryDirectory("syncjob-audio")
    let source = original.file("original.\(format.ending)")
    try ffmpeg(tone + format.encoder + [source])
    let copies = (1...100).flatMap { number in
      let file = File(format: format, number: number, size: 0)
      return ["-map", "0:a", "-c", "copy", "-t", "\(1 + number % 6)", "-metadata", "title=\(file.title)"]
        + ["-metadata", "artist=The Loopbacks", "\(folder)/\(file.name)"]
    }
    try ffmpeg(["-i", source] + copies)
  }

  private static func ffmpeg(_ arguments: [String]) throws {
    let command = try #require(Tool.ffmpeg.command(["-v", "error", "-nostdin", "-y"] + arguments))
    let result = try command.run(timeout: 60)
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }
}
