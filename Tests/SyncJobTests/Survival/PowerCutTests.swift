// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import SyncJob
import SyncTestSupport
import Synchronization
import Testing

/// Whole runs on a disk in memory that loses power (docs/invariants.md).
@Suite("a power cut", .serialized)
struct PowerCutTests {
  private struct Case {
    var point: Int
    var outcome: PowerCut.Outcome
    /// True if the machine was restarted, not only the process.
    var isReboot: Bool
    /// The items reported as finished before the cut.
    var finished: Set<ItemID>
    let trace: Trace

    /// Created on demand, because all disks at once would fill the memory.
    func disk() throws -> MemoryDisk { try trace.disk(point, outcome, isReboot: isReboot) }

    var description: String { "after step \(point): \(outcome)" }
  }

  /// A run that was watched.
  private struct Trace {
    var before: MemoryDisk
    var steps: [DiskStep]

    func cut(_ point: Int) -> PowerCut { PowerCut(before: before, steps: steps, after: point) }

    func disk(_ point: Int, _ outcome: PowerCut.Outcome, isReboot: Bool) throws -> MemoryDisk {
      let disk = cut(point).disk(outcome.fates)
      return isReboot ? try SmallLibrary.reboot(disk) : disk.afterKill()
    }

    func picture(_ point: Int, _ outcome: PowerCut.Outcome) -> String {
      cut(point).picture(outcome)
    }
  }

  @Test("at any step of a run leaves what the next run sets right", arguments: SmallLibrary.Story.allCases)
  func everyStep(_ story: SmallLibrary.Story) async throws {
    let library = try await SmallLibrary(story)
    var chance = SplitMix64(seed: Torture.seed)
    let (cases, points) = try await cases(library, &chance)
    let share = Torture.share(of: cases, atMost: 36, &chance)
    var again = 0
    for (number, attempt) in share.enumerated() {
      let files = MemoryFileSystem(try attempt.disk())
      var wrong = try await library.recover(files, finished: attempt.finished)
      if wrong.isEmpty, number % 4 == 0 { wrong = try await library.repeatRun(files) }
      if wrong.isEmpty, number % 4 == 2 { wrong = try await library.recoverWithoutQueue(try attempt.disk()) }
      report(wrong, attempt, library)
      if number % 4 == 1 {
        again += 1
        try await cutAgain(attempt, library, &chance)
      }
    }
    print(
      "survival: power cuts in \(story): \(points) points, \(cases.count) outcomes, \(share.count) tried, \(again) cut again"
    )
  }

  /// Cuts the power again during the recovery from a cut.
  private func cutAgain(_ first: Case, _ library: SmallLibrary, _ chance: inout SplitMix64) async throws {
    let watched = try await watch(library, after: first)
    let point = Int.random(in: (first.isReboot ? 0 : first.point)...watched.trace.steps.count, using: &chance)
    guard let outcome = watched.trace.cut(point).outcomes(draws: 6, &chance).randomElement(using: &chance) else {
      return
    }
    let second = Case(
      point: point, outcome: outcome, isReboot: true, finished: watched.finished(at: point, library),
      trace: watched.trace)
    let wrong = try await library.recover(MemoryFileSystem(try second.disk()), finished: second.finished)
    report(wrong.map { "\($0) (cut before \(first.description))" }, second, library)
  }

  /// Watches the run after a cut.
  private func watch(_ library: SmallLibrary, after first: Case) async throws -> Watched {
    var watched = try await watch(library, try first.disk(), finished: first.finished)
    guard !first.isReboot else { return watched }
    // Data that the killed run did not flush is still not flushed.
    let earlier = Array(first.trace.steps.prefix(first.point))
    watched.trace = Trace(before: first.trace.before, steps: earlier + watched.trace.steps)
    watched.finished = watched.finished.mapValues { $0 + earlier.count }
    return watched
  }

  /// The next run sees a name that the killed run did not flush, and saves a queue that depends on it.
  @Test("after a kill leaves what the next run recorded", arguments: SmallLibrary.Story.allCases)
  func afterKill(_ story: SmallLibrary.Story) async throws {
    let library = try await SmallLibrary(story)
    let first = try await watch(library, library.before, finished: [])
    var tried = 0
    for point in 1...first.trace.steps.count where first.trace.cut(point).mayLoseName(point - 1) {
      let kill = Case(
        point: point, outcome: PowerCut.Outcome(name: "kill", fates: [:]), isReboot: false,
        finished: first.finished(at: point, library), trace: first.trace)
      let watched = try await watch(library, after: kill)
      let losing = (point...watched.trace.steps.count).filter { watched.trace.cut($0).mayLoseName(point - 1) }
      for later in Torture.isWhole ? losing : losing.suffix(1) {
        tried += 1
        let second = Case(
          point: later, outcome: watched.trace.cut(later).nothing, isReboot: true,
          finished: watched.finished(at: later, library), trace: watched.trace)
        let wrong = try await library.recover(MemoryFileSystem(try second.disk()), finished: second.finished)
        report(wrong.map { "\($0) (killed after step \(point))" }, second, library)
      }
    }
    print("survival: power cuts after a kill in \(story): \(tried) tried")
  }

  /// An undo renames first and records afterwards, so that no journal tells of the names that it changed.
  @Test(
    "after a killed undo leaves what the next run or undo recorded",
    arguments: [SmallLibrary.Story.decisions, .journaledDecisions], [true, false])
  func afterKilledUndo(_ story: SmallLibrary.Story, _ isRun: Bool) async throws {
    let library = try await SmallLibrary(story)
    let files = MemoryFileSystem(library.before)
    _ = try await library.runToTheEnd(on: files)
    let first = try await trace(files.state.withLock { $0 }) { try await library.undo(on: $0) }
    var tried = 0
    for point in 1...first.steps.count where first.cut(point).mayLoseName(point - 1) {
      let killed = try first.disk(point, PowerCut.Outcome(name: "kill", fates: [:]), isReboot: false)
      let next = try await trace(killed) { files in
        if isRun {
          _ = try await library.run(on: files, isEdited: false)
        } else {
          try await library.undo(on: files)
        }
      }
      let both = Trace(before: first.before, steps: Array(first.steps.prefix(point)) + next.steps)
      for later in point...both.steps.count where both.cut(later).mayLoseName(point - 1) {
        tried += 1
        let lost = both.cut(later).nothing
        let files = MemoryFileSystem(try both.disk(later, lost, isReboot: true))
        #expect(try library.missing(on: files) == [], "\(point), \(later): \(both.picture(later, lost))")
      }
    }
    #expect(tried > 0)
  }

  private func trace(
    _ before: MemoryDisk, _ body: (MemoryFileSystem) async throws -> Void
  ) async throws -> Trace {
    var disk = before
    disk.trace = []
    let files = MemoryFileSystem(disk)
    try await body(files)
    return Trace(before: before, steps: files.state.withLock { $0.trace ?? [] })
  }

  private struct Watched {
    var trace: Trace
    var before: Set<ItemID>
    /// The items reported as finished, and the number of steps until then.
    var finished: [ItemID: Int]

    func finished(at point: Int, _ library: SmallLibrary) -> Set<ItemID> {
      before.union(finished.filter { $0.value <= point }.keys).intersection(
        library.story.after.compactMap { ItemID($0) })
    }
  }

  private func watch(
    _ library: SmallLibrary, _ before: MemoryDisk, finished: Set<ItemID>
  ) async throws -> Watched {
    var disk = before
    disk.trace = []
    let files = MemoryFileSystem(disk)
    let run = try await library.runToTheEnd(on: files)
    let (steps, after) = files.state.withLock { ($0.trace ?? [], $0.tree()) }
    #expect(library.faults(of: after) == [])
    let always = finished.union(library.story.before.filter { $0 != "d" && $0 != "c" }.compactMap { ItemID($0) })
    return Watched(trace: Trace(before: before, steps: steps), before: always, finished: run.finished)
  }

  /// Runs to the end and returns every different disk that a cut on the way could have left.
  private func cases(_ library: SmallLibrary, _ chance: inout SplitMix64) async throws -> ([Case], points: Int) {
    let watched = try await watch(library, library.before, finished: [])
    let trace = watched.trace
    var cases: [Case] = []
    var seen: Set<[Int]> = []
    for point in 0...trace.steps.count {
      let done = watched.finished(at: point, library)
      for outcome in trace.cut(point).outcomes(draws: 6, &chance) {
        // If all written bytes arrived, only the process may have ended.
        let isWhole = outcome.fates.values.allSatisfy { $0 == .kept }
        for isReboot in isWhole ? [false, true] : [true] {
          let fingerprint = try trace.disk(point, outcome, isReboot: isReboot).fingerprint
          guard seen.insert([fingerprint, done.count]).inserted else { continue }
          cases.append(Case(point: point, outcome: outcome, isReboot: isReboot, finished: done, trace: trace))
        }
      }
    }
    return (cases, trace.steps.count + 1)
  }

  private func report(_ wrong: [String], _ attempt: Case, _ library: SmallLibrary) {
    guard !wrong.isEmpty else { return }
    Issue.record(
      """
      \(library.story), seed \(Torture.seed), \(attempt.description): \(wrong.joined(separator: "; "))
      \(attempt.trace.picture(attempt.point, attempt.outcome))
      """)
  }
}
