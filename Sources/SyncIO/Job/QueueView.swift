// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A queue that is edited, for real or on paper, with the answers to what the next run would make of its items, as far as
/// the manifest and the copies of its feeds tell: nobody is asked.
package protocol QueueView: Sendable {
  var queue: Queue { get }
  /// Where the copies of the feeds are.
  var copies: SourceCopyReading { get }
}

/// What a view of the queue needs besides: the manifest, and what its feeds said last.
package struct SourceCopyReading: Sendable {
  let library: Library
  let manifest: Manifest
  /// Nil when the clock can be believed.
  let clockDoubt: Warning?

  fileprivate func desired(_ queue: Queue, now: Timestamp) -> DesiredState {
    SourceCopies(library: library, manifest: manifest).desired(queue, now: now)
  }
}

extension QueueView {
  /// Which items no run would fetch, once they were put back into the queue.
  package func objectionsToRetry(_ ids: [ItemID], now: Timestamp) -> [ItemID: FetchObjection] {
    // What is due by a clock that cannot be believed is not known.
    guard copies.clockDoubt == nil, !ids.isEmpty else { return [:] }
    var edited = queue
    for id in ids {
      guard let item = edited[id] else { continue }
      do throws(QueueEdit.Refusal) { edited[id] = try QueueEdit.retry.applied(to: item, now: now) ?? item } catch {
        // It is refused for that.
        continue
      }
    }
    return reconciliation(edited, now: now).objections(to: Set(ids))
  }

  /// Which items without a file no run would fetch, although they are pinned now.
  package func objectionsToPin(_ ids: [ItemID], now: Timestamp) -> [ItemID: FetchObjection] {
    let missing = ids.filter { queue[$0].map { $0.state.storedFile == nil } ?? false }
    guard copies.clockDoubt == nil, !missing.isEmpty else { return [:] }
    let desired = copies.desired(queue, now: now)
    let entries = reconciliation(queue, desired, now: now).entries
    var objections: [ItemID: FetchObjection] = [:]
    for id in missing {
      let entry = entries.first { $0.queued.id == id }
      if entry?.desired != nil {
        objections[id] = entry?.objection
      } else if let item = queue[id], desired.wouldForget(item, playlists: copies.manifest.playlists) {
        objections[id] = .unnamed
      }
    }
    return objections
  }

  /// Items that the queue does not know and a run would pass over for the sake of `retain`: with a pin it will not.
  func passedOver(_ ids: [ItemID], now: Timestamp) -> [ItemID: QueueItem] {
    let unknown = Set(ids.filter { queue[$0] == nil })
    guard !unknown.isEmpty else { return [:] }
    let entries = reconciliation(queue, now: now).entries.filter { unknown.contains($0.queued.id) }
    return Dictionary(entries.map { ($0.queued.id, $0.queued) }, uniquingKeysWith: { first, _ in first })
  }

  /// What a name means in the queue, else among what playlists name besides. A whole id means nobody else whose id begins so.
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
        // What is near in the queue is the better hint.
        guard case .unknown = problem else { throw problem }
      }
      throw error
    }
  }

  private func reconciliation(_ queue: Queue, now: Timestamp) -> Reconciliation {
    reconciliation(queue, copies.desired(queue, now: now), now: now)
  }

  private func reconciliation(_ queue: Queue, _ desired: DesiredState, now: Timestamp) -> Reconciliation {
    // Of the files nothing is asked that their presence decides.
    Reconciliation(
      desired: desired, queue: queue,
      seen: LibraryObservation(freeSpace: .zero), manifest: copies.manifest, scope: nil, now: now)
  }
}

/// An item that a playlist names and the queue does not know.
package struct UnknownItem: Equatable, Sendable {
  package var id: ItemID
  /// Nil: the next run fetches it.
  package var objection: FetchObjection?

  /// Only `retain` speaks against it, and a pin is stronger.
  package var canBePinned: Bool {
    if case .unwanted(.wouldBeDropped, _)? = objection { true } else { false }
  }
}

/// What a name means.
package enum FoundItem: Equatable, Sendable {
  case known(ItemID)
  case unknown(UnknownItem)
}
