// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// A queue that is edited, or only rehearsed, with answers about what the next run would do with its items, as far as
/// the manifest and the copies of its feeds show. No server is asked.
package protocol QueueView: Sendable {
  var queue: Queue { get }
  /// The location of the copies of the feeds.
  var copies: SourceCopyReading { get }
}

/// The other data that a view of the queue needs: the manifest, and the last contents of its feeds.
package struct SourceCopyReading: Sendable {
  let library: Library
  let manifest: Manifest
  /// Nil when the clock is credible.
  let clockDoubt: Warning?

  fileprivate func desired(_ queue: Queue, now: Timestamp) -> DesiredState {
    SourceCopies(library: library, manifest: manifest).desired(queue, now: now)
  }
}

extension QueueView {
  /// The items that no run would fetch, even after they were put back into the queue.
  package func objectionsToRetry(_ ids: [ItemID], now: Timestamp) -> [ItemID: FetchRefusal] {
    // With a doubtful clock there is no way to know what is due.
    guard copies.clockDoubt == nil, !ids.isEmpty else { return [:] }
    var edited = queue
    for id in ids {
      guard let item = edited[id] else { continue }
      do throws(QueueEdit.Refusal) { edited[id] = try QueueEdit.retry.applied(to: item, now: now) ?? item } catch {
        // The edit itself is refused for this reason.
        continue
      }
    }
    return reconciliation(edited, now: now).objections(to: Set(ids))
  }

  /// Finished files that are not in their places, with the places where they are. The search is that of a run.
  package func displaced(_ ids: [ItemID]) throws(JobError) -> [ItemID: DisplacedFile] {
    let search = StrayedFiles(library: copies.library)
    do throws(FileError) {
      let missing = try search.missing(of: ids.compactMap { queue[$0] })
      let found = try search.find(missing, in: queue)
      return Dictionary(
        missing.map { ($0.id, found[$0.id].map(DisplacedFile.found) ?? .absent) }, uniquingKeysWith: { $1 })
    } catch { throw .file(error) }
  }

  /// The items without a file that no run would fetch, although they are pinned now.
  package func objectionsToPin(_ ids: [ItemID], now: Timestamp) -> [ItemID: FetchRefusal] {
    let missing = ids.filter { queue[$0].map { $0.state.storedFile == nil } ?? false }
    guard copies.clockDoubt == nil, !missing.isEmpty else { return [:] }
    let desired = copies.desired(queue, now: now)
    let entries = reconciliation(queue, desired, now: now).entries
    var objections: [ItemID: FetchRefusal] = [:]
    for id in missing {
      let entry = entries.first { $0.queued.id == id }
      if entry?.desired != nil {
        objections[id] = entry?.objection
      } else if let item = queue[id], desired.wouldForget(item) {
        objections[id] = .unnamed
      }
    }
    return objections
  }

  /// The candidate with a number, of an item that the queue knows.
  /// - Returns: The item as the manifest or its source declares it, and the candidate.
  package func candidate(
    _ number: Int, of id: ItemID, now: Timestamp
  ) throws(CandidateChoice.Problem) -> (item: Item, choice: CandidateChoice)? {
    let entry = reconciliation(queue, now: now).entries.first { $0.queued.id == id }
    guard let item = entry?.desired?.item ?? queue[id]?.item else { return nil }
    return (item, try CandidateChoice(number, of: item, copies.manifest.alternatives))
  }

  /// Items that the queue does not know and that a run would skip because of `retain`: with a pin it will not.
  func passedOver(_ ids: [ItemID], now: Timestamp) -> [ItemID: QueueItem] {
    let unknown = Set(ids.filter { queue[$0] == nil })
    guard !unknown.isEmpty else { return [:] }
    let entries = reconciliation(queue, now: now).entries.filter { unknown.contains($0.queued.id) }
    return Dictionary(entries.map { ($0.queued.id, $0.queued) }, uniquingKeysWith: { first, _ in first })
  }

  /// Finds the item that a name means: in the queue, else among the items that only playlists name. A complete id never
  /// means another item whose id begins with it.
  /// - Parameter name: an id, the beginning of one, or a title.
  package func find(_ name: String, now: Timestamp) throws(ItemSelector.Problem) -> FoundItem {
    if let id = ItemID(name), queue[id] != nil { return .known(id) }
    let entries = reconciliation(queue, now: now).entries.filter { queue[$0.queued.id] == nil }
    func unknown(_ id: ItemID) -> FoundItem? {
      entries.first { $0.queued.id == id }.map { .unknown(UnknownItem(id: id, objection: $0.objection)) }
    }
    if let found = ItemID(name).flatMap(unknown) { return found }
    do throws(ItemSelector.Problem) { return .known(try ItemSelector.find(name, in: queue).id) } catch {
      guard case .unknown = error else { throw error }
      let others = Queue(libraryID: "", savedAt: now, items: entries.map(\.queued))
      do throws(ItemSelector.Problem) {
        if let found = unknown(try ItemSelector.find(name, in: others).id) { return found }
      } catch let problem {
        // A similar name in the queue is the better hint.
        guard case .unknown = problem else { throw problem }
      }
      throw error
    }
  }

  private func reconciliation(_ queue: Queue, now: Timestamp) -> Reconciliation {
    reconciliation(queue, copies.desired(queue, now: now), now: now)
  }

  private func reconciliation(_ queue: Queue, _ desired: DesiredState, now: Timestamp) -> Reconciliation {
    // Nothing is asked that depends on the presence of files.
    Reconciliation(
      desired: desired, queue: queue,
      seen: LibraryObservation(freeSpace: .zero), terms: .init(copies.manifest.storage), now: now)
  }
}

/// An item that a playlist names and the queue does not know.
package struct UnknownItem: Equatable, Sendable {
  package var id: ItemID
  /// Nil when the next run fetches it.
  package var objection: FetchRefusal?

  /// True if only `retain` prevents the fetch, which a pin overrides.
  package var canBePinned: Bool {
    if case .unwanted(.wouldBeDropped, _)? = objection { true } else { false }
  }
}

/// The item that a name means.
package enum FoundItem: Equatable, Sendable {
  case known(ItemID)
  case unknown(UnknownItem)
}
