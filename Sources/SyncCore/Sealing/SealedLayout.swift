// SPDX-License-Identifier: Apache-2.0

/// The sizes and places in a file sealed with Tink's streaming AEAD.
///
/// A header comes first: its own length in one byte, a salt, and the first part of every nonce. Segments follow, each
/// with a tag after it. Their size is counted from the beginning of the file, so the first is shorter by the header.
/// Only an empty file has an empty segment. Source: Tink, "AES-GCM-HKDF Streaming AEAD".
package struct SealedLayout: Hashable, Sendable {
  /// The bytes that authenticate a segment.
  package static let tagSize = 16
  /// A nonce holds the number of its segment in 32 bits.
  package static let maximumSegments = Int64(UInt32.max) + 1
  /// The part of a nonce that is the same for all segments of a file.
  package static let noncePrefixSize = 7

  /// The bytes of a segment in the sealed file, with its tag.
  package let segmentSize: Int
  /// The bytes of the key of one file: 16 or 32. The salt has the same size.
  package let derivedKeySize: Int

  /// Nil for sizes that the format does not allow.
  package init?(segmentSize: Int, derivedKeySize: Int) {
    guard derivedKeySize == 16 || derivedKeySize == 32,
      (1 + derivedKeySize + Self.noncePrefixSize + Self.tagSize + 1...Int(Int32.max)).contains(segmentSize)
    else { return nil }
    (self.segmentSize, self.derivedKeySize) = (segmentSize, derivedKeySize)
  }

  package var headerSize: Int { 1 + derivedKeySize + Self.noncePrefixSize }

  /// The bytes of media in every segment but the first and the last.
  private var capacity: Int64 { Int64(segmentSize - Self.tagSize) }

  /// The size of the sealed form of so many bytes.
  package func sealedSize(of plain: ByteCount) -> ByteCount {
    let filled = plain.bytes + Int64(headerSize)
    let segments = max(1, (filled + capacity - 1) / capacity)
    return ByteCount(filled + segments * Int64(Self.tagSize))
  }

  /// The size of the media in a sealed file of that size. Nil if no sealed file has that size.
  package func plainSize(of sealed: ByteCount) -> ByteCount? {
    let segments = segmentCount(of: sealed)
    guard segments <= Self.maximumSegments else { return nil }
    let plain = sealed.bytes - Int64(headerSize) - segments * Int64(Self.tagSize)
    guard plain >= 0, sealedSize(of: ByteCount(plain)) == sealed else { return nil }
    return ByteCount(plain)
  }

  /// The number of segments in a sealed file of that size.
  package func segmentCount(of sealed: ByteCount) -> Int64 {
    let (whole, rest) = sealed.bytes.quotientAndRemainder(dividingBy: Int64(segmentSize))
    return max(1, whole + (rest > 0 ? 1 : 0))
  }

  /// The place of a segment in a sealed file of that size.
  package func range(ofSegment index: Int64, in sealed: ByteCount) -> Range<Int64> {
    let start = index == 0 ? Int64(headerSize) : index * Int64(segmentSize)
    return start..<max(start, min((index + 1) * Int64(segmentSize), sealed.bytes))
  }

  /// The number of media bytes in a segment, if another one follows it.
  package func capacity(ofSegment index: Int64) -> Int {
    Int(capacity) - (index == 0 ? headerSize : 0)
  }

  /// The segment of the media byte at an offset, and the offset in it.
  package func place(of offset: Int64) -> (segment: Int64, skip: Int) {
    let counted = offset + Int64(headerSize)
    let segment = counted / capacity
    return (segment, Int(counted % capacity) - (segment == 0 ? headerSize : 0))
  }
}
