// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncFormats
import Synchronization
import Testing

/// Every queue counts as long here, so that commands leave their changes in the journal.
@Suite("a closed journal")
struct ClosedJournalTests {
  private typealias Work = StateWorkshop

  private func command(_ work: Work, _ changes: [QueueChange]) async throws {
    let store = try await work.store()
    for change in changes { try store.record([change], now: .now) }
    try store.close(now: Work.now, closingJournalFrom: .zero)
  }

  /// A library in which a run recorded `a` and a command `b`.
  private func commanded(_ files: MemoryFileSystem = MemoryFileSystem()) async throws -> Work {
    let work = Work(files)
    try await work.run([.item(try Work.item("a"))])
    try await command(work, [.item(try Work.item("b"))])
    return work
  }

  @Test("holds what a command changed, and the queue file stays as it is")
  func left() async throws {
    let work = Work()
    try await work.run([.item(try Work.item("a"))])
    let before = try work.bytes(.queue)
    try await command(work, [.item(try Work.item("b"))])
    #expect(try work.bytes(.queue) == before)
    let seen = try #require(try work.read())
    #expect(Work.ids(seen.queue) == ["a", "b"])
    #expect(!seen.isInterrupted && !seen.isSameBoot && seen.recovery.isEmpty)
    #expect(seen.recorded.isEmpty && seen.recordedPaths.isEmpty)
  }

  @Test("is continued by the next command, and stays as it is if that changes nothing")
  func continued() async throws {
    let work = try await commanded()
    let first = try #require(try work.bytes(.journal))
    try await command(work, [])
    #expect(try work.bytes(.journal) == first)
    try await command(work, [.item(try Work.failed("a")), .itemDropped(try #require(ItemID("b")))])
    let second = try #require(try work.bytes(.journal))
    #expect(second.starts(with: first))
    let seen = try #require(try work.read())
    #expect(Work.ids(seen.queue) == ["a"] && seen.recovery.isEmpty && !seen.isInterrupted)
  }

  @Test("ends with the next run, even if that changes nothing", arguments: [true, false])
  func folded(_ hasChange: Bool) async throws {
    let work = try await commanded()
    let first = try work.bytes(.queue)
    try await work.run(hasChange ? [.item(try Work.item("c"))] : [])
    #expect(try work.bytes(.journal) == nil)
    let all = ["a", "b"] + (hasChange ? ["c"] : [])
    #expect(Work.ids(try QueueFile.decode(try #require(try work.bytes(.queue)))) == all)
    #expect(try work.bytes(.previous) == first)
    try work.replace(.queue, [])
    let seen = try #require(try work.read())
    #expect(Work.ids(seen.queue) == all && seen.recovery.loss == nil)
  }

  @Test("stays if the disk has no room for the queue file of a run that changes nothing")
  func fullDisk() async throws {
    let files = MemoryFileSystem()
    let work = try await commanded(files)
    let journal = try work.bytes(.journal)
    let store = try await work.store()
    files.state.withLock { $0.trap = DiskTrap(.write, 1, ENOSPC, lasts: true) }
    try store.close(now: Work.now)
    files.state.withLock { $0.trap = nil }
    #expect(try work.bytes(.journal) == journal)
    #expect(Work.ids(try work.read()?.queue) == ["a", "b"])
    #expect(try !work.names().contains { $0.hasSuffix(".tmp") })
  }

  @Test("is not begun beside a short queue file, and ends when it is long")
  func bounds() async throws {
    let work = Work()
    try await work.run([.item(try Work.item("a"))])
    let store = try await work.store()
    try store.record([.item(try Work.item("b"))], now: .now)
    try store.close(now: Work.now, closingJournalFrom: ByteCount(1 << 20))
    #expect(try work.bytes(.journal) == nil)
    try await command(work, [.item(try Work.item("c"))])
    #expect(try work.bytes(.journal) != nil)
    try await command(work, try (0..<600).map { .item(try Work.item("item-\($0)")) })
    #expect(try work.bytes(.journal) == nil)
    #expect(try work.read()?.queue.items.count == 603)
  }

  @Test("shows only the records of the command that was killed after it as interrupted")
  func killedAfter() async throws {
    let files = MemoryFileSystem()
    let work = try await commanded(files)
    let store = try await work.store()
    try store.record([.item(try Work.item("c"))], now: .now)
    try store.sync()
    let after = Work(files.afterKill())
    let seen = try #require(try after.read())
    #expect(Work.ids(seen.queue) == ["a", "b", "c"] && seen.isInterrupted && seen.isSameBoot)
    #expect(seen.recorded.map(\.text) == ["c"])
    let next = try await after.store()
    #expect(next.opened.isInterrupted && Work.ids(next.queue) == ["a", "b", "c"])
    #expect(try after.bytes(.journal) == nil)
  }

  @Test("is replaced with everything else by another state")
  func replaced() async throws {
    let work = try await commanded()
    let store = try await work.store()
    let other = Queue(libraryID: "other", savedAt: Work.now, items: [try Work.item("z")])
    try store.replace(by: other, now: Work.now)
    try store.close(now: Work.now)
    #expect(try work.bytes(.journal) == nil)
    #expect(Work.ids(try work.read()?.queue) == ["z"])
  }

  @Test("is repaired like any other when it is damaged")
  func damaged() async throws {
    let work = try await commanded()
    try await command(work, [.item(try Work.item("c"))])
    var bytes = try #require(try work.bytes(.journal))
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    bytes[ends[2] + 30] ^= 1
    try work.replace(.journal, bytes)
    let store = try await work.store()
    #expect(Work.ids(store.queue) == ["a", "b", "c"])
    #expect(store.opened.recovery.damagedLines == 1)
    #expect(try work.bytes(.journal) == nil)
  }

  @Test("serves to restore a queue file that is lost")
  func queueFileLost() async throws {
    let work = Work()
    try await work.run([.item(try Work.item("a"))])
    try await work.run([.item(try Work.item("b"))])
    try await command(work, [.item(try Work.item("c"))])
    try work.replace(.queue, [])
    let store = try await work.store()
    #expect(Work.ids(store.queue) == ["a", "b", "c"] && store.opened.recovery.loss == nil)
    #expect(try work.bytes(.journal) == nil)
  }

  @Test("killed or cut off from power after any step of two commands and a run, nothing is lost")
  func everyStep() async throws {
    for power in [false, true] {
      for steps in 0..<200 {
        let files = MemoryFileSystem()
        let work = Work(files)
        try await work.run([.item(try Work.item("a"))])
        files.allow(changes: steps)
        var done = ["a"]
        do {
          for id in ["b", "c"] {
            try await command(work, [.item(try Work.item(id))])
            done.append(id)
          }
          try await work.run([.item(try Work.item("d"))])
          done.append("d")
        } catch is StateError {} catch is StateWriteError {} catch is FileError {}
        let after = Work(power ? files.afterPowerCut() : files.afterKill())
        let seen = Work.ids(try after.read()?.queue)
        #expect(seen.starts(with: done), "step \(steps), power cut: \(power)")
        let store = try await after.store()
        #expect(Work.ids(store.queue) == seen, "step \(steps), power cut: \(power)")
        #expect(store.opened.recovery.loss == nil)
        try store.close(now: Work.now)
        #expect(try !after.names().contains { $0.hasSuffix(".tmp") || $0 == "download_queue.journal" })
        try after.replace(.queue, [])
        #expect(Work.ids(try after.read()?.queue) == seen, "step \(steps), power cut: \(power)")
        if done.count == 4 { break }
        #expect(steps < 199)
      }
    }
  }
}
