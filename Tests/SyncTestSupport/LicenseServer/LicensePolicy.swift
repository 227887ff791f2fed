// SPDX-License-Identifier: Apache-2.0

import Glibc

extension LicenseServer {
  /// The licences that the server grants. A test may change the policy at any time, and the next request sees the change.
  package struct Policy: Sendable {
    /// The longest validity that is granted, in seconds.
    package var validityLimit = 30 * 86_400
    /// The time in seconds since 1970.
    package var now: @Sendable () -> Int = { time(nil) }
    package var maxDevices = 2
    /// The restrictions of every track that has none of its own.
    package var restrictions = Restrictions(maxOfflineDevices: 2, allowsExport: true, qualityLimit: "high")
    /// The exceptions for single tracks, by id.
    package var tracks: [String: Track] = [:]
    /// True to give every track a content key of its own, which stays the same.
    package var contentKeys = false
    /// The bearer token that every request has to carry; nil for none.
    package var token: String?
    /// Is asked first, with the path and the body. Nil, or the result nil, leaves the answer to the server.
    package var answer: (@Sendable (_ path: String, _ body: [UInt8]) -> Answer?)?

    package init() {}

    /// The same time for every request until it is changed, in seconds since 1970.
    package mutating func setTime(_ seconds: Int) { now = { seconds } }
  }

  /// The exceptions for one track.
  package struct Track: Sendable {
    package var refusal: Refusal?
    /// Nil for those of the policy.
    package var restrictions: Restrictions?
    /// Nil for none, or for a derived one if the policy has content keys.
    package var contentKey: [UInt8]?
    /// Replaces the validity that was asked for, in seconds, without a limit. Negative for a licence that has expired.
    package var validity: Int?

    package init(
      refusal: Refusal? = nil, restrictions: Restrictions? = nil, contentKey: [UInt8]? = nil, validity: Int? = nil
    ) {
      self.refusal = refusal
      self.restrictions = restrictions
      self.contentKey = contentKey
      self.validity = validity
    }
  }

  /// Why a track gets no licence.
  package enum Refusal: String, CaseIterable, Sendable {
    case expired
    case deviceNotAuthorized = "device_not_authorized"
    case subscriptionRequired = "subscription_required"
    case regionRestricted = "region_restricted"

    package var status: Int {
      switch self {
      case .expired: 410
      case .deviceNotAuthorized: 403
      case .subscriptionRequired: 402
      case .regionRestricted: 451
      }
    }
  }

  /// The restrictions of a licence; those that are nil are absent from the document.
  package struct Restrictions: Equatable, Sendable {
    package var maxOfflineDevices: Int?
    package var allowsExport: Bool?
    package var qualityLimit: String?
    /// Restrictions that no version knows.
    package var others: [String: Int]

    package init(
      maxOfflineDevices: Int? = nil, allowsExport: Bool? = nil, qualityLimit: String? = nil,
      others: [String: Int] = [:]
    ) {
      self.maxOfflineDevices = maxOfflineDevices
      self.allowsExport = allowsExport
      self.qualityLimit = qualityLimit
      self.others = others
    }
  }

  /// One answer, whose body is JSON or pretends to be.
  package struct Answer: Equatable, Sendable {
    package var status: Int
    package var headers: [HTTPHeader]
    package var body: [UInt8]

    package init(
      _ status: Int, bytes: [UInt8], headers: [HTTPHeader] = [HTTPHeader("Content-Type", "application/json")]
    ) {
      self.status = status
      self.headers = headers
      body = bytes
    }

    package init(_ status: Int, _ text: String) { self.init(status, bytes: Array(text.utf8)) }
  }
}
