// SPDX-License-Identifier: Apache-2.0

/// A reason not to fetch now, which has to do with the machine and not with the items.
package enum FetchRestraint: Hashable, Sendable {
  /// The network is metered. Nothing is fetched.
  case metered
  /// The battery is too low, or is not charging. Pinned and important items are fetched nevertheless.
  case battery(Battery)

  var reason: Reason {
    switch self {
    case .metered: .meteredNetwork
    case .battery(let battery): .battery(battery, .prefetchAbove)
    }
  }

  func holdsBack(isPinned: Bool, _ priority: Priority) -> Bool {
    switch self {
    case .metered: true
    case .battery: !isPinned && priority < .high
    }
  }
}

/// The state of the machine, as far as the manifest wants it to matter.
package struct FetchConditions: Equatable, Sendable {
  /// The best quality of new files. Nil for any.
  package let cap: QualityCap?
  package var isMetered = false
  /// The battery, if it holds back what is neither pinned nor important.
  private let drained: Battery?

  /// - Parameter battery: Nil without one.
  package init(_ power: PowerPolicy, battery: Battery?) {
    cap = battery.flatMap { power.cap($0) }
    if let battery, let limit = power.prefetchAbove, !battery.isCharging || battery.charge <= limit {
      drained = battery
    } else {
      drained = nil
    }
  }

  package init() { self.init(PowerPolicy(), battery: nil) }

  package var restraint: FetchRestraint? { isMetered ? .metered : drained.map { .battery($0) } }

  /// The reason not to replace a file by another one. Nil for none.
  /// - Parameter isBetter: True if the other one has a better quality.
  func reasonToKeep(isPinned: Bool, _ priority: Priority, isBetter: Bool) -> Reason? {
    if let restraint, restraint.holdsBack(isPinned: isPinned, priority) { return restraint.reason }
    return isBetter ? cap.map { .battery($0.battery, $0.limit) } : nil
  }
}

extension DesiredState {
  /// Limits the quality of items of which nothing is here. A declared size or checksum is that of the wanted quality.
  /// - Returns: The items that are wanted in a better quality than they can be fetched in now.
  package mutating func limitQuality(to cap: QualityCap, _ queue: Queue, _ seen: LibraryObservation) -> Set<ItemID> {
    var limited: Set<ItemID> = []
    for index in items.indices where items[index].isSelected && items[index].item.$urls != nil {
      var item = items[index].item
      guard var urls = item.urls, urls.wanted.isAbove(cap.quality), item.checksum == nil, item.exactSize == nil else {
        continue
      }
      urls.wanted = cap.quality
      guard let offer = urls.offer(for: cap.quality), offer.url != item.main.url,
        queue[item.id].map({ $0.isAbsent(seen) && ($0.state.partial.map { $0.url == offer.url } ?? true) }) ?? true
      else { continue }
      (item.urls, item.main, item.size, item.mediaType) = (urls, Candidate(url: offer.url), nil, nil)
      items[index].item = item
      limited.insert(item.id)
    }
    return limited
  }
}

extension QueueItem {
  /// True if nothing is in the place of its file.
  fileprivate func isAbsent(_ seen: LibraryObservation) -> Bool {
    guard state.finishedPath != nil else { return seen.adoptable[id] == nil }
    if case .missing? = seen.finished[id] { return seen.strayed[id] == nil }
    return false
  }
}

extension Plan {
  /// The number of the items that are fetched in this plan, by the quality in which they are.
  package func fetched(of items: Set<ItemID>) -> [Quality: Int] {
    steps.indices.reduce(into: [:]) { counts, index in
      guard items.contains(steps[index].id), let quality = steps[index].quality else { return }
      counts[quality, default: 0] += 1
    }
  }
}

extension Reconciliation {
  /// True if an item has no file, or is to get another one.
  package var wantsFiles: Bool { entries.contains { $0.asksForRoom || $0.quality.isUpgrade } }

  /// Keeps what only a number of newer items would remove, while these wait for another network or the battery.
  package mutating func keepWhatOthersDisplace(_ conditions: FetchConditions) {
    guard let restraint = conditions.restraint else { return }
    for index in entries.indices {
      guard case .remove(.droppedByRetention(_, .atMost)) = entries[index].need else { continue }
      entries[index].need = .keep(restraint.reason)
    }
  }
}
