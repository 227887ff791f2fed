// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a keyset")
struct KeysetFileTests {
  /// A key that Tink made: 00 to 1f, segments of 4 KiB.
  private static let value = "EgcIgCAQIBgDGiAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw=="
  private static let other = "type.googleapis.com/google.crypto.tink.AesGcmKey"

  private static func key(
    _ id: String = "7", status: String = "ENABLED", type: String = KeysetFile.type, value: String = value
  ) -> String {
    """
    {"keyData":{"typeUrl":"\(type)","value":"\(value)","keyMaterialType":"SYMMETRIC"},
     "status":"\(status)","keyId":\(id),"outputPrefixType":"RAW"}
    """
  }

  private static func set(primary: String = "7", _ keys: String...) -> String {
    "{\"primaryKeyId\":\(primary),\"key\":[\(keys.joined(separator: ","))]}"
  }

  private func read(_ text: String) throws(KeysetProblem) -> Keyset { try KeysetFile.keyset(Array(text.utf8)) }

  @Test("of Tink is read with the parameters of its keys")
  func tink() throws {
    let keys = try read(Self.set(Self.key()))
    #expect(keys.primary.id == KeyID(7))
    #expect(keys.primary.material == Array(0..<32))
    #expect(keys.primary.layout == SealedLayout(segmentSize: 4096, derivedKeySize: 32))
    #expect(keys.primary.hash == .sha256)
  }

  @Test("keeps keys that it cannot use, and writes them back")
  func foreign() throws {
    let text = Self.set(Self.key(), Self.key("8", status: "DISABLED"), Self.key("9", type: Self.other, value: "AAAA"))
    let keys = try read(text)
    #expect(keys.keys.map(\.id) == [KeyID(7)])
    #expect(keys.entries.map(\.id.number) == [7, 8, 9])
    #expect(try KeysetFile.keyset(KeysetFile.bytes(keys)) == keys)
  }

  @Test("with a new key is one that it reads, and after a rotation the old key still opens")
  func rotation() throws {
    let (first, key) = KeysetFile.newEntry(KeyID(1), Array(repeating: 1, count: 32))
    var keys = Keyset(first, key)
    let (second, _) = KeysetFile.newEntry(KeyID(UInt32.max), Array(repeating: 2, count: 32))
    keys.add(second)
    #expect(keys.primary.id == KeyID(1))
    let isKnown = keys.rotate(to: KeyID(UInt32.max))
    let isUnknown = !keys.rotate(to: KeyID(5))
    #expect(isKnown && isUnknown)
    let read = try KeysetFile.keyset(KeysetFile.bytes(keys))
    #expect(read == keys)
    #expect(read.keys.map(\.id.number) == [UInt32.max, 1])
    #expect(read.primary.layout == SealedLayout(segmentSize: 1 << 20, derivedKeySize: 32))
  }

  @Test(
    "that cannot be used says why",
    arguments: [
      ("", .notAKeyset), ("[]", .notAKeyset), ("{}", .notAKeyset), ("{\"primaryKeyId\":7,\"key\":7}", .notAKeyset),
      (set("{}"), .notAKeyset), (set(key("-1")), .notAKeyset), (set(key("4294967296")), .notAKeyset),
      (set(key(status: "UNKNOWN_STATUS")), .notAKeyset),
      ("{\"encryptedKeyset\":\"AAAA\",\"keysetInfo\":{}}", .encrypted), (set(), .noKeys),
      (set(key(), key()), .repeatedID(KeyID(7))), (set(primary: "8", key()), .noPrimary(KeyID(8))),
      (set(key(status: "DISABLED")), .primaryNotEnabled(KeyID(7))),
      (set(key(status: "DESTROYED")), .primaryNotEnabled(KeyID(7))),
      (set(key(type: other)), .primaryOfOtherKind(KeyID(7), type: other)),
      (set(key(value: "")), .badKey(KeyID(7))), (set(key(value: "!")), .badKey(KeyID(7))),
      // Cut inside the key; a derived key of 24 bytes; an unknown hash; segments of 1 GiB.
      (set(key(value: "EgcIgCAQIBgDGiAAAQID")), .badKey(KeyID(7))),
      (set(key(value: "EgcIgCAQGBgDGiAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw==")), .badKey(KeyID(7))),
      (set(key(value: "EgcIgCAQIBgJGiAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw==")), .badKey(KeyID(7))),
      (
        set(key(value: "EgoIgICAgAQQIBgDGiAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw==")),
        .segmentTooLarge(KeyID(7), ByteCount(1 << 30))
      ),
    ] as [(String, KeysetProblem)])
  func problems(text: String, problem: KeysetProblem) {
    #expect(throws: problem) { try read(text) }
  }

  @Test("never shows its keys in a description")
  func descriptions() throws {
    let keys = try read(Self.set(Self.key()))
    #expect("\(keys.primary)" == "key 7")
  }
}
