// SPDX-License-Identifier: Apache-2.0

/// The treatment of files whose licence is over.
package struct LicenseTerms: Sendable {
  package var policy: LicensePolicy
  /// Never earlier than a time that any run has seen, so that nobody prolongs a licence by setting the clock back.
  package var time: Timestamp

  package init(_ policy: LicensePolicy, at time: Timestamp) { (self.policy, self.time) = (policy, time) }
}

extension Reconciliation.Rules {
  /// Has a file go, or stay out of use, if its licence is over. That is stronger than a pin.
  func judgeLicense(_ entry: inout Reconciliation.Entry) {
    guard let record = entry.$queued.wrappedValue.$license, let licenses, entry.isInScope,
      record.wrappedValue.isOver(at: licenses.time)
    else { return }
    switch entry.need {
    // Somebody else's file, or one that nobody can look at, is left alone.
    case .keep(.changedByOthers), .keep(.unreachable): return
    case .keep: entry.need = licenses.policy.onExpiry == .remove ? .remove(.licenseExpired) : .keep(.locked)
    default: return
    }
    if let path = entry.$queued.wrappedValue.state.finishedPath, !path.isLocked, record.wrappedValue.lockedFrom != path
    {
      entry.queued.license?.lockedFrom = path
    }
    // A file is replaced only while there is a right to it.
    drop(&entry)
  }

  func isLicensed(_ entry: Reconciliation.Entry) -> Bool {
    guard let record = entry.queued.license else { return true }
    return licenses.map { record.isValid(at: $0.time) } ?? false
  }
}

extension QueueItem {
  /// The item with a record of licences, or without, as it is declared.
  /// - Parameter terms: Nil if nothing is known about licences. The record stays as it is then.
  func declared(_ source: LicenseSource?, _ terms: LicenseTerms?) -> QueueItem {
    guard terms != nil, (source == nil) == ($license != nil) else { return self }
    var item = self
    item.license = source == nil ? nil : LicenseRecord()
    // Its offline state so far was that of an item without a licence.
    if source != nil { item.license?.told = state.unlicensedOfflineState }
    return item
  }
}
