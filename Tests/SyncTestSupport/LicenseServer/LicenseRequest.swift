// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension LicenseServer {
  /// One request as it came, for assertions.
  package struct Request: Equatable, Sendable {
    package let method: String
    package let path: String
    package let deviceID: String?
    /// The tracks that were asked for, of `track_ids` or `track_id`, in their order.
    package let trackIDs: [String]
    /// Seconds.
    package let validFor: Int?
    /// Nil before the answer has begun, and for raw bytes in its place.
    package let status: Int?

    init(_ request: LoggedRequest) {
      let body = LicenseBody(request.body)
      method = request.method
      path = request.path
      deviceID = body?.device
      trackIDs = body?.tracks ?? body?.track.map { [$0] } ?? []
      validFor = body?.validFor
      status = request.status
    }
  }

  /// A registered device.
  package struct Device: Equatable, Sendable {
    package let id: String
    package var name: String
    /// Seconds since 1970.
    package let registeredAt: Int
  }
}

/// The body of a request. Members that the protocol does not have are ignored.
struct LicenseBody: Decodable {
  let device: String
  let name: String?
  /// Seconds.
  let validFor: Int?
  /// One track, or many.
  let track: String?
  let tracks: [String]?

  private enum CodingKeys: String, CodingKey {
    case device = "device_id"
    case name
    case validFor = "valid_for"
    case track = "track_id"
    case tracks = "track_ids"
  }

  /// Nil for a body that is none of the protocol's.
  init?(_ bytes: [UInt8]) {
    do { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) } catch { return nil }
    guard ([device] + (tracks ?? []) + [track].compactMap(\.self)).allSatisfy(Self.isIdentifier) else { return nil }
  }

  /// 1 to 128 characters.
  private static func isIdentifier(_ text: String) -> Bool { (1...128).contains(text.unicodeScalars.count) }
}
