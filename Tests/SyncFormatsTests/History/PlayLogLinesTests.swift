// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the log of plays")
struct PlayLogLinesTests {
  private static let at = Timestamp(secondsSince1970: 1_763_690_000)

  private func lines() throws -> [PlayLog.Line] {
    let (a, b) = (try #require(ItemID("night-drive")), try #require(ItemID("b\"\u{E9}")))
    return [
      .play(a, .init(at: Self.at, source: .scrobblerLog), total: 4),
      .play(b, .init(at: Self.at, source: .mpdStickers, count: 3), total: 3),
      .play(b, .init(at: Self.at + .seconds(60), source: .listens, resolution: .minute), total: 4),
      .folded(a, until: Self.at - .days(400), total: 3),
      .counter(.init(source: .mpdStickers, place: "/m/sticker.sql", uri: "a.mp3"), .init(value: 5, lastAt: Self.at)),
    ]
  }

  @Test("one line a play, as documented")
  func text() throws {
    let text = String(decoding: PlayLogLines.encode(try lines()), as: UTF8.self)
    #expect(
      text.split(separator: "\n").map(String.init) == [
        #"{"id":"night-drive","at":"2025-11-21T01:53:20Z","source":"scrobbler_log","total":4,"crc":"6ee2bd6a"}"#,
        #"{"id":"b\"é","at":"2025-11-21T01:53:20Z","source":"mpd_stickers","count":3,"total":3,"crc":"254fcd33"}"#,
        #"{"id":"b\"é","at":"2025-11-21T01:54:20Z","source":"listens","exact":"minute","total":4,"crc":"169d7861"}"#,
        #"{"id":"night-drive","until":"2024-10-17T01:53:20Z","total":3,"crc":"b98df193"}"#,
        #"{"counter":"mpd_stickers","place":"/m/sticker.sql","uri":"a.mp3","value":5,"at":"2025-11-21T01:53:20Z","#
          + #""crc":"6bf2d37b"}"#,
      ])
  }

  @Test("what is written is read back")
  func roundTrip() throws {
    let reading = PlayLogLines.read(PlayLogLines.encode(try lines()))
    #expect(reading.log == (try lines()).reduce(into: PlayLog()) { $0.add($1) })
    #expect(reading.damagedLines == 0 && !reading.isTorn)
  }

  @Test("a torn last line is that alone; damage in the middle costs its line; what is not known is left alone")
  func damage() throws {
    let whole = PlayLogLines.encode(try lines())
    let torn = PlayLogLines.read(Array(whole.dropLast(12)))
    #expect(torn.isTorn && torn.damagedLines == 0 && torn.log.lineCount == 4)
    let tail = PlayLogLines.read(whole + [0, 0, 0])
    #expect(tail.isTorn && tail.damagedLines == 0 && tail.log.lineCount == 5)
    var damaged = whole
    damaged[3] = 0xFF
    let reading = PlayLogLines.read(damaged)
    #expect(!reading.isTorn && reading.damagedLines == 1 && reading.log.lineCount == 4)
    let mark = #"{"mark":1,"crc":"26ee5237"}"# + "\n"
    let unknown = #"{"id":"a","at":"2025-11-21T01:53:20Z","source":"x","crc":"0f11ea5f"}"# + "\n"
    let later = PlayLogLines.read(Array((mark + unknown).utf8))
    #expect(!later.isTorn && later.damagedLines == 0 && later.log.lineCount == 0)
    #expect(PlayLogLines.repaired(Array((mark + unknown).utf8), later) == Array((mark + unknown).utf8))
  }

  @Test("every change of a byte is noticed, and costs its line alone")
  func everyByte() throws {
    let whole = PlayLogLines.encode(try lines())
    #expect(PlayLogLines.isProven(whole))
    for index in whole.indices.dropLast() {
      for bit in [UInt8(1), 4, 32] {
        var bytes = whole
        bytes[index] ^= bit
        let reading = PlayLogLines.read(bytes)
        #expect(!PlayLogLines.isProven(bytes), "\(index)")
        #expect(reading.damagedLines > 0, "\(index)")
        // A damaged line break costs neither of its neighbours.
        let isBreak = whole[index] == UInt8(ascii: "\n")
        #expect(reading.log.lineCount == (isBreak ? 5 : 4), "\(index)")
        let repaired = PlayLogLines.read(PlayLogLines.repaired(bytes, reading))
        #expect(repaired.isWhole && repaired.log == reading.log, "\(index)")
      }
    }
  }

  @Test("lines of versions without checks count, unless something shows that they had one")
  func unchecked() {
    func reading(_ line: String) -> PlayLogLines.Reading { PlayLogLines.read(Array((line + "\n").utf8)) }
    let old = #"{"id":"a","at":"2025-11-21T01:53:20Z","source":"played","total":1}"#
    #expect(reading(old).isWhole && reading(old).log.lineCount == 1)
    #expect(!PlayLogLines.isProven(Array((old + "\n").utf8)))
    for line in [
      old.dropLast() + #","crb":"6ee2bd6a"}"#, old.dropLast() + #","crc":"6ee2bd6"}"#,
      old.dropLast() + #","crc":"6ee2bd6a" }"#, "\(old.replacing("played", with: "plaYed"))",
    ] {
      #expect(reading(String(line)).damagedLines == 1 && reading(String(line)).log.lineCount == 0, "\(line)")
    }
  }

  @Test("no cut and no change of a byte ends the program", arguments: 0..<50)
  func anyBytes(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    var bytes = PlayLogLines.encode(try lines())
    for _ in 0..<4 {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    let reading = PlayLogLines.read(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
    #expect(reading.log.lineCount <= 10)
  }
}
