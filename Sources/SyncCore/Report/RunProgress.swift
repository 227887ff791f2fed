// SPDX-License-Identifier: Apache-2.0

/// The progress of a run, folded from its events: the items being fetched, their bytes and their rates.
package struct RunProgress: Sendable {
  /// An item that is being fetched.
  package struct Transfer: Sendable {
    package var id: ItemID
    package var title: String
    package var received: ByteCount = .zero
    package var total: ByteCount?
    /// The time of the next request on the clock of `fold`. Nil while a request is running.
    package var waitsUntil: Duration?
    package var estimator: ProgressEstimator
  }

  /// In the order in which the transfers began.
  package private(set) var transfers: [Transfer] = []
  /// The number of items to fetch. `endedCount` is the number of those that ended in any way.
  package private(set) var itemCount = 0
  package private(set) var endedCount = 0
  /// Bytes received, for finished and running items.
  package private(set) var received: ByteCount = .zero
  /// The estimator of the whole run.
  package private(set) var estimator: ProgressEstimator?
  /// Work that is not a transfer, and when it began. Nil if there is none.
  package private(set) var work: (state: RunWork, since: Duration)?
  private var planned: [ItemID: Planned] = [:]
  private var endedBytes: ByteCount = .zero
  private var knownTotal: ByteCount = .zero
  private var unknownCount = 0

  private struct Planned {
    var title: String
    /// The full size of the item, if known.
    var total: ByteCount?
    var hasEnded = false
  }

  package init() {}

  package subscript(id: ItemID) -> Transfer? { transfers.first { $0.id == id } }

  /// The title of an item that the plan fetches.
  package func title(of id: ItemID) -> String? { planned[id]?.title }

  /// The bytes of all items to fetch. Nil if the size of any item is unknown.
  package var total: ByteCount? { unknownCount == 0 ? knownTotal : nil }

  /// The remaining time of the run. Nil if it cannot be estimated.
  package func timeLeft(at time: Duration) -> Duration? {
    guard let total, let estimator else { return nil }
    return estimator.timeLeft(for: total - received, at: time)
  }

  /// - Parameter time: A time on any clock that never goes back.
  package mutating func fold(_ event: RunEvent, at time: Duration) {
    switch event {
    case .worked(let work): self.work = (work, self.work.map { $0.state.kind == work.kind ? $0.since : time } ?? time)
    case .planned(let plan): begin(plan, at: time)
    case .started(let id, _, let offset): started(id, offset, at: time)
    case .progressed(let id, let bytes, let total): progressed(id, bytes, total, at: time)
    case .retrying(let id, _, _, let wait):
      // The first request may have failed before any byte arrived.
      appear(id, at: time)
      update(id) { $0.waitsUntil = time + wait }
    case .switched(let id, _, _): update(id) { $0.waitsUntil = nil }
    case .completed(let id, let completion): ended(id, size: completion.file.size)
    case .adopted(let id, let file, _): ended(id, size: file.size)
    case .failed(let id, _, _, _, _, _), .deferred(let id, _), .paused(let id, _): ended(id, size: nil)
    default: break
    }
  }

  private mutating func begin(_ plan: Plan, at time: Duration) {
    work = nil
    for fetch in plan.fetches {
      let (id, there) = (fetch.download.id, fetch.download.task.partial?.received ?? .zero)
      planned[id] = Planned(title: fetch.download.item.title)
      unknownCount += 1
      itemCount += 1
      setTotal(id, fetch.bytes.map { $0 + there })
    }
    estimator = ProgressEstimator(startingAt: time)
  }

  /// Bytes that were present before count as received, but not towards the rate.
  private mutating func started(_ id: ItemID, _ offset: ByteCount, at time: Duration) {
    appear(id, at: time)
    update(id) { $0.waitsUntil = nil }
    move(id, to: offset)
  }

  private mutating func appear(_ id: ItemID, at time: Duration) {
    guard self[id] == nil else { return }
    let title = planned[id]?.title ?? id.text
    transfers.append(Transfer(id: id, title: title, estimator: ProgressEstimator(startingAt: time)))
  }

  private mutating func progressed(_ id: ItemID, _ bytes: ByteCount, _ total: ByteCount?, at time: Duration) {
    guard let transfer = self[id] else { return }
    let fresh = bytes - transfer.received
    update(id) { transfer in
      transfer.total = total
      transfer.estimator.add(fresh, at: time)
    }
    if let total { setTotal(id, total) }
    estimator?.add(fresh, at: time)
    move(id, to: bytes)
  }

  private mutating func move(_ id: ItemID, to bytes: ByteCount) {
    update(id) { $0.received = bytes }
    received = transfers.map(\.received).sum() + endedBytes
  }

  private mutating func setTotal(_ id: ItemID, _ total: ByteCount?) {
    guard let total, let item = planned[id] else { return }
    if let before = item.total { knownTotal -= before } else { unknownCount -= 1 }
    knownTotal += total
    planned[id]?.total = total
  }

  /// An item that did not complete no longer counts with its full size.
  private mutating func ended(_ id: ItemID, size: ByteCount?) {
    guard planned[id]?.hasEnded == false else { return }
    planned[id]?.hasEnded = true
    let bytes = size ?? self[id]?.received ?? .zero
    setTotal(id, bytes)
    endedBytes += bytes
    endedCount += 1
    transfers.removeAll { $0.id == id }
    received = transfers.map(\.received).sum() + endedBytes
  }

  private mutating func update(_ id: ItemID, _ change: (inout Transfer) -> Void) {
    guard let position = transfers.firstIndex(where: { $0.id == id }) else { return }
    change(&transfers[position])
  }
}
