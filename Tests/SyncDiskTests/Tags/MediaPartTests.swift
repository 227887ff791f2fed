// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncTestSupport
import Testing

@testable import SyncDisk

@Suite("The media part of a file", .timeLimit(.minutes(1)))
struct MediaPartTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func ranges(_ bytes: [UInt8]) throws -> [Range<Int64>]? {
    try FileBytes.write(bytes, to: folder.file("x"))
    let files = POSIXFileSystem()
    let root = try files.openRoot(folder.path, making: nil)
    return try MediaPart(of: files.open(try #require(FilePlace(root).child("x")), for: .reading))?.ranges
  }

  private static let audio: [UInt8] = [0xFF, 0xFB] + Array(repeating: 7, count: 198)

  private static func lyrics(_ length: String) -> [UInt8] {
    Array("LYRICSBEGIN".utf8) + Array(repeating: 65, count: 29) + Array("\(length)LYRICS200".utf8)
  }

  private static func ape(_ length: UInt8) -> [UInt8] {
    Array("APETAGEX".utf8) + [208, 7, 0, 0, length, 0, 0, 0] + Array(repeating: 0, count: 16)
  }

  @Test(
    "ends before the tags behind it, whatever length they state",
    arguments: [
      (lyrics("000040"), 200), (ape(32), 200), (Array("TAG".utf8) + Array(repeating: 0, count: 125), 200),
      (lyrics("000040") + Array("TAG".utf8) + Array(repeating: 0, count: 125), 200),
      // A length that leads nowhere, forward, or before the file is none.
      (lyrics("-00015"), 255), (lyrics("-00099"), 255), (lyrics("999999"), 255), (lyrics("000x40"), 255),
      (ape(0), 232), (ape(255), 232),
    ] as [([UInt8], Int64)])
  func end(_ tags: [UInt8], _ end: Int64) throws {
    #expect(try ranges(Self.audio + tags) == [0..<end])
  }

  /// A frame of 417 bytes, with this text behind the side information of two channels.
  private static func frame(_ text: String, mono: Bool = false) -> [UInt8] {
    let start: [UInt8] = [0xFF, 0xFB, 0x90, mono ? 0xC0 : 0x40] + Array(repeating: 0, count: mono ? 17 : 32)
    let head = start + Array(text.utf8)
    return head + Array(repeating: 0, count: 417 - head.count)
  }

  @Test(
    "begins behind a frame that only describes the others",
    arguments: [
      (frame("Xing"), 417), (frame("Info"), 417), (frame("VBRI"), 417), (frame("Info", mono: true), 417),
      (frame("Xinx"), 0), (frame("Info", mono: true).prefix(3) + [0x40] + frame("Info", mono: true).dropFirst(4), 0),
    ] as [([UInt8], Int64)])
  func headerFrame(_ first: [UInt8], _ start: Int64) throws {
    let audio = Self.frame("")
    #expect(try ranges(first + audio) == [start..<Int64(first.count + audio.count)])
    // A file of one frame has nothing else.
    #expect(try ranges(first) == [0..<417])
  }

  @Test(
    "is inside the file, whatever its bytes are",
    arguments: ["", "ID3", "fLaC", "OggS", "RIFF....WAVE", "....ftyp"])
  func anything(_ start: String) throws {
    var chance = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let size = Int.random(in: 0..<400, using: &chance)
      // Small numbers are lengths more often.
      let most: UInt8 = Bool.random(using: &chance) ? 255 : 3
      let bytes = Array(start.utf8) + (0..<size).map { _ in UInt8.random(in: 0...most, using: &chance) }
      var last: Int64 = 0
      for range in try ranges(bytes) ?? [] {
        #expect(range.lowerBound >= last && range.upperBound <= bytes.count, "\(bytes)")
        last = range.upperBound
      }
    }
  }
}
