// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncFormats
import Testing

@Suite("the queue store")
struct QueueStoreTests {
  private typealias Work = StateWorkshop

  @Test("what one run records the next one finds")
  func remembers() async throws {
    let work = Work()
    #expect(try work.read() == nil)
    try await work.run([.item(try Work.item("a")), .item(try Work.failed("b"))])
    let opened = try #require(try work.read())
    #expect(Work.ids(opened.queue) == ["a", "b"])
    #expect(opened.queue.generation == 1)
    #expect(opened.queue.libraryID == Work.libraryID)
    #expect(!opened.isInterrupted && opened.recovery.isEmpty)
  }

  @Test("a run that changes nothing leaves the queue file as it is, and no journal")
  func noChange() async throws {
    let work = Work()
    let items = [try Work.item("a"), try Work.item("b")]
    try await work.run(items.map { .item($0) })
    let before = try work.bytes(.queue)
    try await work.run([])
    try await work.run(items.map { .item($0) } + [.itemDropped(try #require(ItemID("never")))])
    #expect(try work.bytes(.queue) == before)
    #expect(try work.bytes(.journal) == nil)
    #expect(try !work.names().contains(StateFolder.File.previous.rawValue))
  }

  @Test("a queue that is saved is still locked, until it is released")
  func ending() async throws {
    let work = Work()
    let store = try await work.store()
    try store.record([.item(try Work.item("a"))], now: .now)
    let lock = try work.folder().place(.lock)
    try store.save(now: Work.now)
    #expect(Work.ids(try work.read()?.queue) == ["a"])
    #expect(try !work.files.open(lock, for: .locking(.privateFile)).tryLock())
    store.release()
    #expect(try work.files.open(lock, for: .locking(.privateFile)).tryLock())
  }

  @Test("a transfer of an item that has its file is refused, and nothing is recorded")
  func illegal() async throws {
    let work = Work()
    let digest = try #require(SHA256Digest(hex: String(repeating: "a", count: 64)))
    let path = try #require(LibraryPath("a.mp3"))
    let file = StoredFile(path: path, size: ByteCount(9), sha256: digest, completedAt: Work.now)
    try await work.run([.item(try Work.item("a", .completed(file))), .item(try Work.item("b"))])
    let journal = JournaledQueue(try await work.store(), naming: FileNaming(isPortable: false))
    let (a, b) = (try #require(ItemID("a")), try #require(ItemID("b")))
    let attempt = TransferState.downloading(Attempt(candidate: 0, attempts: 1))
    #expect(throws: Failure.io(operation: "record downloading for the completed item", path: "a", .einval)) {
      try journal.record([(b, attempt), (a, attempt)], at: Work.now)
    }
    #expect(journal.changes.isEmpty)
    try journal.record([(b, attempt)], at: Work.now)
    #expect(journal.item(b)?.state == ItemState(attempt))
    #expect(journal.changes.items.map(\.after?.id) == [b])
  }

  @Test("a run that finds nothing and records nothing writes no queue file")
  func nothingAtAll() async throws {
    let work = Work()
    try await work.run([])
    #expect(try work.names() == ["lock"])
  }

  @Test("the queue file before is kept, and with its journal makes the present one")
  func keepsPrevious() async throws {
    let work = Work()
    try await work.run([.item(try Work.item("a"))])
    let first = try work.bytes(.queue)
    try await work.run([.item(try Work.item("b"))])
    #expect(try work.bytes(.previous) == first)
    #expect(
      try work.names() == [
        "download_queue.json", "download_queue.prev.journal", "download_queue.prev.json", "lock",
      ])
    try work.replace(.queue, [])
    #expect(Work.ids(try work.read()?.queue) == ["a", "b"])
  }

  /// A run that records the state of each item again and again.
  private func chatter(_ work: Work, items: Int, rounds: Int) async throws {
    let store = try await work.store()
    let dropped = try #require(ItemID("item-1"))
    for round in 0..<rounds {
      for index in 0..<items {
        let item =
          round == rounds - 1 ? try Work.failed("item-\(index)") : try Work.item("item-\(index)", title: "\(round)")
        try store.record([.item(item)], now: .now)
      }
      if round == 0 { try store.record([.itemDropped(dropped)], now: .now) }
    }
    try store.record([.itemDropped(try #require(ItemID("item-3")))], now: .now)
    try store.close(now: Work.now)
  }

  @Test("of a run that said much of a few items only the last word is kept beside the queue file")
  func shortJournal() async throws {
    let work = Work()
    try await work.run([.item(try Work.item("a")), .item(try Work.item("item-2"))])
    try await chatter(work, items: 30, rounds: 5)
    let queue = try #require(try work.read()?.queue)
    #expect(queue.items.count == 30)
    let kept = try #require(try work.bytes(.previousJournal))
    #expect(try kept.count < #require(try work.bytes(.queue)).count * 3 / 2)
    #expect(try work.bytes(.journal) == nil)
    try work.replace(.queue, [])
    #expect(try work.read()?.queue == queue.unsaved(try #require(try work.read()?.queue)))
    #expect(try work.read()?.recovery.loss == nil)
  }

  @Test("killed or cut off from power after any step of keeping the short journal, nothing is lost")
  func everyStepOfShortening() async throws {
    for power in [false, true] {
      for steps in 170..<400 {
        let files = MemoryFileSystem()
        let work = Work(files)
        try await work.run([.item(try Work.item("a"))])
        files.allow(changes: steps)
        var isFinished = false
        do {
          try await chatter(work, items: 30, rounds: 5)
          isFinished = true
        } catch is StateError {} catch is StateWriteError {} catch is FileError {}
        let after = Work(power ? files.afterPowerCut() : files.afterKill())
        let seen = Work.ids(try after.read()?.queue)
        let store = try await after.store()
        #expect(Work.ids(store.queue) == seen, "step \(steps), power cut: \(power)")
        try store.close(now: Work.now)
        #expect(try !after.names().contains { $0.hasSuffix(".tmp") || $0 == "download_queue.journal" })
        try after.replace(.queue, [])
        #expect(Work.ids(try after.read()?.queue) == seen, "step \(steps), power cut: \(power)")
        if isFinished { break }
        #expect(steps < 399)
      }
    }
  }

  @Test("where the file system knows no second names the one before is a copy")
  func withoutLinks() async throws {
    var disk = MemoryDisk()
    disk.knowsLinks = false
    let work = Work(MemoryFileSystem(disk))
    try await work.run([.item(try Work.item("a"))])
    let first = try work.bytes(.queue)
    try await work.run([.item(try Work.item("b"))])
    #expect(try work.bytes(.previous) == first)
    #expect(Work.ids(try work.read()?.queue) == ["a", "b"])
  }

  @Test("state is private whatever the umask")
  func modes() async throws {
    let scratch = try ScratchDirectory()
    let files = POSIXFileSystem()
    let before = umask(0)
    defer { umask(before) }
    let folder = try StateFolder.open(files, path: "\(scratch.path)/state", making: true)
    let outcome = try await StateLock.acquire(folder, as: .init(pid: 1, since: Work.now))
    guard case .acquired(let lock) = outcome else { return }
    let store = try QueueStore(folder, lock: lock, libraryID: Work.libraryID, bootID: nil, now: Work.now)
    for id in ["a", "b"] { try store.record([.item(try Work.item(id))], now: .now) }
    try store.close(now: Work.now)
    #expect(try files.status(of: FilePlace(folder.root))?.mode == .privateFolder)
    for entry in try files.list(FilePlace(folder.root)) { #expect(entry.status.mode == .privateFile, "\(entry.name)") }
  }

  @Test("one change costs the same however long the queue is")
  func constantCost() async throws {
    let work = Work()
    try await work.run(try (0..<500).map { .item(try Work.item("item-\($0)")) })
    let store = try await work.store()
    try store.record([.item(try Work.failed("item-7"))], now: .now)
    try store.sync()
    #expect(try #require(try work.bytes(.journal)).count < 700)
  }

  @Test("a newer version stops the run and stays as it is", arguments: [StateFolder.File.queue, .previous])
  func newerVersion(_ file: StateFolder.File) async throws {
    let work = Work()
    let bytes = Array(#"{"format":"syncjob-queue","version":9,"future":true}"#.utf8)
    try work.replace(file, bytes)
    let path = try work.folder().place(file).text
    await #expect(throws: StateError.newerVersion(path: path, found: 9, known: 1)) { try await work.store() }
    #expect(try work.bytes(file) == bytes)
  }

  @Test("another library's queue stops the run and stays as it is")
  func anotherLibrary() async throws {
    let work = Work()
    try await work.run([.item(try Work.item("a"))])
    let before = try work.bytes(.queue)
    let path = try work.folder().place(.queue).text
    await #expect(throws: StateError.anotherLibrary(path: path, found: Work.libraryID, expected: "other")) {
      try await work.store(libraryID: "other")
    }
    #expect(try work.bytes(.queue) == before)
  }

  @Test("records want to be flushed when a second is over and when there are 64")
  func flushing() async throws {
    let files = MemoryFileSystem()
    let work = Work(files)
    let store = try await work.store()
    let start = ContinuousClock.now
    func durable() throws -> Int { Work.ids(try Work(files.afterPowerCut()).read()?.queue).count }
    try store.record([.item(try Work.item("a"))], now: start)
    #expect(store.syncDue == start + .seconds(1))
    #expect(try durable() == 0)
    #expect(!store.isDue(now: start + .milliseconds(999)))
    #expect(store.isDue(now: start + .seconds(1)))
    try store.sync()
    #expect(try durable() == 1)
    #expect(store.syncDue == nil)
    #expect(!store.isDue(now: start + .seconds(9)))
    try store.record(try (0..<63).map { .item(try Work.item("b\($0)")) }, now: start)
    #expect(!store.isDue(now: start))
    try store.record([.item(try Work.item("c"))], now: start)
    #expect(store.isDue(now: start))
    #expect(try durable() == 1)
    try store.sync()
    #expect(try durable() == 65)
  }

  @Test("what is recorded during a flush waits for the next one")
  func recordedMeanwhile() async throws {
    let files = MemoryFileSystem()
    let store = try await Work(files).store()
    func durable() throws -> Int { Work.ids(try Work(files.afterPowerCut()).read()?.queue).count }
    try store.record([.item(try Work.item("a"))], now: .now)
    let flush = try #require(try store.beginFlush())
    let failure = flush.run()
    try store.record([.item(try Work.item("b"))], now: .now)
    try store.end(flush, failure)
    #expect(try durable() == 1)
    #expect(store.syncDue != nil)
    try store.sync()
    #expect(try durable() == 2)
    #expect(try store.beginFlush() == nil)
  }

  @Test("after a failed write or flush nothing is written again, and the flush is not repeated")
  func stopsAfterFailure() async throws {
    let files = MemoryFileSystem()
    let store = try await Work(files).store()
    try store.record([.item(try Work.item("a"))], now: .now)
    files.allow(changes: 0)
    let path = "/library/.syncjob/download_queue.journal"
    let cause = FileError(.sync, path, code: ErrnoCode(EIO))
    #expect(throws: StateWriteError.file(cause)) { try store.sync() }
    files.allow(changes: .max)
    let before = files.changeCount
    #expect(throws: StateWriteError.stopped(after: cause)) { try store.sync() }
    #expect(throws: StateWriteError.stopped(after: cause)) { try store.record([.item(Work.item("b"))], now: .now) }
    #expect(throws: StateWriteError.stopped(after: cause)) { try store.close(now: Work.now) }
    #expect(files.changeCount == before)
    _ = try await Work(files).store()
  }

  @Test("a full disk is told as such")
  func diskFull() async throws {
    let files = MemoryFileSystem()
    let store = try await Work(files).store()
    files.allow(changes: 0, then: ENOSPC)
    let error = #expect(throws: StateWriteError.self) { try store.record([.item(Work.item("a"))], now: .now) }
    guard case .file(let cause)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(cause.isStorageFull)
  }
}

extension Queue {
  /// With the time and the generation of another snapshot.
  fileprivate func unsaved(_ other: Queue) -> Queue {
    var queue = self
    (queue.savedAt, queue.generation) = (other.savedAt, other.generation)
    return queue
  }
}
