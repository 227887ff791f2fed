// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// The known facts about a library, without a request to any server.
package struct Status: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// - Parameter scope: the playlists to include; nil for all.
  /// - Returns: the status, and warnings about damage of the state.
  package func library(_ scope: Set<PlaylistName>? = nil) throws(JobError) -> (LibraryStatus, [Warning]) {
    let (manifest, now) = (context.manifest, context.now)
    let view = try LibraryOpener(context).look()
    let queue = judged(view)
    let observer = LibraryObserver(library: view.library, manifest: manifest, trustsPartialLengths: false, now: now)
    let notOurs: Set<ItemID>
    do throws(FileError) { notOurs = try observer.changedByOthers(queue) } catch { throw .file(error) }
    let storage = try view.storage(of: queue, notOurs: notOurs)
    var status = describe(view.library, queue, storage, notOurs: notOurs, scope)
    status.worker = try worker(view.library)
    status.waitingPlays = try waitingPlays(view.library)
    return (status, view.state.damage)
  }

  private func waitingPlays(_ library: Library) throws(JobError) -> [LibraryStatus.WaitingPlays] {
    guard let folder = library.stateFolder else { return [] }
    do throws(FileError) {
      let outbox = try OutboxStore(folder).read().outbox
      return outbox.pendingServers.map {
        .init(server: $0, plays: outbox.pendingCount(for: $0), outbox.pendingNoun(for: $0))
      }
    } catch { throw .file(error) }
  }

  private func worker(_ library: Library) throws(JobError) -> LibraryStatus.Worker? {
    do throws(FileError) {
      return try library.stateFolder.flatMap(StateLock.look)?.holder.map { .init(pid: $0.pid, since: $0.since) }
    } catch { throw .file(error) }
  }

  /// - Parameters:
  ///   - notOurs: Items whose finished file has been replaced by another file.
  ///   - scope: the playlists to include; nil for all.
  func describe(
    _ library: Library, _ queue: Queue, _ storage: StorageSummary, notOurs: Set<ItemID>,
    _ scope: Set<PlaylistName>? = nil
  ) -> LibraryStatus {
    let healths = SourceHealthStore(library: library).read()
    let seen = LibraryStatus.Observed(notOurs: notOurs, orphans: orphans(library, queue), storage: storage)
    return LibraryStatus(
      manifest: context.manifest, queue: queue, scope: scope, seen: seen, now: context.now,
      health: { healths[$0] ?? SourceHealth(queue.sources[$0]) })
  }

  /// The contents of the queue file, its finished items that no playlist names, and warnings about damage.
  package func queue() throws(JobError) -> (queue: Queue, orphans: Set<ItemID>, damage: [Warning]) {
    let view = try LibraryOpener(context).look()
    return (judged(view), orphans(view.library, view.queue), view.state.damage)
  }

  /// The orphans, as far as the manifest and the copies of its feeds show.
  private func orphans(_ library: Library, _ queue: Queue) -> Set<ItemID> {
    let manifest = context.manifest
    // A playlist that keeps items which its source no longer lists has no orphans, unless it takes over another one's
    // items.
    let isAnyGone = !Set(queue.sources.keys).isSubset(of: manifest.playlists.map(\.name))
    return SourceCopies(library: library, manifest: manifest)
      .desired(queue, where: { $0.mirror || isAnyGone }, now: context.now)
      .orphans(of: queue)
  }

  /// No secret is read for this: a failure that depends only on a changed secret is shown as before, until the next
  /// run.
  private func judged(_ view: LibraryView) -> Queue {
    TransferInputs(context.manifest, largest: view.library.rules.maximumFileSize)
      .judged(view.queue, message: Failure.inputsChangedWords)
  }
}
