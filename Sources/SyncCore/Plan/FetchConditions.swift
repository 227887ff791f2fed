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
    case .battery(let battery): .battery(battery)
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
  package var cap: QualityCap?
  package var restraint: FetchRestraint?

  /// - Parameters:
  ///   - battery: Nil without one.
  ///   - isMetered: False if it is unknown.
  package init(_ power: PowerPolicy, battery: Battery?, isMetered: Bool) {
    cap = battery.flatMap { power.cap($0) }
    if isMetered {
      restraint = .metered
    } else if let battery, let limit = power.prefetchAbove, !battery.isCharging || battery.charge <= limit {
      restraint = .battery(battery)
    }
  }

  package init() {}

  /// The reason not to replace a file by one of another quality. Nil for none.
  var reasonToKeep: Reason? { restraint?.reason ?? cap.map { .battery($0.battery) } }
}

extension DesiredState {
  /// Limits the quality of items of which nothing is here. A declared size or checksum is that of the wanted quality.
  /// - Returns: The number of items that are wanted in a better quality.
  package mutating func limitQuality(to cap: QualityCap, _ queue: Queue) -> Int {
    var count = 0
    for index in items.indices where items[index].isSelected && items[index].item.$urls != nil {
      var item = items[index].item
      guard var urls = item.urls, urls.wanted.isAbove(cap.quality), item.checksum == nil, item.exactSize == nil,
        queue[item.id].map({ $0.state.finishedPath == nil && $0.state.partial == nil }) ?? true
      else { continue }
      urls.wanted = cap.quality
      guard let offer = urls.offer(for: cap.quality), offer.url != item.main.url else { continue }
      (item.urls, item.main, item.size, item.mediaType) = (urls, Candidate(url: offer.url), nil, nil)
      items[index].item = item
      count += 1
    }
    return count
  }
}
