// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A licence as a server grants it.
package struct GrantedLicense: Hashable, Sendable {
  package var license: License
  /// The key that seals the item's file, 32 bytes. Nil if the licence has none.
  package var contentKey: [UInt8]?
}

/// A device that may hold licences of a server.
package struct LicensedDevice: Hashable, Sendable {
  package var id: String
  package var name: String?
  package var registeredAt: Timestamp?

  package init(id: String, name: String? = nil, registeredAt: Timestamp? = nil) {
    (self.id, self.name, self.registeredAt) = (id, name, registeredAt)
  }
}

/// The requests and answers of licence servers (docs/manual/license-server.md).
package enum LicenseAnswer {
  /// The largest answer that is read. One about a hundred items has 40 KB.
  package static let maximumSize = ByteCount(1 << 20)
  /// The largest number of items in one request.
  package static let maximumItems = 100
  /// The time by which the clock of a server may be ahead.
  private static let tolerance = Duration.minutes(5)

  // MARK: Requests

  package static func request(_ ids: [ItemID], device: String, for span: Duration, isSingle: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("device_id", device)
      writer.field("valid_for", Int(span.inSeconds))
      if isSingle {
        writer.field("track_id", ids.first?.text)
      } else {
        writer.array("track_ids") { writer in for id in ids { writer.value(id.text) } }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  package static func deviceRequest(_ device: String, name: String?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("device_id", device)
      writer.field("name", name)
    }
    writer.endLine()
    return writer.bytes
  }

  // MARK: Answers

  /// The licences and the problems of all items that were asked for.
  package static func licenses(
    _ bytes: [UInt8], for ids: [ItemID], isSingle: Bool, now: Timestamp
  ) -> [ItemID: Result<GrantedLicense, LicenseProblem>] {
    func all(_ problem: LicenseProblem) -> [ItemID: Result<GrantedLicense, LicenseProblem>] {
      Dictionary(uniqueKeysWithValues: ids.map { ($0, .failure(problem)) })
    }
    guard let document = value(bytes) else { return all(.unusable(.notALicense)) }
    // Some servers answer with success to say that they refuse.
    if let refusal = refusal(document) { return all(.refused(refusal)) }
    if isSingle, let id = ids.first { return [id: granted(document, for: id, now: now)] }
    guard let documents = document["licenses"]?.array else { return all(.unusable(.notALicense)) }
    var answers = all(.unusable(.leftOut))
    let refusals = document["refusals"]?.array ?? []
    for id in ids {
      // A refusal counts more than a licence beside it.
      if let found = refusals.last(where: { $0["track_id"]?.string == id.text }) {
        answers[id] = .failure(refusal(found).map { .refused($0) } ?? .unusable(.member("error")))
      } else if let document = documents.last(where: { $0["track_id"]?.string == id.text }) {
        answers[id] = refusal(document).map { .failure(.refused($0)) } ?? granted(document, for: id, now: now)
      }
    }
    return answers
  }

  /// The refusal in an answer. Nil if it has no known code.
  package static func refusal(_ bytes: [UInt8]) -> LicenseRefusal? { value(bytes).flatMap(refusal) }

  /// The devices that are registered. Nil if that is no answer about devices.
  package static func devices(_ bytes: [UInt8]) -> (devices: [LicensedDevice], maximum: Int?)? {
    guard let document = value(bytes), let entries = document["devices"]?.array else { return nil }
    var devices: [LicensedDevice] = []
    for entry in entries {
      guard let id = entry["device_id"]?.string else { return nil }
      devices.append(
        LicensedDevice(
          id: id, name: entry["name"]?.string,
          registeredAt: entry["registered_at"]?.string.flatMap { Timestamp(rfc3339: $0) }))
    }
    return (devices, document["max_devices"]?.integer.flatMap { Int(exactly: $0) })
  }

  private static func value(_ bytes: [UInt8]) -> JSONValue? {
    do throws(JSONError) {
      let value = try JSONValue(parsing: bytes)
      // If two members have the same name, it is unclear which of them counts.
      return value.repeatsName ? nil : value
    } catch { return nil }
  }

  private static func refusal(_ document: JSONValue) -> LicenseRefusal? {
    document["error"]?.string.flatMap(LicenseRefusal.init)
  }

  private static func granted(
    _ document: JSONValue, for id: ItemID, now: Timestamp
  ) -> Result<GrantedLicense, LicenseProblem> {
    Result { () throws(LicenseDefect) in try read(document, for: id, now: now) }.mapError { .unusable($0) }
  }

  private static func read(
    _ document: JSONValue, for id: ItemID, now: Timestamp
  ) throws(LicenseDefect) -> GrantedLicense {
    guard case .object = document else { throw .notALicense }
    guard let track = document["track_id"]?.string else { throw .member("track_id") }
    guard track == id.text else { throw .anotherTrack(track) }
    let issuedAt = try time("issued_at", document)
    let expiresAt = try time("expires_at", document)
    guard issuedAt <= now + tolerance else { throw .fromTheFuture(issuedAt: issuedAt) }
    guard expiresAt > issuedAt else { throw .member("expires_at") }
    guard expiresAt > now else { throw .over(expiresAt: expiresAt) }
    var license = License(
      issuedAt: issuedAt, expiresAt: expiresAt, restrictions: try restrictions(document["restrictions"]))
    let key = try contentKey(document["content_key"])
    license.hasContentKey = key != nil
    return GrantedLicense(license: license, contentKey: key)
  }

  private static func time(_ name: String, _ document: JSONValue) throws(LicenseDefect) -> Timestamp {
    guard let time = document[name]?.string.flatMap({ Timestamp(rfc3339: $0) }) else { throw .member(name) }
    return time
  }

  /// A restriction that is not understood cannot be kept, so none is passed over.
  private static func restrictions(_ value: JSONValue?) throws(LicenseDefect) -> License.Restrictions {
    var restrictions = License.Restrictions()
    guard let value, value != .null else { return restrictions }
    guard case .object(let members) = value else { throw .member("restrictions") }
    for member in members where member.value != .null {
      switch member.name {
      case "max_offline_devices":
        guard let count = member.value.integer, (0...1_000_000).contains(count) else {
          throw .member("restrictions.\(member.name)")
        }
        guard count > 0 else { throw .noDevice }
        restrictions.maxOfflineDevices = Int(count)
      case "allows_export":
        guard let allows = member.value.bool else { throw .member("restrictions.\(member.name)") }
        restrictions.allowsExport = allows
      case "quality_limit":
        guard let limit = member.value.string.flatMap(Quality.init) else {
          throw .member("restrictions.\(member.name)")
        }
        restrictions.qualityLimit = limit
      default: throw .unknownRestriction(member.name)
      }
    }
    return restrictions
  }

  private static func contentKey(_ value: JSONValue?) throws(LicenseDefect) -> [UInt8]? {
    guard let value, value != .null else { return nil }
    guard let bytes = value.string.flatMap({ Base64.decoded($0[...]) }), bytes.count == 32 else {
      throw .member("content_key")
    }
    return bytes
  }
}

extension JSONValue {
  /// True if an object in it has two members of one name.
  fileprivate var repeatsName: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.repeatsName)
    case .object(let members):
      Set(members.map(\.name)).count < members.count || members.contains { $0.value.repeatsName }
    default: false
    }
  }
}
