// SPDX-License-Identifier: Apache-2.0

/// A digest of texts (FNV-1a, 64 bits). It detects changes but gives no security.
struct InputDigest {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ texts: String...) {
    for text in texts {
      for byte in text.utf8 { add(byte) }
      // No UTF-8 text contains this byte, so different lists of texts cannot run together.
      add(0xFF)
    }
  }

  mutating func add(_ text: String?) { text.map { add("+", $0) } ?? add("-") }

  private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

  var value: UInt64 { hash }

  /// Twelve bits that depend on all bits of the digest.
  var shortValue: UInt16 {
    var mixed = hash ^ (hash >> 33)
    mixed &*= 0xff51_afd7_ed55_8ccd
    mixed ^= mixed >> 33
    mixed &*= 0xc4ce_b9fe_1a85_ec53
    return UInt16(truncatingIfNeeded: (mixed ^ (mixed >> 33)) & 0xFFF)
  }
}
