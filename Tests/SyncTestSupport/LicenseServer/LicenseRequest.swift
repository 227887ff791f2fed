// SPDX-License-Identifier: Apache-2.0

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
      let body = LicenseJSON(request.body)
      method = request.method
      path = request.path
      deviceID = body?["device_id"]?.string
      trackIDs = body?["track_ids"]?.strings ?? body?["track_id"]?.string.map { [$0] } ?? []
      validFor = body?["valid_for"]?.integer
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

/// The bodies of the requests. Members that the protocol does not have are ignored.
enum LicenseBody {
  struct Registration {
    let device: String
    let name: String

    init?(_ bytes: [UInt8]) {
      let body = LicenseJSON(bytes)
      guard let device = identifier(body?["device_id"]), let name = body?["name"]?.string else { return nil }
      (self.device, self.name) = (device, name)
    }
  }

  struct Release {
    let device: String

    init?(_ bytes: [UInt8]) {
      guard let device = identifier(LicenseJSON(bytes)?["device_id"]) else { return nil }
      self.device = device
    }
  }

  /// Of many tracks or of one.
  struct Grant {
    let device: String
    /// Seconds, at least 1.
    let validFor: Int
    /// Each once, in the order of the request.
    let tracks: [String]
    /// The number of the tracks as they were sent.
    let count: Int

    init?(_ bytes: [UInt8], single: Bool) {
      let body = LicenseJSON(bytes)
      guard let device = identifier(body?["device_id"]), let validFor = body?["valid_for"]?.integer, validFor > 0
      else { return nil }
      let sent = single ? body?["track_id"]?.string.map { [$0] } : body?["track_ids"]?.strings
      guard let sent, sent.allSatisfy(isIdentifier) else { return nil }
      var seen: Set<String> = []
      self.device = device
      self.validFor = validFor
      tracks = sent.filter { seen.insert($0).inserted }
      count = sent.count
    }
  }

  private static func identifier(_ value: LicenseJSON?) -> String? {
    value?.string.flatMap { isIdentifier($0) ? $0 : nil }
  }

  /// 1 to 128 characters.
  private static func isIdentifier(_ text: String) -> Bool { (1...128).contains(text.unicodeScalars.count) }
}
