// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import SyncFormats
import Testing

@testable import SyncDisk

@Suite("the log of plays on the disk")
struct PlayLogStoreTests {
  private let workshop = StateWorkshop()

  private func line(_ id: String, _ seconds: Int, total: Int) throws -> PlayLog.Line {
    .play(
      try #require(ItemID(id)), .init(at: StateWorkshop.now + .seconds(seconds), source: .listens), total: total)
  }

  private func store() throws -> PlayLogStore { PlayLogStore(try workshop.folder()) }

  private func text() throws -> [String] {
    let bytes = try workshop.bytes(.plays) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  @Test("lines are added at the end, for the owner's eyes only; what a new log begins with is asked for once")
  func append() throws {
    let first = PlayLog.Line.folded(try #require(ItemID("z")), until: StateWorkshop.now, total: 9)
    try store().append([])
    #expect(try workshop.bytes(.plays) == nil)
    try store().append([try line("a", 0, total: 1)]) { [first] }
    try store().append([try line("a", 1, total: 2), try line("b", 2, total: 1)]) { [first, first] }
    #expect(try text().count == 5)
    #expect(try text()[0] == #"{"id":"z","until":"2025-11-21T06:00:03Z","total":9,"crc":"8bf9e6ff"}"#)
    #expect(try text()[3] == #"{"id":"b","at":"2025-11-21T06:00:05Z","source":"listens","total":1,"crc":"1b92b405"}"#)
    let place = try workshop.folder().place(.plays)
    #expect(try workshop.files.status(of: place)?.mode == .privateFile)
    let reading = try #require(try store().read())
    #expect(reading.log.lineCount == 4 && reading.damagedLines == 0 && !reading.isTorn)
  }

  @Test("a torn last line goes when the next one comes")
  func torn() throws {
    try store().append([try line("a", 0, total: 1), try line("a", 1, total: 2)])
    let whole = try #require(try workshop.bytes(.plays))
    for length in [whole.count - 1, whole.count - 20, whole.count / 2 - 3, 1] {
      try workshop.replace(.plays, Array(whole.prefix(length)))
      #expect(try store().read()?.isTorn == true, "\(length)")
      try store().append([try line("c", 5, total: 1)])
      let reading = try #require(try store().read())
      #expect(!reading.isTorn && reading.damagedLines == 0, "\(length)")
      let lines = try text()
      #expect(lines.last == "" && lines.dropLast().last?.contains("\"c\"") == true)
    }
  }

  @Test("a log is put in another's place, or removed by one without lines")
  func replace() throws {
    try store().append([try line("a", 0, total: 1)])
    try store().replace([try line("b", 0, total: 1)])
    #expect(
      try text() == [#"{"id":"b","at":"2025-11-21T06:00:03Z","source":"listens","total":1,"crc":"52dda33a"}"#, ""])
    try store().replace([])
    #expect(try store().read() == nil)
  }
}
