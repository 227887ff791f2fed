// SPDX-License-Identifier: Apache-2.0

/// The cyclic redundancy check of IEEE 802.3, gzip and PNG: finds torn and flipped bytes, proves nothing against malice.
package struct CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = Self.table
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
    return ~value
  }
}
