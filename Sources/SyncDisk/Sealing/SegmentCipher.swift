// SPDX-License-Identifier: Apache-2.0
import Crypto
import SyncCore

/// The cipher of one sealed file: Tink's streaming AEAD `AES-GCM-HKDF`.
///
/// The key of the file is derived from the key of the library, a salt of the file and the associated data. The nonce of
/// a segment holds its number and tells if it is the last. So no segment can be taken from elsewhere, and none is
/// missing unnoticed.
struct SegmentCipher: Sendable {
  private static let nonceSize = 12

  private let key: SymmetricKey
  private let noncePrefix: [UInt8]
  /// The first bytes of the sealed file.
  let header: [UInt8]

  /// The cipher of a new file, with a salt and a nonce prefix of its own.
  init(for key: SealingKey, _ associatedData: String, using random: inout some RandomNumberGenerator) {
    let salt = random.bytes(key.layout.derivedKeySize)
    self.init(key, associatedData, salt: salt, noncePrefix: random.bytes(SealedLayout.noncePrefixSize))
  }

  /// The cipher of a file that begins with this header. Nil if that is not the header of a file sealed with such a key.
  init?(opening header: [UInt8], with key: SealingKey, _ associatedData: String) {
    let layout = key.layout
    guard header.count == layout.headerSize, header[0] == UInt8(layout.headerSize) else { return nil }
    let salt = Array(header[1...layout.derivedKeySize])
    self.init(key, associatedData, salt: salt, noncePrefix: Array(header[(1 + layout.derivedKeySize)...]))
  }

  private init(_ key: SealingKey, _ associatedData: String, salt: [UInt8], noncePrefix: [UInt8]) {
    self.key = key.derived(salt, associatedData)
    self.noncePrefix = noncePrefix
    header = [UInt8(key.layout.headerSize)] + salt + noncePrefix
  }

  /// Seals a segment. Its tag comes last.
  func seal(_ plain: [UInt8], segment: Int64, isLast: Bool) -> [UInt8] {
    do {
      let nonce = try nonce(segment, isLast)
      // Nonce, sealed bytes and tag, one after the other.
      guard let combined = try AES.GCM.seal(plain, using: key, nonce: nonce).combined else {
        preconditionFailure("a nonce of 12 bytes has a combined form")
      }
      return Array(combined.dropFirst(Self.nonceSize))
    } catch {
      preconditionFailure("a key of 128 or 256 bits seals any segment: \(error)")
    }
  }

  /// Returns the media bytes of a segment. Nil if it is not the genuine one.
  func open(_ sealed: [UInt8], segment: Int64, isLast: Bool) -> [UInt8]? {
    guard sealed.count >= SealedLayout.tagSize else { return nil }
    do {
      let box = try AES.GCM.SealedBox(
        nonce: nonce(segment, isLast), ciphertext: sealed.dropLast(SealedLayout.tagSize),
        tag: sealed.suffix(SealedLayout.tagSize))
      return Array(try AES.GCM.open(box, using: key))
    } catch {
      // The only failure of a complete box: its tag is not that of these bytes.
      return nil
    }
  }

  private func nonce(_ segment: Int64, _ isLast: Bool) throws -> AES.GCM.Nonce {
    guard let number = UInt32(exactly: segment) else { preconditionFailure("no file has that many segments") }
    let digits = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    return try AES.GCM.Nonce(data: noncePrefix + digits + [isLast ? 1 : 0])
  }
}

extension SealingKey {
  /// The key of one file (RFC 5869, with the associated data as info).
  fileprivate func derived(_ salt: [UInt8], _ associatedData: String) -> SymmetricKey {
    let (input, info, count) = (SymmetricKey(data: material), Array(associatedData.utf8), layout.derivedKeySize)
    return switch hash {
    case .sha1:
      HKDF<Insecure.SHA1>.deriveKey(inputKeyMaterial: input, salt: salt, info: info, outputByteCount: count)
    case .sha256: HKDF<SHA256>.deriveKey(inputKeyMaterial: input, salt: salt, info: info, outputByteCount: count)
    case .sha384: HKDF<SHA384>.deriveKey(inputKeyMaterial: input, salt: salt, info: info, outputByteCount: count)
    case .sha512: HKDF<SHA512>.deriveKey(inputKeyMaterial: input, salt: salt, info: info, outputByteCount: count)
    }
  }
}

extension RandomNumberGenerator {
  /// That many random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }
}
