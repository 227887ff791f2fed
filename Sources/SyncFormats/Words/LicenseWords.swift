// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension LicenseRefusal {
  /// As in "the server refuses the licence: …".
  package var words: String {
    switch self {
    case .expired: "the right to this item has expired"
    case .deviceNotAuthorized:
      "this device is not registered there; look at `syncjob licenses devices`, release one that is not needed, and register"
        + " this one with `syncjob licenses register`"
    case .subscriptionRequired: "it needs a subscription"
    case .regionRestricted: "it is not available in this region"
    }
  }
}

extension LicenseDefect {
  fileprivate var words: String {
    switch self {
    case .notALicense: "its answer cannot be understood"
    case .member(let name): "its licence has no usable \(name.excerpt.quoted)"
    case .anotherTrack(let track): "its licence is for another item, \(track.excerpt.quoted)"
    case .fromTheFuture(let issuedAt):
      "its licence was issued in the future, at \(issuedAt.rfc3339); look at the clock of this machine"
    case .over(let expiresAt):
      "its licence was over already, at \(expiresAt.rfc3339); look at the clock of this machine"
    case .unknownRestriction(let name):
      "its licence has the restriction \(name.excerpt.quoted), which this version does not know and cannot keep"
    case .noDevice: "its licence allows no device (max_offline_devices: 0)"
    case .otherContentKey:
      "its licence has another content key than the one that sealed the file; fetch the file anew with `syncjob remove` and"
        + " `syncjob retry`"
    case .betterQualitiesOnly:
      "its licence allows only qualities in which no URL of the item is declared (quality_limit)"
    case .leftOut: "its answer leaves this item out"
    }
  }
}

extension LicenseProblem {
  package static let longURLWords = "its URL is too long"
  package static let loginWords = "the login is missing or was refused: check licenses.server.auth"

  /// The reason why a command got no answer from the server.
  package func words(of server: String, registering: Bool = false) -> String {
    switch self {
    case .refused(.deviceNotAuthorized) where registering:
      "\(server.printable) has no room for another device; see `syncjob licenses devices`, and release one with"
        + " `syncjob licenses release --device ID`"
    case .refused(.deviceNotAuthorized): "\(server.printable) does not know this device"
    case .unanswered(let reason), .unserved(let reason): "\(server.printable): \(reason)"
    default: words(server)
    }
  }

  /// The reason why there is no licence.
  func words(_ server: String) -> String {
    switch self {
    case .refused(let refusal): "\(server.printable) refuses the licence: \(refusal.words)"
    case .unusable(let defect): "no licence from \(server.printable): \(defect.words)"
    case .unanswered(let reason), .unserved(let reason): "no licence from \(server.printable): \(reason)"
    case .notKept(let error): "the licence cannot be kept: \(error.words)"
    }
  }

  /// The same about many files that are in the library.
  func words(ofMany count: Int, _ server: String, areOver: Bool) -> String {
    areOver
      ? "\(count.counted("file")) without a valid licence: \(words(server))"
      : "\(count.counted("licence")) not renewed yet, still valid: \(words(server))"
  }

  /// The same about a file that is in the library.
  func words(of title: String, _ server: String, expiresAt: Timestamp?) -> String {
    let until = expiresAt.map { "; its licence ends at \($0.rfc3339)" } ?? ""
    return "\(title.quoted): \(words(server))\(until)"
  }
}
