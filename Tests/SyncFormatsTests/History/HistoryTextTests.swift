// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a history that comes in pieces")
struct HistoryTextTests {
  private func tracks(_ bytes: [UInt8], of size: Int) throws -> (tracks: [Listening], passedOver: Int) {
    var tracks: [Listening] = []
    let remarks = try ScrobblerLog.read(pieces(bytes, of: size), zone: .utc) { tracks.append($0) }
    return (tracks, remarks.passedOver)
  }

  @Test("is the same however it is cut", arguments: [1, 2, 3, 13, 100, 255, 256, 257, 1 << 20])
  func cuts(size: Int) throws {
    let line = "A\tB\tC\t1\t200\tL\t1763690000\t\r\n"
    let text =
      "\u{FEFF}#AUDIOSCROBBLER/1.1\n#TZ/UTC\n\n\r\njunk\n" + String(repeating: line, count: 40) + "A\tB\tlast"
      + "\t1\t200\tL\t1763690001"
    let (tracks, passedOver) = try tracks(Array(text.utf8), of: size)
    #expect(tracks.count == 41 && passedOver == 1)
    #expect(tracks.last?.at == Timestamp(secondsSince1970: 1_763_690_001))
    var listens = 0
    let json = Array(String(repeating: "{\"id\":\"a\",\"at\":1763690000}\nx\n", count: 30).utf8)
    #expect(try ListenLines.read(pieces(json, of: size)) { _ in listens += 1 } == 30)
    #expect(listens == 30)
  }

  @Test("is of another kind, or nothing at all, however it is cut", arguments: [1, 300])
  func kinds(size: Int) throws {
    #expect(throws: HistoryProblem.wrongKind(found: .jsonLines, expected: .scrobblerLog)) {
      try tracks(Array("{\"id\":1}\n".utf8), of: size)
    }
    for nothing in ["", "\n", String(repeating: " ", count: 700)] {
      #expect(try tracks(Array(nothing.utf8), of: size).tracks.isEmpty)
    }
  }

  @Test("a line without an end fills no memory, and the ones behind it are read")
  func longLine() throws {
    let head = Array("#AUDIOSCROBBLER/1.1\n".utf8)
    let line = Array("A\tB\tC\t1\t200\tL\t1763690000\n".utf8)
    let endless = [UInt8](repeating: UInt8(ascii: "x"), count: 9 << 20)
    let (tracks, passedOver) = try tracks(head + line + endless + [0x0A] + line, of: 256 << 10)
    #expect(tracks.count == 2 && passedOver == 1)
  }
}
