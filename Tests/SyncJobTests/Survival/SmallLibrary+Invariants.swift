// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDiskTestSupport
import SyncFormats
import SyncJob
import SyncTestSupport
import Synchronization

extension SmallLibrary {
  /// Runs to the end on a disk and returns all violations of docs/invariants.md.
  /// - Parameters:
  ///   - finished: The items that an earlier run reported as finished. They must not be fetched again.
  ///   - toleratesEmptyTrash: True if a run on a full disk may have deleted the trash to make room.
  ///   - toleratesTags: True if a file that could not leave its place may have kept another from it, which then has a
  ///     tag.
  func recover(
    _ files: MemoryFileSystem, finished: Set<ItemID>, toleratesTags: Bool = false, toleratesEmptyTrash: Bool = false
  ) async throws -> [String] {
    var wrong: [String] = []
    do throws(JobError) { _ = try queue(on: files) } catch { wrong.append("cannot be looked at: \(error.words())") }
    let run = try await runToTheEnd(on: files)
    if case .failure(let error) = run.result { wrong.append("stopped: \(error.words())") }
    // A gap in bytes that were not flushed looks like damage and is reported as such.
    if case .success(let report) = run.result, report.status != (report.hasDamagedJournal ? .partial : .ok) {
      wrong.append(
        "status \(report.status): \(report.lines.compactMap(\.error)) \(String(describing: report.storageFailure))")
    }
    for request in run.requests {
      let id = request.path.dropFirst().prefix(1)
      if finished.contains(where: { $0.text == id }) { wrong.append("fetched again: \(request.line)") }
      // Bytes that were durable before the run are never requested again.
      if id == "d", request.bytesSent > Self.bytes("d").count - Self.kept + Self.overlap {
        wrong.append("\(request.bytesSent) bytes were fetched for \(request.line)")
      }
    }
    let disk = files.state.withLock { $0 }
    wrong += faults(of: disk.tree(), toleratesTags: toleratesTags, toleratesEmptyTrash: toleratesEmptyTrash)
    return wrong
  }

  /// The largest number of bytes with which a run proves that a partial and a response belong together.
  private static let overlap = 65_536

  /// A second run after a good one has nothing to do.
  func repeatRun(_ files: MemoryFileSystem) async throws -> [String] {
    let before = files.state.withLock { $0.tree() }
    let run = try await run(on: files)
    let after = files.state.withLock { $0.tree() }
    var wrong = run.requests.map { "asked without need: \($0.line)" }
    let ignored = ["/library/.syncjob/reports/", "/library/.syncjob/lock", "/library/.syncjob/cache/settled"]
    for path in Set(before.keys).union(after.keys) where !Self.isSame(before[path], after[path] ?? []) {
      if !ignored.contains(where: path.hasPrefix) { wrong.append("changed without need: \(path)") }
    }
    return wrong
  }

  /// All defects of a library after a good run.
  /// - Parameter toleratesJournal: True if the disk was full for good. A run that changed nothing then leaves the journal
  ///   of the commands before it.
  func faults(
    of tree: [String: [UInt8]], toleratesTags: Bool = false, toleratesEmptyTrash: Bool = false,
    toleratesJournal: Bool = false
  ) -> [String] {
    var rest = tree.filter { $0.key.hasPrefix("/library/") }
    var wrong: [String] = []
    var queue: Queue
    do throws(QueueFileProblem) {
      queue = try QueueFile.decode(rest["/library/.syncjob/download_queue.json"] ?? [])
      let journal = toleratesJournal ? rest.removeValue(forKey: "/library/.syncjob/download_queue.journal") : nil
      wrong += try journal.map { bytes throws(QueueFileProblem) in try apply(JournalReading(bytes), to: &queue) } ?? []
    } catch { return ["the state cannot be read: \(error)"] }
    // If a move between folders left both names, the old one blocks the next file for that place.
    let isDoubled = story == .moves && Self.isSame(rest["/library/all/c.mp3"], Self.bytes("c"))
    for id in story.after {
      guard let file = ItemID(id).flatMap({ queue[$0] })?.state.storedFile else {
        wrong.append("\(id) is not finished")
        continue
      }
      if !Self.isSame(rest.removeValue(forKey: "/library/\(file.path.text)"), Self.bytes(id)) {
        wrong.append("\(id) is not whole")
      }
      if let place = story.places[id], file.path.text != "\(place).mp3", !(id == "e" && isDoubled) {
        let hasTag = ItemID(id).map { file.path.text == "\(place) [\($0.tag)].mp3" } ?? false
        if !(toleratesTags && hasTag) { wrong.append("\(id) is at \(file.path)") }
      }
    }
    if isDoubled { rest["/library/all/c.mp3"] = nil }
    for id in story.gone {
      if case .removed? = ItemID(id).flatMap({ queue[$0] })?.state {
      } else {
        wrong.append("\(id) is not known as removed")
      }
    }
    wrong += forgottenDecisions(queue, rest.removeValue(forKey: "/library/.syncjob/decisions.json") ?? [])
    if story.hasRemoval, !Self.isSame(rest.removeValue(forKey: Self.foreign.path), Self.foreign.bytes) {
      wrong.append("the foreign file was touched")
    }
    if story.hasTrash {
      let trash = rest.filter { $0.key.hasPrefix("/library/.syncjob/trash/") }
      // Twice, if a move left both names.
      if trash.isEmpty && !toleratesEmptyTrash || !trash.values.allSatisfy({ Self.isSame($0, Self.bytes("c")) }) {
        wrong.append("c is not in the trash: \(trash.keys)")
      }
      for path in trash.keys { rest[path] = nil }
    }
    let list = String(decoding: rest.removeValue(forKey: "/library/all.m3u8") ?? [], as: UTF8.self)
    if list.split(separator: "\n").count(where: { !$0.hasPrefix("#") }) != story.after.count {
      wrong.append("the playlist is not right: \(list)")
    }
    return wrong + rest.keys.filter { !Self.isState($0) }.sorted().map { "stray: \($0)" }
  }

  /// Applies a closed journal that follows the queue file. An earlier one is in the queue file already.
  private func apply(_ journal: JournalReading, to queue: inout Queue) -> [String] {
    guard let generation = journal.header?.generation else { return ["the journal has no header"] }
    if generation < queue.generation { return [] }
    guard generation == queue.generation, journal.isClosed else { return ["the journal is not closed"] }
    queue.apply(journal.changes)
    return []
  }

  /// - Parameter bytes: The contents of the decisions file.
  private func forgottenDecisions(_ queue: Queue, _ bytes: [UInt8]) -> [String] {
    let reading: DecisionsFile.Reading
    do throws(QueueFileProblem) { reading = try DecisionsFile.read(bytes) } catch {
      return ["the file of decisions cannot be read: \(error)"]
    }
    var wrong = reading.problem.map { ["the file of decisions is damaged: \($0)"] } ?? []
    for id in story.pinned.compactMap({ ItemID($0) }) {
      if queue[id]?.pinned != true { wrong.append("\(id) is not pinned any more") }
      if reading.decisions[id]?.isPinned != true { wrong.append("the pin of \(id) is not among the decisions") }
    }
    return wrong
  }

  /// Runs on a disk that lost every file of the queue. The decisions made before the watched run are known all the
  /// same, and the file that they concern is present.
  func recoverWithoutQueue(_ disk: MemoryDisk) async throws -> [String] {
    var disk = disk
    try disk.lose(in: ["library", ".syncjob"]) { $0.hasPrefix("download_queue") }
    let files = MemoryFileSystem(disk)
    // Commands must wait until a run has rebuilt the state.
    let run = try await runToTheEnd(on: files, isEdited: false)
    if case .failure(let error) = run.result { return ["stopped without a queue: \(error.words())"] }
    let tree = files.state.withLock { $0.tree() }
    let queue: Queue
    do throws(QueueFileProblem) {
      queue = try QueueFile.decode(tree["/library/.syncjob/download_queue.json"] ?? [])
    } catch { return ["the new queue file cannot be read: \(error)"] }
    var wrong: [String] = []
    if ItemID("a").flatMap({ queue[$0] })?.pinned != true { wrong.append("the pin of a is lost with the queue") }
    if !tree.values.contains(where: { Self.isSame($0, Self.bytes("a")) }) { wrong.append("a is gone") }
    return wrong
  }

  /// The finished items whose file is not in its place.
  func missing(on files: MemoryFileSystem) throws -> [String] {
    let tree = files.state.withLock { $0.tree() }
    return try queue(on: files).items.filter { item in
      guard let file = item.state.storedFile else { return false }
      return !Self.isSame(tree["/library/\(file.path.text)"], Self.bytes(item.id.text))
    }.map(\.id.text)
  }

  /// As `==`, which is slow in a build without optimisation.
  private static func isSame(_ some: [UInt8]?, _ others: [UInt8]) -> Bool {
    guard let some, some.count == others.count else { return false }
    return memcmp(some, others, some.count) == 0
  }

  /// True if the state folder may contain the file between two runs.
  private static func isState(_ path: String) -> Bool {
    let folder = "/library/.syncjob/"
    guard path.hasPrefix(folder) else { return false }
    let name = path.dropFirst(folder.count)
    let files = [
      "library.json", "lock", "download_queue.json", "download_queue.prev.json", "download_queue.prev.journal",
      "cache/settled", "clock", "totals.json",
    ]
    if files.contains(String(name)) { return true }
    if name.hasPrefix("reports/") { return name.hasSuffix(".json") && !name.hasPrefix("reports/.") }
    return name.contains(".corrupt-") || name.contains(".torn-")
  }
}

extension RunReport {
  var tookStock: Bool {
    warnings.contains { if case .recovered(.stockTaken) = $0 { true } else { false } }
  }

  fileprivate var hasDamagedJournal: Bool {
    warnings.contains { if case .recovered(.journalLinesDamaged) = $0 { true } else { false } }
  }
}
