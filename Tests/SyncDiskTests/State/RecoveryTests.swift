// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncFormats
import Testing

@Suite("recovery of the state")
struct RecoveryTests {
  private typealias Work = StateWorkshop

  /// A folder after a good run with `a` and a failed `b`, and a killed one that recorded `c`, `d`, `e`.
  private func killed() async throws -> Work {
    let files = MemoryFileSystem()
    try await Work(files).run([.item(try Work.item("a")), .item(try Work.failed("b"))])
    let store = try await Work(files).store()
    for id in ["c", "d", "e"] { try store.record([.item(try Work.item(id))], now: .now) }
    try store.sync()
    return Work(files.afterKill())
  }

  @Test("a killed run's changes are found, and put into a new queue file by the next")
  func killedRun() async throws {
    let work = try await killed()
    let seen = try #require(try work.read())
    #expect(Work.ids(seen.queue) == ["a", "b", "c", "d", "e"])
    #expect(seen.isInterrupted && seen.isSameBoot)
    let store = try await work.store()
    #expect(store.opened.isInterrupted && store.opened.isSameBoot)
    #expect(Work.ids(store.queue) == ["a", "b", "c", "d", "e"])
    try store.close(now: Work.now)
    #expect(try work.bytes(.journal) == nil)
    let after = try #require(try work.read())
    #expect(!after.isInterrupted)
    #expect(after.queue.items == seen.queue.items)
  }

  @Test("reading alone changes nothing")
  func readOnly() async throws {
    let work = try await killed()
    try work.replace(.queue, [0, 0, 0])
    let files = try #require(work.files as? MemoryFileSystem)
    let before = files.changeCount
    #expect(Work.ids(try work.read()?.queue) == ["a", "b", "c", "d", "e"])
    #expect(files.changeCount == before)
  }

  @Test("another boot is told from this one")
  func otherBoot() async throws {
    let work = try await killed()
    let other = try QueueStore.read(try work.folder(), bootID: "another")
    #expect(other?.isSameBoot == false)
    #expect(try QueueStore.read(try work.folder(), bootID: nil)?.isSameBoot == false)
  }

  @Test("a file that two items have after a record was lost is the one's that was recorded last")
  func oneOwner() async throws {
    let work = Work()
    let path = try #require(LibraryPath("all/A.mp3"))
    let digest = try #require(SHA256Digest(hex: String(repeating: "0f", count: 32)))
    let file = StoredFile(path: path, size: ByteCount(9), sha256: digest, completedAt: Work.now)
    var later = try Work.item("b", .completed(file))
    later.updatedAt = Work.now + .seconds(5)
    let store = try await work.store()
    try store.record([.item(later), .item(try Work.item("a", .completed(file)))], now: .now)
    try store.sync()
    let after = Work(try #require(work.files as? MemoryFileSystem).afterKill())
    let next = try await after.store()
    #expect(next.queue.items.map(\.state.name) == [.completed, .removed])
    try next.close(now: Work.now)
    #expect(try after.read()?.queue.items.map(\.state.name) == [.completed, .removed])
  }

  @Test("the items that were being fetched are counted")
  func interruptedItems() async throws {
    let work = Work()
    let attempt = Attempt(candidate: 0, attempts: 1)
    try await work.run([
      .item(try Work.item("a", .downloading(attempt))),
      .item(try Work.item("b", .retrying(attempt, nextAttemptAt: Work.now))), .item(try Work.item("c")),
    ])
    let opened = try #require(try work.read())
    #expect(opened.recovery.interruptedItems == 2)
    #expect(opened.isInterrupted)
    #expect(opened.recovery.notes == [.itemsRequeued(2)])
  }

  @Test("a journal cut at any byte of its last records keeps the earlier ones, and the rest is set aside")
  func cutJournal() async throws {
    let work = try await killed()
    let bytes = try #require(try work.bytes(.journal))
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for length in 0..<bytes.count {
      let copy = Work(try #require(work.files as? MemoryFileSystem).afterKill())
      try copy.replace(.journal, Array(bytes[..<length]))
      let store = try await copy.store()
      let whole = max(0, ends.count { $0 <= length } - 1)
      #expect(Work.ids(store.queue) == ["a", "b"] + ["c", "d", "e"].prefix(whole), "cut at \(length)")
      let rest = length - (ends.last { $0 <= length }.map { min($0 + 1, length) } ?? 0)
      #expect(store.opened.recovery.keptAside == (rest == 0 ? [] : ["download_queue.journal.torn-2025-11-21T060003Z"]))
      #expect(try copy.bytes(.journal) == nil)
      try store.close(now: Work.now)
      #expect(Work.ids(try copy.read()?.queue) == Work.ids(store.queue))
    }
  }

  @Test("a flipped byte costs one record; later ones are applied and a copy is kept")
  func flippedByte() async throws {
    let work = try await killed()
    var bytes = try #require(try work.bytes(.journal))
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    // In the second of the three records, behind the header.
    bytes[ends[1] + 30] ^= 1
    try work.replace(.journal, bytes)
    let store = try await work.store()
    #expect(Work.ids(store.queue) == ["a", "b", "c", "e"])
    #expect(store.opened.recovery.damagedLines == 1)
    #expect(store.opened.recovery.keptAside == ["download_queue.journal.corrupt-2025-11-21T060003Z"])
    #expect(
      store.opened.recovery.notes == [
        .journalLinesDamaged(1), .keptAside(["download_queue.journal.corrupt-2025-11-21T060003Z"]),
      ])
    let aside = try #require(LibraryPath("download_queue.journal.corrupt-2025-11-21T060003Z"))
    #expect(try work.files.read(work.folder().root[aside], limit: ByteCount(1 << 20)) == bytes)
  }

  @Test("a damaged header costs no record")
  func damagedHeader() async throws {
    let work = try await killed()
    var bytes = try #require(try work.bytes(.journal))
    bytes[20] ^= 1
    try work.replace(.journal, bytes)
    #expect(Work.ids(try work.read()?.queue) == ["a", "b", "c", "d", "e"])
  }

  @Test("an older copy of the queue file is recognised by the files beside it", arguments: 2...4)
  func outdatedQueueFile(_ runs: Int) async throws {
    let work = Work()
    var copies: [[UInt8]] = []
    for run in 1...runs {
      try await work.run([.item(try Work.failed("failed-\(run)"))])
      copies.append(try #require(try work.bytes(.queue)))
    }
    let expected = (1...runs).map { "failed-\($0)" }
    let last = copies.popLast()
    let present = try #require(last)
    for copy in copies {
      try work.replace(.queue, copy)
      let reading = try #require(try work.read())
      #expect(Work.ids(reading.queue) == expected)
      #expect(reading.recovery.restoration == .previous && reading.recovery.loss == nil)
      guard case .outdated? = reading.recovery.problem else {
        Issue.record("\(String(describing: reading.recovery.problem))")
        continue
      }
    }
    try work.replace(.queue, present)
    #expect(try work.read()?.recovery.isEmpty == true)
  }

  @Test(
    "an empty, zeroed, halved or foreign queue file is set aside and rebuilt without a loss",
    arguments: ["empty", "zeroed", "half", "foreign", "gone"], [1, 2, 3])
  func damagedQueueFile(_ damage: String, _ runs: Int) async throws {
    let work = Work()
    var expected: [String] = []
    for run in 1...runs {
      expected.append("failed-\(run)")
      try await work.run([.item(try Work.failed("failed-\(run)"))])
    }
    let good = try #require(try work.bytes(.queue))
    let bad: [UInt8] =
      switch damage {
      case "zeroed": Array(repeating: 0, count: good.count)
      case "half": Array(good.prefix(good.count / 2))
      case "foreign": Array("hello".utf8)
      default: []
      }
    try work.replace(.queue, bad)
    if damage == "gone" { try work.files.removeFile(try work.folder().place(.queue)) }
    let store = try await work.store()
    #expect(Work.ids(store.queue) == expected)
    #expect(store.opened.recovery.restoration == (runs == 1 ? .journal : .previous))
    let aside = "download_queue.json.corrupt-2025-11-21T060003Z"
    let isGone = damage == "gone"
    let notes = store.opened.recovery.notes
    guard case .restored(from: runs == 1 ? .journal : .previous, let problem, isGone ? nil : aside)? = notes.first
    else {
      Issue.record("other notes: \(notes)")
      return
    }
    #expect((problem == nil) == isGone)
    #expect(notes.count == 1)
    #expect(store.opened.recovery.loss == nil)
    try store.record([.item(try Work.item("new"))], now: .now)
    try store.close(now: Work.now)
    #expect(try work.names().contains(aside) == (damage != "gone"))
    #expect(Work.ids(try work.read()?.queue) == expected + ["new"])
    // And once more, since the chain must be whole again.
    try work.replace(.queue, bad)
    #expect(Work.ids(try work.read()?.queue) == expected + ["new"])
  }

  @Test("with nothing to rebuild from the run stops and touches nothing")
  func nothingToRebuildFrom() async throws {
    let work = Work()
    try work.replace(.queue, [])
    let path = try work.folder().place(.queue).text
    await #expect(throws: StateError.nothingToRebuildFrom(path: path, .blank)) { try await work.store() }
    #expect(try work.bytes(.queue) == [])
    #expect(throws: StateError.nothingToRebuildFrom(path: path, .blank)) { try work.read() }
  }

  @Test("killed or cut off from power after any step, nothing flushed is lost and nothing is left over")
  func everyStep() async throws {
    for power in [false, true] {
      for steps in 0..<200 {
        let files = MemoryFileSystem()
        let work = Work(files)
        try await work.run([.item(try Work.item("a"))])
        try await work.run([.item(try Work.failed("b"))])
        files.allow(changes: steps)
        var acknowledged = ["a", "b"]
        var isFinished = false
        do {
          let store = try await work.store()
          try store.record([.item(try Work.item("c"))], now: .now)
          try store.sync()
          acknowledged.append("c")
          try store.close(now: Work.now)
          isFinished = true
        } catch is StateError {} catch is StateWriteError {} catch is FileError {}
        let after = Work(power ? files.afterPowerCut() : files.afterKill())
        let seen = Work.ids(try after.read()?.queue)
        #expect(seen.starts(with: acknowledged), "step \(steps), power cut: \(power)")
        let store = try await after.store()
        #expect(Work.ids(store.queue) == seen, "step \(steps), power cut: \(power)")
        try store.close(now: Work.now)
        #expect(try !after.names().contains { $0.hasSuffix(".tmp") || $0 == "download_queue.journal" })
        // The chain that the next loss is repaired from.
        try after.replace(.queue, [])
        #expect(Work.ids(try after.read()?.queue) == seen, "step \(steps), power cut: \(power)")
        if isFinished { break }
        #expect(steps < 199)
      }
    }
  }

  @Test("a repair that is itself cut off loses nothing", arguments: ["journal", "queue file"])
  func everyStepOfRepair(_ damage: String) async throws {
    for power in [false, true] {
      for steps in 0..<200 {
        let base = try await killed()
        if damage == "queue file" {
          try base.replace(.queue, [])
          try base.files.syncFolder(FilePlace(try base.folder().root))
        }
        let files = try #require(base.files as? MemoryFileSystem)
        files.allow(changes: steps)
        var isFinished = false
        do {
          try await base.store().close(now: Work.now)
          isFinished = true
        } catch is StateError {} catch is StateWriteError {} catch is FileError {}
        let after = Work(power ? files.afterPowerCut() : files.afterKill())
        #expect(Work.ids(try after.read()?.queue) == ["a", "b", "c", "d", "e"], "step \(steps), power cut: \(power)")
        let store = try await after.store()
        try store.close(now: Work.now)
        #expect(Work.ids(try after.read()?.queue) == ["a", "b", "c", "d", "e"], "step \(steps), power cut: \(power)")
        if isFinished { break }
        #expect(steps < 199)
      }
    }
  }

  @Test("copies that are set aside do not pile up")
  func asideIsBounded() async throws {
    let work = Work()
    try await work.run([.item(try Work.item("a"))])
    for _ in 0..<20 {
      try work.replace(.queue, [])
      try await work.store().close(now: Work.now)
    }
    #expect(try work.names().filter { $0.contains(".corrupt-") }.count == 10)
    #expect(Work.ids(try work.read()?.queue) == ["a"])
  }
}
