// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("generated audio")
struct GeneratedAudioTests {
  @Test("the size is the sum of tag and frames at the bit rate", arguments: [GeneratedAudio.BitRate.kbps32, .kbps64])
  func size(bitRate: GeneratedAudio.BitRate) {
    let audio = GeneratedAudio(title: "A", artist: "B", album: "C", seconds: 100, seed: 1, bitRate: bitRate)
    let frames = audio.bytes.count - audio.tag.bytes.count
    #expect(audio.bytes.count == audio.size)
    #expect(abs(Double(frames) - audio.seconds * Double(bitRate.rawValue) * 125) < 1)
    #expect(abs(audio.seconds - 100) < 1152.0 / 44100)
  }

  @Test("seeds make files differ, and the same seed the same file")
  func seeds() {
    let files = [1, 1, 2].map { GeneratedAudio(title: "A", seconds: 1, seed: $0).bytes }
    let (same, different) = (files[0] == files[1], files[0] != files[2])
    #expect(same && different)
  }

  @Test("a large body begins like the file and is the same in any slices")
  func largeBody() {
    let audio = GeneratedAudio(title: "A", seconds: 1, seed: 1)
    let body = audio.body(count: 200_000)
    let whole = body.bytes(in: 0..<200_000)
    let beginsAlike = whole.prefix(1000) == audio.bytes.prefix(1000)
    #expect(beginsAlike)
    let cuts = [0, 1, 7, 65_535, 65_540, 131_071, 131_073, 200_000]
    let joined = zip(cuts, cuts.dropFirst()).flatMap { body.bytes(in: $0..<$1) } == whole
    #expect(joined)
    #expect(whole[65_536..<65_552] != whole[131_072..<131_088], "blocks carry their number")
  }

  @Test("ffprobe reads duration, bit rate and tags", .requires(.ffprobe))
  func probe() throws {
    let folder = try TemporaryDirectory()
    let audio = GeneratedAudio(title: "Nächtliche Fahrt", artist: "B", album: "C", seconds: 225, seed: 3)
    try FileBytes.write(audio.bytes, to: folder.file("a.mp3"))
    let entries = "format=duration,bit_rate,format_name:format_tags=title,artist,album"
    let probe = Tool.ffprobe.command(
      ["-v", "error", "-show_entries", entries, "-of", "default=noprint_wrappers=1", folder.file("a.mp3")])
    let result = try #require(probe).run()
    #expect(result.standardError == "")
    let values = Dictionary(
      uniqueKeysWithValues: result.standardOutput.split(separator: "\n").map {
        let pair = $0.split(separator: "=", maxSplits: 1)
        return (String(pair[0]), String(pair.last ?? ""))
      })
    #expect(values["TAG:title"] == "Nächtliche Fahrt")
    #expect(values["TAG:album"] == "C")
    #expect(values["format_name"] == "mp3")
    let duration = try #require(values["duration"].flatMap(Double.init))
    #expect(abs(duration - audio.seconds) < 1152.0 / 44100)
  }

  @Test(
    "ffmpeg decodes every frame without complaint", .requires(.ffmpeg),
    arguments: [GeneratedAudio.BitRate.kbps32, .kbps64])
  func decodes(bitRate: GeneratedAudio.BitRate) throws {
    let folder = try TemporaryDirectory()
    let audio = GeneratedAudio(title: "A", seconds: 30, seed: 4, bitRate: bitRate)
    try FileBytes.write(audio.bytes, to: folder.file("a.mp3"))
    let decode = Tool.ffmpeg.command(
      ["-v", "warning", "-nostdin", "-xerror", "-i", folder.file("a.mp3"), "-f", "s16le", folder.file("a.raw")])
    let result = try #require(decode).run()
    #expect(result.ending == .exited(0))
    #expect(!result.standardError.contains("rror"), "\(result.standardError)")
    let samples = try FileBytes.read(folder.file("a.raw"))
    #expect(abs(samples.count / 2 - audio.frameCount * 1152) <= 2 * 1152)
    let silent = samples.allSatisfy { $0 == 0 }
    #expect(silent)
  }
}
