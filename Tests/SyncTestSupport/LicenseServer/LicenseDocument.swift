// SPDX-License-Identifier: Apache-2.0

import Glibc

extension LicenseServer {
  /// The licence of one track, as the server writes it. Tests make their own for what no server should send.
  package struct Document: Equatable, Sendable {
    package var trackID: String
    /// Seconds since 1970.
    package var issuedAt: Int
    package var expiresAt: Int
    package var restrictions: Restrictions
    package var contentKey: [UInt8]?

    package init(
      trackID: String, issuedAt: Int, expiresAt: Int, restrictions: Restrictions = Restrictions(),
      contentKey: [UInt8]? = nil
    ) {
      self.trackID = trackID
      self.issuedAt = issuedAt
      self.expiresAt = expiresAt
      self.restrictions = restrictions
      self.contentKey = contentKey
    }

    /// The document as JSON.
    package var text: String {
      var members = [
        ("track_id", LicenseJSON.string(trackID).text),
        ("issued_at", LicenseJSON.string(LicenseTime.text(issuedAt)).text),
        ("expires_at", LicenseJSON.string(LicenseTime.text(expiresAt)).text),
        ("restrictions", restrictions.text),
      ]
      if let contentKey { members.append(("content_key", LicenseJSON.string(Base64.text(contentKey)).text)) }
      return jsonObject(members)
    }
  }
}

extension LicenseServer.Restrictions {
  var text: String {
    var members: [(String, String)] = []
    if let maxOfflineDevices { members.append(("max_offline_devices", "\(maxOfflineDevices)")) }
    if let allowsExport { members.append(("allows_export", "\(allowsExport)")) }
    if let qualityLimit { members.append(("quality_limit", LicenseJSON.string(qualityLimit).text)) }
    return jsonObject(members + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}

/// An object whose values are JSON texts.
func jsonObject(_ members: [(name: String, text: String)]) -> String {
  "{\(members.map { "\(LicenseJSON.string($0.name).text):\($0.text)" }.joined(separator: ","))}"
}

/// Times of the protocol: RFC 3339, UTC, whole seconds.
enum LicenseTime {
  /// - Parameter seconds: seconds since 1970.
  static func text(_ seconds: Int) -> String {
    var seconds = seconds
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let day = [padded(parts.tm_year + 1900, 4), padded(parts.tm_mon + 1, 2), padded(parts.tm_mday, 2)]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, 2) }
    return "\(day.joined(separator: "-"))T\(clock.joined(separator: ":"))Z"
  }

  private static func padded(_ number: Int32, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Base64 with padding (RFC 4648 §4).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
      for index in 0..<4 {
        text.append(index <= group.count ? alphabet[word >> (18 - 6 * index) & 63] : "=")
      }
    }
    return text
  }
}
