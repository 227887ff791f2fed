// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A keyset in Tink's JSON form, unencrypted (Tink, `proto/tink.proto`: `Keyset`).
package enum KeysetFile {
  /// A keyset of a thousand keys takes a quarter of it.
  package static let maximumSize = ByteCount(1 << 20)

  /// The kind of key that seals streams.
  package static let type = "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey"

  package static func keyset(_ bytes: [UInt8]) throws(KeysetProblem) -> Keyset {
    let document: JSONValue
    do throws(JSONError) { document = try JSONValue(parsing: bytes) } catch { throw .notAKeyset }
    guard document["encryptedKeyset"] == nil else { throw .encrypted }
    guard let keys = document["key"]?.array, let primary = document["primaryKeyId"]?.integer.flatMap(KeyID.init)
    else { throw .notAKeyset }
    guard !keys.isEmpty else { throw .noKeys }
    var entries: [Keyset.Entry] = []
    for key in keys {
      let entry = try entry(key)
      guard !entries.contains(where: { $0.id == entry.id }) else { throw .repeatedID(entry.id) }
      entries.append(entry)
    }
    if let keyset = Keyset(entries, primary: primary) { return keyset }
    guard let entry = entries.first(where: { $0.id == primary }) else { throw .noPrimary(primary) }
    guard entry.status == .enabled else { throw .primaryNotEnabled(primary) }
    throw .primaryOfOtherKind(primary, type: entry.data.type)
  }

  private static func entry(_ key: JSONValue) throws(KeysetProblem) -> Keyset.Entry {
    guard let id = key["keyId"]?.integer.flatMap(KeyID.init),
      let status = key["status"]?.string.flatMap(Keyset.Entry.Status.init),
      let data = key["keyData"], let type = data["typeUrl"]?.string, let value = data["value"]?.string
    else { throw .notAKeyset }
    let serialised = Keyset.SerialisedKey(
      type: type, value: value, material: data["keyMaterialType"]?.string ?? "SYMMETRIC",
      prefix: key["outputPrefixType"]?.string ?? "RAW")
    return Keyset.Entry(
      id, status, serialised, key: type == Self.type && status == .enabled ? try KeyValue.key(id, value) : nil)
  }

  /// The bytes end with a newline.
  package static func bytes(_ keyset: Keyset) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("primaryKeyId", Int64(keyset.primary.id.number))
      writer.array("key") { writer in
        for entry in keyset.entries {
          writer.object { writer in
            writer.object("keyData") { writer in
              writer.field("typeUrl", entry.data.type)
              writer.field("value", entry.data.value)
              writer.field("keyMaterialType", entry.data.material)
            }
            writer.field("status", entry.status.rawValue)
            writer.field("keyId", Int64(entry.id.number))
            writer.field("outputPrefixType", entry.data.prefix)
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  /// A new key of Tink's template `AES256_GCM_HKDF_1MB`.
  /// - Parameter material: 32 random bytes.
  package static func newEntry(_ id: KeyID, _ material: [UInt8]) -> (Keyset.Entry, SealingKey) {
    let key = SealingKey(id, material, SealingKey.newLayout, .sha256)
    let entry = Keyset.Entry(id, .enabled, Keyset.SerialisedKey(type: type, value: KeyValue.text(key)), key: key)
    return (entry, key)
  }
}

extension KeyID {
  fileprivate init?(_ number: Int64) {
    guard let number = UInt32(exactly: number), number != KeyID.content.number else { return nil }
    self.init(number)
  }
}

/// A key in the form of Protocol Buffers (`proto/aes_gcm_hkdf_streaming.proto`), in Base64.
private enum KeyValue {
  /// A message: `version = 1`, `params = 2`, `key_value = 3`. Parameters: `ciphertext_segment_size = 1`,
  /// `derived_key_size = 2`, `hkdf_hash_type = 3`.
  static func key(_ id: KeyID, _ value: String) throws(KeysetProblem) -> SealingKey {
    guard let bytes = Base64.decoded(value[...]), let message = ProtobufFields(bytes),
      message.numbers[1, default: 0] == 0, let parameters = message.bytes[2].flatMap(ProtobufFields.init),
      let material = message.bytes[3], let segment = parameters.numbers[1], let derived = parameters.numbers[2],
      let hash = parameters.numbers[3].flatMap(hash),
      let layout = SealedLayout(segmentSize: Int(clamping: segment), derivedKeySize: Int(clamping: derived)),
      material.count >= max(16, layout.derivedKeySize)
    else { throw .badKey(id) }
    let size = ByteCount(Int64(layout.segmentSize))
    guard size <= SealingKey.largestSegment else { throw .segmentTooLarge(id, size) }
    return SealingKey(id, material, layout, hash)
  }

  static func text(_ key: SealingKey) -> String {
    var parameters: [UInt8] = []
    for (field, number) in [
      (1, UInt64(key.layout.segmentSize)), (2, UInt64(key.layout.derivedKeySize)), (3, number(key.hash)),
    ] { parameters += ProtobufFields.number(field, number) }
    return Base64.encoded(ProtobufFields.bytes(2, parameters) + ProtobufFields.bytes(3, key.material))
  }

  /// The numbers of `HashType` in `proto/common.proto`.
  private static let hashes: [(SealingKey.Hash, UInt64)] = [(.sha1, 1), (.sha384, 2), (.sha256, 3), (.sha512, 4)]

  private static func hash(_ number: UInt64) -> SealingKey.Hash? { hashes.first { $0.1 == number }?.0 }

  private static func number(_ hash: SealingKey.Hash) -> UInt64 { hashes.first { $0.0 == hash }?.1 ?? 0 }
}

/// The fields of one message in the wire format of Protocol Buffers. The last of several with one number counts.
private struct ProtobufFields {
  var numbers: [Int: UInt64] = [:]
  var bytes: [Int: [UInt8]] = [:]

  /// Nil for bytes that are not such a message.
  init?(_ message: [UInt8]) {
    var rest = message[...]
    while !rest.isEmpty {
      guard let tag = Self.number(&rest), let field = Int(exactly: tag >> 3), field > 0 else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = Self.number(&rest) else { return nil }
        numbers[field] = value
      case 2:
        guard let length = Self.number(&rest), length <= UInt64(rest.count) else { return nil }
        bytes[field] = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(Int(length))
      default: return nil
      }
    }
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var (value, bytes): (UInt64, [UInt8]) = (value, [])
    while value > 0x7F {
      bytes.append(UInt8(value & 0x7F) | 0x80)
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }

  static func number(_ field: Int, _ value: UInt64) -> [UInt8] { varint(UInt64(field) << 3) + varint(value) }

  static func bytes(_ field: Int, _ value: [UInt8]) -> [UInt8] {
    varint(UInt64(field) << 3 | 2) + varint(UInt64(value.count)) + value
  }
}
