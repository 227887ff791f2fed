// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

private func bytes(_ parts: Any...) -> [UInt8] {
  parts.flatMap { part in
    switch part {
    case let text as String: Array(text.utf8)
    case let numbers as [Int]: numbers.map { UInt8($0) }
    default: [UInt8]()
    }
  }
}

/// MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes a frame.
private let mp3Frame = bytes([0xFF, 0xFB, 0x90, 0x64]) + Array(repeating: 0, count: 413)
/// MPEG-2 layer III, 64 kbit/s, 22.05 kHz: 208 bytes a frame.
private let mpeg2Frame = bytes([0xFF, 0xF3, 0x80, 0xC4]) + Array(repeating: 0, count: 204)
/// MPEG-1 layer II, 192 kbit/s, 48 kHz: 576 bytes a frame.
private let layer2Frame = bytes([0xFF, 0xFD, 0xA4, 0x04]) + Array(repeating: 0, count: 572)
/// AAC LC, 44.1 kHz, stereo, 371 bytes a frame.
private let adtsFrame = bytes([0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC]) + Array(repeating: 0, count: 364)

@Suite("the first bytes of a body")
struct SniffedContentTests {
  @Test(
    "media are known by their signatures and frames",
    arguments: [
      (bytes("ID3", [4, 0, 0, 0, 0x0F, 0x7F, 0x7F]), .mp3),
      (bytes("ID3", [3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], "TIT2"), .mp3),
      (bytes("ID3", [4, 0, 0, 0, 0, 0, 2], "xxfLaC"), .flac), (bytes("ID3", [4, 0, 0, 0, 0, 0, 0]) + adtsFrame, .aac),
      (mp3Frame, .mp3), (mp3Frame + mp3Frame, .mp3), (mpeg2Frame + mpeg2Frame, .mp3), (layer2Frame + layer2Frame, .mp3),
      ([0, 0, 0, 7, 0xFF] + mp3Frame + mp3Frame, .mp3), (Array(mp3Frame.prefix(10)), .mp3),
      (adtsFrame + adtsFrame, .aac), (adtsFrame, .aac),
      (bytes([0, 0, 0, 0x1C], "ftypM4A ", [0, 0, 2, 0]), .m4a), (bytes([0, 0, 0, 0x20], "ftypM4B "), .m4b),
      (bytes([0, 0, 0, 0x18], "ftypisom", [0, 0, 2, 0], "isomiso2"), .mp4), (bytes([0, 0, 0, 0x14], "ftypqt  "), .mov),
      (bytes([0, 0, 0, 0x18], "ftypdash"), .mp4), (bytes([0, 0, 0x10, 0], "moov", [0, 0, 0, 0x6C], "mvhd"), .mov),
      (bytes("OggS", [0, 2], [Int](repeating: 0, count: 20), [1, 19], "OpusHead", [1, 2]), .opus),
      (bytes("OggS", [0, 2], [Int](repeating: 0, count: 20), [1, 30, 1], "vorbis"), .ogg),
      (bytes("OggS", [0, 2], [Int](repeating: 0, count: 20), [1, 51, 0x7F], "FLAC"), .ogg),
      (bytes("fLaC", [0, 0, 0, 0x22]), .flac), (bytes("RIFF", [0x24, 0x08, 0, 0], "WAVEfmt "), .wav),
      (bytes("FORM", [0, 0, 1, 0], "AIFFCOMM"), .aiff), (bytes("FORM", [0, 0, 1, 0], "AIFCFVER"), .aiff),
      (bytes([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9]), .wma),
      (bytes([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84], "webm"), .webm),
      (bytes([0x1A, 0x45, 0xDF, 0xA3, 0xA3, 0x42, 0x82, 0x88], "matroska"), .mkv),
      (bytes("MAC ", [0x96, 0x0F]), .ape), (bytes("wvpk", [0, 1, 0, 0]), .wv), (bytes("DSD ", [0x1C, 0]), .dsf),
    ] as [([UInt8], MediaType)])
  func media(bytes: [UInt8], expected: MediaType) {
    #expect(SniffedContent(bytes.span) == .media(expected))
  }

  @Test(
    "what is no media is named",
    arguments: [
      ([], "nothing"), (bytes("<!DOCTYPE html><html>"), "a web page"), (bytes("\u{FEFF}\r\n <HTML>"), "a web page"),
      (bytes("<!-- x -->\n<!doctype html>"), "a web page"),
      (bytes("<?xml version='1.0'?><!DOCTYPE html><html>"), "a web page"),
      (bytes("<title>404"), "a web page"), (bytes("<?xml version='1.0'?><subsonic-response/>"), "XML"),
      (bytes("<rss>"), "XML"),
      (bytes(" {\"error\":1}"), "JSON"), (bytes("[]"), "JSON"), (bytes("Not found\n"), "plain text"),
      (bytes("Größe"), "plain text"),
      ([0xFF, 0xFE, 0x68, 0, 0x69, 0, 0x68, 0], "plain text"), (bytes("#EXTM3U\n#EXTINF"), "a playlist"),
      (bytes("PK", [3, 4, 20, 0]), "a ZIP archive"), (bytes([0x1F, 0x8B, 8]), "compressed data"),
      (bytes("%PDF-1.7"), "a PDF document"),
      (bytes([0, 1, 2, 3, 4, 5, 6, 7]), "nothing known"), (Array(repeating: 0, count: 5000), "nothing known"),
      (bytes([0xFF, 0xFB, 0xF0, 0x64, 0, 0, 0]), "nothing known"),
      (bytes([0xFF, 0xFB, 0x9C, 0x64, 0, 0, 0]), "nothing known"),
      (mp3Frame + Array(repeating: 1, count: 417), "nothing known"),
    ] as [([UInt8], String)])
  func others(bytes: [UInt8], name: String) {
    #expect(SniffedContent(bytes.span) == .other(name))
  }

  @Test("every prefix of real headers is sniffed without a crash")
  func prefixes() {
    for sample in [bytes("ID3", [4, 0, 0, 0, 0, 0, 2], "xxfLaC"), mp3Frame + mp3Frame, adtsFrame + adtsFrame] {
      for length in 0...sample.count { _ = SniffedContent(Array(sample[..<length]).span).media }
      #expect(SniffedContent(sample.span).media != nil)
    }
  }
}
