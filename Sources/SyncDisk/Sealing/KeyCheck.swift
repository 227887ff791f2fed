// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The value in a library's marker that only the library's keys open: a sealed file without contents.
package enum KeyCheck {
  package static func make(_ keys: Keyset, library: String) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    let cipher = SegmentCipher(for: keys.primary, Sealing.associatedData(library: library), using: &random)
    return cipher.header + cipher.seal([], segment: 0, isLast: true)
  }

  /// The key that opens the value. Nil if the keys are not those of the library.
  package static func key(of check: [UInt8], _ keys: Keyset, library: String) -> SealingKey? {
    keys.keys.first { key in
      let size = key.layout.headerSize
      return SegmentCipher(opening: Array(check.prefix(size)), with: key, Sealing.associatedData(library: library))?
        .open(Array(check.dropFirst(size)), segment: 0, isLast: true) != nil
    }
  }
}
