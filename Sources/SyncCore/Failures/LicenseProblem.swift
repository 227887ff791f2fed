// SPDX-License-Identifier: Apache-2.0

/// The codes with which a licence server refuses an item. They stand in the member `error` of its answer.
package enum LicenseRefusal: String, CaseIterable, Sendable {
  case expired
  case deviceNotAuthorized = "device_not_authorized"
  case subscriptionRequired = "subscription_required"
  case regionRestricted = "region_restricted"
}

/// The reason why a document is not a licence that can be kept.
package enum LicenseDefect: Error, Hashable, Sendable {
  /// Not JSON, or not JSON of a licence.
  case notALicense
  /// A member that is missing or has a wrong value.
  case member(String)
  case anotherTrack(String)
  /// It was issued later than now, by the clock of this machine.
  case fromTheFuture(issuedAt: Timestamp)
  /// It was over when it arrived.
  case over(expiresAt: Timestamp)
  /// A restriction that this version does not know, and so cannot keep.
  case unknownRestriction(String)
  /// It does not allow one device.
  case noDevice
  /// Its content key does not open the file that an earlier one sealed.
  case otherContentKey
  /// The item is declared in better qualities only.
  case betterQualitiesOnly
  /// The server's answer leaves the item out.
  case leftOut
}

/// The reason why an item has no licence.
package enum LicenseProblem: Error, Hashable, Sendable {
  case refused(LicenseRefusal)
  /// The server gave something else.
  case unusable(LicenseDefect)
  /// The server could not be reached, or did not answer in time. `reason` is the sentence about the request.
  case unanswered(reason: String)
  /// The server answered, with neither a licence nor a refusal.
  case unserved(reason: String)
  /// The content key could not be put into the state.
  case notKept(FileError)

  /// True if a later run may succeed without anybody's help.
  package var isTemporary: Bool {
    switch self {
    case .unanswered, .unserved, .notKept: true
    // A clock may be set right, and a server mended.
    case .unusable(let defect): defect != .otherContentKey
    case .refused: false
    }
  }
}
