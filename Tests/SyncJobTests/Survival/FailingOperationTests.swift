// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDiskTestSupport
import SyncFormats
import SyncJob
import SyncTestSupport
import Synchronization
import Testing

/// Whole runs on a disk in memory on which one operation fails, or that one and all later ones (docs/invariants.md).
@Suite("the n-th operation fails", .serialized)
struct FailingOperationTests {
  private static let codes = [EIO, ENOSPC, EACCES, EROFS]
  private static let operations: [FileError.Operation] = FileError.Operation.allCases

  @Test("and the run says so, promises nothing, and leaves the next one everything", arguments: operations)
  func everyOperation(_ operation: FileError.Operation) async throws {
    var chance = SplitMix64(seed: Torture.seed)
    var count = 0
    for story in Torture.isWhole ? SmallLibrary.Story.allCases : [.removal] {
      let library = try await SmallLibrary(story)
      for code in Self.codes {
        // A full or read-only disk stays so. Any other error may happen once.
        for lasts in code == EIO ? [false, true] : [code == ENOSPC || code == EROFS] {
          count += try await everyNumber(library, operation, code, lasts: lasts, &chance)
        }
      }
    }
    print("survival: failing operations: \(operation): \(count) tried")
  }

  /// - Returns: The number of failures that were tried.
  private func everyNumber(
    _ library: SmallLibrary, _ operation: FileError.Operation, _ code: Int32, lasts: Bool,
    _ chance: inout SplitMix64
  ) async throws -> Int {
    var tried = 0
    var number = Torture.isWhole ? 1 : Int.random(in: 1...6, using: &chance)
    while try await isReached(library, DiskTrap(operation, number, code, lasts: lasts)) {
      tried += 1
      number += Torture.isWhole ? 1 : Int.random(in: 6...18, using: &chance)
    }
    return tried
  }

  /// - Returns: False if the run ended before the operation.
  private func isReached(_ library: SmallLibrary, _ trap: DiskTrap) async throws -> Bool {
    var disk = library.before
    disk.trace = []
    disk.trap = trap
    let files = MemoryFileSystem(disk)
    let run = try await library.run(on: files)
    let after = files.state.withLock { $0 }
    guard after.trap?.hasSprung == true else {
      #expect(run.status == .ok)
      return false
    }
    var wrong = saneEnd(run, after, library, trap)
    let cut = PowerCut(before: library.before, steps: after.trace ?? [], after: after.trace?.count ?? 0)
    let worst = Dictionary(uniqueKeysWithValues: cut.pending.map { ($0.index, PowerCut.Fate.dropped) })
    let always = library.story.before.filter { $0 != "d" && $0 != "c" && library.story.after.contains($0) }
    let finished = Set(run.finished.keys).union(always.compactMap { ItemID($0) })
    for (name, next) in [("", after.afterKill()), (" after a power cut", try SmallLibrary.reboot(cut.disk(worst)))] {
      wrong += try await library.recover(
        MemoryFileSystem(next), finished: finished, toleratesTags: true, toleratesEmptyTrash: run.emptiedTrash
      ).map {
        "the next run\(name): \($0)"
      }
    }
    if !wrong.isEmpty {
      let what =
        "\(library.story), \(trap.operation) \(trap.number), \(ErrnoCode(trap.code).words)\(trap.lasts ? " for good" : "")"
      Issue.record("\(what): \(run.picture): \(wrong.joined(separator: "; "))")
    }
    return true
  }

  /// The violations of the rules for the end of a run that met the failure.
  private func saneEnd(
    _ run: SmallLibrary.Run, _ disk: MemoryDisk, _ library: SmallLibrary, _ trap: DiskTrap
  ) -> [String] {
    var wrong: [String] = []
    if let node = disk.repeatedFlush { wrong.append("node \(node) was flushed again after that had failed") }
    switch run.result {
    case .failure(let error):
      if ![.fatal, .storage].contains(error.status) { wrong.append("status \(error.status)") }
    case .success(let report) where report.status == .ok:
      wrong += library.faults(of: disk.tree(), toleratesJournal: trap.code == ENOSPC && trap.lasts).map {
        "not right and status 0: \($0)"
      }
    case .success(let report):
      // An item may fail because of its own file or folder. A failure of the whole storage has another status.
      // A refusal may concern one folder alone.
      let isOfFolder =
        [EACCES, EROFS].contains(trap.code) && report.lines.contains { $0.outcome == .failed && $0.error?.kind == .io }
      let isStuck = report.status == .partial && (isOfFolder || report.warnings.contains { $0.isOfOneFile })
      if report.status != .storage, !isStuck { wrong.append("status \(report.status)") }
      if report.storageFailure == nil, !isStuck { wrong.append("no reason is given") }
    }
    return wrong
  }
}

extension Warning {
  /// True if a file stays where it is and the report gives the reason.
  fileprivate var isOfOneFile: Bool {
    switch self {
    case .notMoved, .notRemoved, .filesUnreachable: true
    default: false
    }
  }
}

extension SmallLibrary.Run {
  /// True if the run found the disk too full to write at all, took room from the trash, and says so.
  var emptiedTrash: Bool {
    if case .failure(.stillFull) = result { true } else { false }
  }

  /// The end of the run in one line.
  var picture: String {
    switch result {
    case .failure(let error): "\(error.status), \(error.words())"
    case .success(let report): "\(report.status), \(report.storageFailure?.words ?? "no failure")"
    }
  }
}
