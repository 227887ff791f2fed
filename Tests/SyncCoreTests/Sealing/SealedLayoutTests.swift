// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the layout of a sealed file")
struct SealedLayoutTests {
  private func layout(_ segment: Int = 4096, _ derived: Int = 32) throws -> SealedLayout {
    try #require(SealedLayout(segmentSize: segment, derivedKeySize: derived))
  }

  @Test(
    "sizes around each segment edge are those that Tink makes",
    arguments: [
      // An empty file has one segment with nothing but its tag.
      (0, 56), (1, 57), (13, 69),
      // The first segment holds the header: it is full with 4040 bytes. A full last segment is not followed by an empty
      // one.
      (4040, 4096), (4041, 4113), (8120, 8192), (8121, 8209),
    ] as [(Int64, Int64)])
  func sizes(plain: Int64, sealed: Int64) throws {
    let layout = try layout()
    #expect(layout.sealedSize(of: ByteCount(plain)) == ByteCount(sealed))
    #expect(layout.plainSize(of: ByteCount(sealed)) == ByteCount(plain))
  }

  @Test("no sealed file has these sizes", arguments: [0, 1, 40, 55, 4097, 4096 + 16, 8192 + 16] as [Int64])
  func impossible(size: Int64) throws { #expect(try layout().plainSize(of: ByteCount(size)) == nil) }

  @Test("the ranges of the segments cover the file once, and the places of the media are in them")
  func ranges() throws {
    for (segment, derived) in [(64, 16), (100, 32), (4096, 32)] {
      let layout = try layout(segment, derived)
      for plain in 0..<600 as Range<Int64> {
        let sealed = layout.sealedSize(of: ByteCount(plain))
        let count = layout.segmentCount(of: sealed)
        var end = Int64(layout.headerSize)
        var media: Int64 = 0
        for index in 0..<count {
          let range = layout.range(ofSegment: index, in: sealed)
          #expect(range.lowerBound == end)
          end = range.upperBound
          let bytes = Int64(range.count - SealedLayout.tagSize)
          #expect(
            index == count - 1
              ? bytes <= Int64(layout.capacity(ofSegment: index)) : bytes == layout.capacity(ofSegment: index))
          for offset in media..<(media + bytes) {
            let place = layout.place(of: offset)
            #expect(place.segment == index && place.skip == Int(offset - media))
          }
          media += bytes
        }
        #expect(end == sealed.bytes && media == plain)
      }
    }
  }

  @Test("sizes that the format does not allow are refused")
  func refused() {
    for (segment, derived) in [(56, 32), (0, 32), (-1, 32), (4096, 24), (4096, 0), (Int.max, 32)] {
      #expect(SealedLayout(segmentSize: segment, derivedKeySize: derived) == nil)
    }
  }
}
