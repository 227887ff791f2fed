// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Synchronization

/// Carries out a plan: the queue learns of it, then room is made, then files are adopted, then media is fetched.
struct PlanAction {
  let plan: Plan
  let manifest: Manifest
  let library: Library
  let ledger: Ledger
  let clock: any WallClock
  let tell: @Sendable (RunEvent) -> Void

  /// - Returns: the exit status of the signal that ended it early.
  func run(_ network: Network, stopping stops: AsyncStream<ExitStatus>) async -> ExitStatus? {
    guard plan.safetyStop == nil else { return nil }
    do throws(Failure) {
      try ledger.apply(plan.bookkeeping)
      try makeRoom()
      try adopt()
    } catch {
      tell(.storageFailed(error))
      return nil
    }
    return await fetch(network, stops)
  }

  private func makeRoom() throws(Failure) {
    let removal = Removals(library: library, ledger: ledger, trashKeep: manifest.storage.trashKeep, clock: clock)
    for change in plan.changes where change.action == .remove || change.action == .evict {
      let cause: Removal.Cause = change.action == .evict ? .evicted : .orphan
      guard let freed = try removal.remove(change.id, cause: cause) else { continue }
      tell(.removed(change.id, cause, freed: freed))
    }
    // The trash last: what was just removed may have to go for good.
    do throws(FileError) {
      let strays = try removal.dropPartials(plan.strayPartials)
      let trash = try removal.emptyTrash(all: plan.emptiesTrash)
      let (files, freed) = (strays.files + trash.files, strays.freed + trash.freed)
      if files > 0 { tell(.cleaned(files: files, freed: freed)) }
    } catch { throw error.failure }
  }

  private func adopt() throws(Failure) {
    for change in plan.changes where change.action == .adopt {
      guard let file = plan.adoptions[change.id]?.file else { continue }
      try ledger.record(change.id, .completed(file), at: clock.now())
      tell(.adopted(change.id, file))
    }
  }

  private func fetch(_ network: Network, _ stops: AsyncStream<ExitStatus>) async -> ExitStatus? {
    guard !plan.downloads.isEmpty else { return nil }
    let room: RoomLedger
    do throws(Failure) {
      // What was evicted once is queued again before it is fetched again.
      for download in plan.downloads { try ledger.requeue(download.task.id, at: clock.now()) }
      do throws(FileError) {
        let expected = plan.downloads.map(\.expectedBytes).sum()
        let free = try library.files.space(at: library.root).available
        room = RoomLedger(
          policy: manifest.storage, usedAfterPlan: plan.storage.after, freeAfterPlan: free - expected)
      } catch { throw error.failure }
    } catch {
      tell(.storageFailed(error))
      return nil
    }
    let desk = PublishingDesk(
      library: library, ledger: ledger, clock: clock,
      naming: FileNaming(isPortable: manifest.library.profile.isPortable))
    let downloader = Downloader(
      loop: network.loop, settings: network.settings, desk: desk, room: room, tell: tell)
    return await run(downloader, stops)
  }

  private func run(_ downloader: Downloader, _ stops: AsyncStream<ExitStatus>) async -> ExitStatus? {
    let interruption = Interruption()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await status in stops {
          interruption.status.withLock { $0 = status }
          await downloader.stop()
        }
      }
      await downloader.run(plan.downloads)
      group.cancelAll()
    }
    return interruption.status.withLock { $0 }
  }
}

/// The exit status that the first signal asks for, once there is one.
private final class Interruption: Sendable {
  let status = Mutex<ExitStatus?>(nil)
}
