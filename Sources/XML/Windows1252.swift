// SPDX-License-Identifier: Apache-2.0

/// The encoding that is usually meant if ISO-8859-1 is declared, or if UTF-8 contains bytes of another encoding.
package enum Windows1252 {
  /// Returns the windows-1252 character for the number of a C1 control character, U+FFFD if there is none, and any
  /// other character unchanged. No text uses C1 control characters: where they appear, the text was decoded with a
  /// wrong label.
  package static func meaning(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(controls[Int(scalar.value) - 0x80]) ?? "\u{FFFD}"
  }

  /// 0x80 to 0x9F (WHATWG Encoding, index windows-1252). U+FFFD is used for the five without a character.
  private static let controls: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
    0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0xFFFD, 0x017E, 0x0178,
  ]
}
