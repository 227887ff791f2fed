// SPDX-License-Identifier: Apache-2.0

// The standard library normalizes text but exposes this only to Foundation. Own tables would duplicate data that every
// linked program already contains.
@_spi(_Unicode) import Swift

extension String {
  /// The text in Unicode normalization form C, which names have on every disk
  /// except Apple's: one text, one sequence of bytes.
  package var composed: String {
    // Nothing below U+0300 composes (DerivedNormalizationProps, NFC_Quick_Check).
    guard unicodeScalars.contains(where: { $0.value >= 0x300 }) else { return self }
    var scalars = UnicodeScalarView()
    for scalar in _nfc { scalars.append(scalar) }
    return String(scalars)
  }

  /// The text in Unicode normalization form D, in which a letter comes before its marks.
  package var decomposed: String {
    guard unicodeScalars.contains(where: { $0.value >= 0xC0 }) else { return self }
    var scalars = UnicodeScalarView()
    for scalar in _nfd { scalars.append(scalar) }
    return String(scalars)
  }
}
