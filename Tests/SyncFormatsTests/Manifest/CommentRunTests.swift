// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("a run of comments in a manifest")
struct CommentRunTests {
  /// Shorter than the one for manifests, so that the texts are, too.
  private static let limit = 512 << 10
  /// Longer than the limit by more than a piece, because a piece with other content does not count.
  private static let long = comments(limit + (512 << 10))
  private static let short = comments(limit - 1)

  private static func comments(_ size: Int) -> String { String(repeating: "# a comment\n\n", count: size / 13) }

  @Test(
    "ends the reading when it is longer than the reader accepts",
    arguments: [
      (long, true), ("version: 1\n" + long, true), ("  " + long, true),
      ("version: 1 #\n  #" + String(repeating: "#", count: limit), true),
      ("#" + String(repeating: " ", count: limit), true),
      (String(repeating: "\r", count: limit + 1), true),
      (short, false), (short + "a: 1\n" + short, false),
      (String(repeating: "a: 1 # a comment\n", count: 1 << 16), false),
      ("[" + String(repeating: "1,", count: 1 << 20), false),
    ], [1000, 4096, 256 << 10])
  func endless(text: (String, Bool), pieceSize: Int) {
    var run = CommentRun(limit: Self.limit)
    let bytes = Array(text.0.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieceSize) {
      run.take(Array(bytes[start..<min(bytes.count, start + pieceSize)]))
    }
    #expect(run.isEndless == text.1)
  }
}
