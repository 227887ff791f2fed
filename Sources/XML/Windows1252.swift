// SPDX-License-Identifier: Apache-2.0

/// The encoding that is mostly meant where ISO-8859-1 is declared, or where UTF-8 has bytes of another encoding.
package enum Windows1252 {
  /// - Returns: the character that windows-1252 has at the number of a C1 control character, U+FFFD where it has none,
  ///   and any other character as it is. No text uses C1 control characters: where they appear, the text was labelled
  ///   wrongly when it was decoded.
  package static func meaning(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(controls[Int(scalar.value) - 0x80]) ?? "\u{FFFD}"
  }

  /// 0x80 to 0x9F (WHATWG Encoding, index windows-1252). U+FFFD stands for the five that have no character.
  private static let controls: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
    0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0xFFFD, 0x017E, 0x0178,
  ]
}
