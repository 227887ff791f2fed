// SPDX-License-Identifier: Apache-2.0

// The standard library composes and decomposes text, and shows it to Foundation alone. Tables of our own would be a second
// copy of what is in every program that is linked to it.
@_spi(_Unicode) import Swift

extension String {
  /// In Unicode's normal form C, which names have on every disk but Apple's: one text, one sequence of bytes.
  package var composed: String {
    // Below U+0300 nothing composes (DerivedNormalizationProps, NFC_Quick_Check).
    guard unicodeScalars.contains(where: { $0.value >= 0x300 }) else { return self }
    var scalars = UnicodeScalarView()
    for scalar in _nfc { scalars.append(scalar) }
    return String(scalars)
  }
}
