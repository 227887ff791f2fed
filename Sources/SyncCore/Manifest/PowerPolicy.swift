// SPDX-License-Identifier: Apache-2.0

/// The effects of the battery's charge on what is fetched. Each limit is nil for no effect. Without a battery none counts.
package struct PowerPolicy: Equatable, Sendable {
  /// The raw values are the manifest's keys.
  package enum Limit: String, Sendable {
    case lowBelow = "low_below"
    case normalBelow = "normal_below"
    case prefetchAbove = "prefetch_above"
  }

  /// Below this charge, new files are fetched in low quality.
  package var lowBelow: Share?
  /// Below this charge, new files are fetched in normal quality at most.
  package var normalBelow: Share?
  /// Only pinned and important items are fetched unless the battery is charging and has more than this.
  package var prefetchAbove: Share?
  package init() {}

  /// True if the battery matters.
  package var isOn: Bool { lowBelow != nil || normalBelow != nil || prefetchAbove != nil }

  /// The best quality in which a new file is fetched, with the limit that was not reached. Nil for any quality.
  func cap(_ battery: Battery) -> QualityCap? {
    let charge = battery.charge
    if let lowBelow, charge < lowBelow { return QualityCap(quality: .low, battery: battery, limit: .lowBelow) }
    guard let normalBelow, charge < normalBelow else { return nil }
    return QualityCap(quality: .normal, battery: battery, limit: .normalBelow)
  }
}

/// The effect of a metered network.
package enum MeteredPolicy: String, CaseIterable, Sendable {
  case allow
  /// Nothing is fetched.
  case `defer`
}

/// The charge of all batteries of a machine together.
package struct Battery: Hashable, Sendable {
  package var charge: Share
  /// True if it is being charged, or full and connected.
  package var isCharging: Bool

  package init(charge: Share, isCharging: Bool) { (self.charge, self.isCharging) = (charge, isCharging) }
}

/// A limit of the quality of new files.
package struct QualityCap: Hashable, Sendable {
  package var quality: Quality
  package var battery: Battery
  package var limit: PowerPolicy.Limit
}
