// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("lines that stand at the bottom of a terminal")
struct ProgressBlockTests {
  private let escape = "\u{1B}["

  @Test("are drawn without wrapping, and the cursor waits where an echoed ^C begins no other line")
  func first() {
    var block = ProgressBlock()
    #expect(
      block.update(to: ["one", "two"], below: [], columns: 80)
        == "\(escape)?7lone\(escape)K\ntwo\(escape)K\r\(escape)?7h")
  }

  @Test("are not drawn again while nothing changes")
  func unchanged() {
    var block = ProgressBlock()
    #expect(block.update(to: [], below: [], columns: 80).isEmpty)
    _ = block.update(to: ["one"], below: [], columns: 80)
    #expect(block.update(to: ["one"], below: [], columns: 80).isEmpty)
    #expect(!block.update(to: ["two"], below: [], columns: 80).isEmpty)
  }

  @Test("make place for a line above them")
  func said() {
    var block = ProgressBlock()
    _ = block.update(to: ["one", "two"], below: [], columns: 80)
    #expect(
      block.update(to: ["one", "two"], below: ["done"], columns: 80)
        == "\r\(escape)1A\(escape)Jdone\n\(escape)?7lone\(escape)K\ntwo\(escape)K\r\(escape)?7h")
  }

  @Test("leave nothing behind in any row of a line above them that has wrapped")
  func saidInRows() {
    var block = ProgressBlock()
    _ = block.update(to: ["progress of an item 123"], below: [], columns: 30)
    let text = block.update(to: ["new"], below: ["a long message;\n    attempt 2"], columns: 30)
    #expect(text == "\r\(escape)Ja long message;\n    attempt 2\n\(escape)?7lnew\(escape)K\r\(escape)?7h")
  }

  @Test("leave nothing behind when they become fewer, or go")
  func fewer() {
    var block = ProgressBlock()
    _ = block.update(to: ["one", "two"], below: [], columns: 80)
    #expect(
      block.update(to: ["one"], below: [], columns: 80)
        == "\r\(escape)1A\(escape)?7lone\(escape)K\(escape)J\r\(escape)?7h")
    #expect(block.update(to: [], below: [], columns: 80) == "\r\(escape)J")
    #expect(block.update(to: [], below: ["end"], columns: 80) == "\(escape)Jend\n")
  }

  @Test("are found again on a terminal that became narrower and has wrapped them")
  func narrower() {
    var block = ProgressBlock()
    _ = block.update(to: [String(repeating: "x", count: 70), "two"], below: [], columns: 80)
    // The first one has become three rows: up by three from the last.
    #expect(
      block.update(to: ["new"], below: [], columns: 30)
        == "\r\(escape)3A\(escape)?7lnew\(escape)K\(escape)J\r\(escape)?7h")
  }
}
