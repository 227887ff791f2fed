// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

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
    package var text: String { LicenseJSON.text(self) }
  }
}

/// The answers of the protocol as JSON: names in snake case, times in RFC 3339, bytes in base64.
enum LicenseJSON {
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    encoder.keyEncodingStrategy = .convertToSnakeCase
    do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
      preconditionFailure("texts, numbers, times and bytes have a form in JSON: \(error)")
    }
  }
}

extension Date {
  fileprivate init(_ seconds: Int) { self.init(timeIntervalSince1970: TimeInterval(seconds)) }
}

extension LicenseServer.Document: Encodable {
  private enum Key: CodingKey { case trackID, issuedAt, expiresAt, restrictions, contentKey }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(trackID, forKey: .trackID)
    try members.encode(Date(issuedAt), forKey: .issuedAt)
    try members.encode(Date(expiresAt), forKey: .expiresAt)
    try members.encode(restrictions, forKey: .restrictions)
    try members.encodeIfPresent(contentKey.map { Data($0) }, forKey: .contentKey)
  }
}

extension LicenseServer.Restrictions: Encodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encodeIfPresent(maxOfflineDevices, forKey: Key(stringValue: "max_offline_devices"))
    try members.encodeIfPresent(allowsExport, forKey: Key(stringValue: "allows_export"))
    try members.encodeIfPresent(qualityLimit, forKey: Key(stringValue: "quality_limit"))
    for (name, value) in others { try members.encode(value, forKey: Key(stringValue: name)) }
  }
}

extension LicenseServer.Device: Encodable {
  private enum Key: CodingKey { case deviceID, name, registeredAt }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(id, forKey: .deviceID)
    try members.encode(name, forKey: .name)
    try members.encode(Date(registeredAt), forKey: .registeredAt)
  }
}
