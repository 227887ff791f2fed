// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SyncFormats

@Suite("the entries of an edited playlist file")
struct M3U8EntriesTests {
  @Test(
    "are its lines without comments",
    arguments: [
      ("#EXTM3U\n#SYNCJOB-PLAYLIST:gym Gym.m3u8\nGym/a.mp3\n#SYNCJOB-END:gym\n", ["Gym/a.mp3"], true, false),
      ("#EXTM3U\r\n\r\n  Gym/a.mp3  \r\n#EXTINF:3,x\r\nGym/b.mp3\r\n", ["Gym/a.mp3", "Gym/b.mp3"], false, false),
      ("\u{FEFF}#EXTM3U\na\n", ["a"], false, false), ("\u{FEFF}a\nb", ["a", "b"], false, true), ("", [], false, false),
      ("a\n#SYNCJOB-END:gym", ["a"], true, false), ("a\n# x", ["a"], false, true),
    ])
  func entries(_ text: String, _ lines: [String], _ hasEnd: Bool, _ isCut: Bool) throws {
    let entries = try #require(M3U8Entries(Array(text.utf8)))
    #expect(entries.lines == lines && entries.hasEnd == hasEnd && entries.isCut == isCut)
  }

  @Test("bytes that are not text have none")
  func notText() {
    for bytes in [[0x61, 0], [0xFF, 0xFE, 0x61, 0x0A], [0xC3]] as [[UInt8]] { #expect(M3U8Entries(bytes) == nil) }
  }
}
