// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The value in a library's marker that only the library's keys open: a sealed file without contents.
package enum KeyCheck {
  package static func make(_ keys: Keyset, library: String) -> [UInt8] {
    SealedBytes.seal([], with: keys.primary, Sealing.associatedData(library: library))
  }

  /// The key that opens the value. Nil if the keys are not those of the library.
  package static func key(of check: [UInt8], _ keys: Keyset, library: String) -> SealingKey? {
    keys.keys.first { SealedBytes.open(check, with: $0, Sealing.associatedData(library: library)) != nil }
  }
}

/// A few bytes in the form of a sealed file.
enum SealedBytes {
  static func seal(_ plain: [UInt8], with key: SealingKey, _ associatedData: String) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    let cipher = SegmentCipher(for: key, associatedData, using: &random)
    return cipher.header + cipher.seal(plain, segment: 0, isLast: true)
  }

  /// Nil if the key does not open them.
  static func open(_ sealed: [UInt8], with key: SealingKey, _ associatedData: String) -> [UInt8]? {
    let size = key.layout.headerSize
    return SegmentCipher(opening: Array(sealed.prefix(size)), with: key, associatedData)?
      .open(Array(sealed.dropFirst(size)), segment: 0, isLast: true)
  }
}
