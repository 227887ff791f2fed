// SPDX-License-Identifier: Apache-2.0

/// The terms of a licence for one item, as a server granted them.
package struct License: Hashable, Sendable {
  package struct Restrictions: Hashable, Sendable {
    /// The number of devices that may have the item. Nil for any.
    package var maxOfflineDevices: Int?
    /// False if the media may not be read in clear outside the library.
    package var allowsExport = true
    /// The best quality that may be fetched. Nil for any.
    package var qualityLimit: Quality?
    package init() {}
  }

  package var issuedAt: Timestamp
  package var expiresAt: Timestamp
  package var restrictions: Restrictions
  /// True if it came with a key that seals the file.
  package var hasContentKey = false

  package init(issuedAt: Timestamp, expiresAt: Timestamp, restrictions: Restrictions = Restrictions()) {
    (self.issuedAt, self.expiresAt, self.restrictions) = (issuedAt, expiresAt, restrictions)
  }

  package func isValid(at time: Timestamp) -> Bool { time < expiresAt }

  /// The time from which it is renewed: `before` its end, and up to a quarter of that earlier, so that not all licences
  /// of one day are renewed in one run. A licence for less than twice that time is renewed at half time.
  /// - Parameter id: Gives each item a moment of its own.
  package func renewal(_ before: Duration, of id: ItemID) -> Timestamp {
    var digest = InputDigest()
    digest.add(id.text, expiresAt.rfc3339)
    let share = Double(digest.shortValue) / 4096
    let early = Duration.seconds(before.inSeconds * (1 + share / 4))
    let half = Duration.seconds((expiresAt - issuedAt).inSeconds / 2)
    return max(issuedAt + half, expiresAt - early)
  }
}

/// Whether an item can be used without a network.
package enum OfflineState: String, CaseIterable, Sendable {
  /// The item has no file.
  case notOfflined = "not_offlined"
  case offlinedAndValid = "offlined_and_valid"
  /// Its file is there, and its licence is over or was refused.
  case offlinedButNotValid = "offlined_but_not_valid"
}

/// The record of an item that needs a licence.
package struct LicenseRecord: Hashable, Sendable {
  /// The last licence. Nil if none was granted yet.
  package var license: License?
  /// The answer to the last request, if it was a refusal.
  package var refusal: LicenseRefusal?
  /// The place of the file before it was locked. Nil for a file that is not.
  package var lockedFrom: LibraryPath?
  /// The offline state that was last told.
  package var told = OfflineState.notOfflined
  package init(_ license: License? = nil) { self.license = license }

  package func isValid(at time: Timestamp) -> Bool { license?.isValid(at: time) ?? false }

  /// True if the right to the file is over. An item for which no server has answered yet has lost nothing.
  package func isOver(at time: Timestamp) -> Bool { license.map { !$0.isValid(at: time) } ?? (refusal != nil) }

  /// True if a new licence is to be requested.
  package func isDue(_ policy: LicensePolicy, of id: ItemID, at time: Timestamp) -> Bool {
    license.map { $0.renewal(policy.renewBefore, of: id) <= time } ?? true
  }
}

extension ItemState {
  /// The offline state of an item that needs no licence.
  package var unlicensedOfflineState: OfflineState { name == .completed ? .offlinedAndValid : .notOfflined }
}

extension QueueItem {
  /// False for a finished file that must not be played, because it has no valid licence.
  package func mayBeListed(at time: Timestamp) -> Bool {
    if state.finishedPath?.isLocked ?? false { return false }
    guard let record = $license?.wrappedValue else { return true }
    return record.told != .offlinedButNotValid && record.isValid(at: time)
  }

  package func offlineState(at time: Timestamp) -> OfflineState {
    guard state.name == .completed, let record = license else { return state.unlicensedOfflineState }
    return record.isValid(at: time) ? .offlinedAndValid : .offlinedButNotValid
  }
}

extension LibraryPath {
  /// The folder of files whose licence is over.
  package static let lockedFolder = ".syncjob/locked"

  /// True for the path of such a file.
  package var isLocked: Bool {
    // Nearly every path is another one, which its first byte shows.
    text.utf8.first == UInt8(ascii: ".") && folderText == Self.lockedFolder
  }
}
