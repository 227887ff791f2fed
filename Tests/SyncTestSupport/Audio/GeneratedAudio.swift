// SPDX-License-Identifier: Apache-2.0

/// A valid MP3 file of silence, made without an encoder: MPEG-1 Layer III, 44.1 kHz, mono, constant bit rate, after an
/// ID3v2.4 tag. The frames have zero side information, so that no main data is read; the rest of each frame is
/// ancillary data that is filled from the seed, so that every file differs (ISO/IEC 11172-3 §2.4.1).
package struct GeneratedAudio: Sendable {
  package enum BitRate: Int, Sendable {
    case kbps32 = 32
    case kbps64 = 64

    /// The third byte of the header: bit rate index, 44.1 kHz, no padding.
    fileprivate var headerByte: UInt8 { self == .kbps32 ? 0x10 : 0x50 }
  }

  package let tag: ID3Tag
  package let frameCount: Int
  package let seed: UInt64
  package let bitRate: BitRate
  private static let sampleRate = 44_100
  private static let samplesPerFrame = 1152
  /// The frame header and the side information of one channel.
  private static let headLength = 4 + 17

  /// - Parameter seconds: rounded to whole frames of 1152 samples.
  package init(
    title: String, artist: String? = nil, album: String? = nil, genre: String? = nil, seconds: Double, seed: UInt64,
    bitRate: BitRate = .kbps64
  ) {
    tag = ID3Tag(title: title, artist: artist, album: album, genre: genre)
    frameCount = max(1, Int((seconds * Double(Self.sampleRate) / Double(Self.samplesPerFrame)).rounded()))
    self.seed = seed
    self.bitRate = bitRate
  }

  /// The exact playing time.
  package var seconds: Double { Double(frameCount * Self.samplesPerFrame) / Double(Self.sampleRate) }
  /// The number of bytes of the whole file.
  package var size: Int { tag.bytes.count + frameStart(frameCount) }
  /// The bytes of the whole file.
  package var bytes: [UInt8] { start(frames: frameCount) }

  /// A body of any size that begins like this file and continues with meaningless bytes: enough for a check of the
  /// first bytes, and never held in memory.
  package func body(count: Int) -> Body {
    .generated(GeneratedBytes(seed: seed, count: count, prefix: Array(start(frames: min(8, frameCount)).prefix(count))))
  }

  private func start(frames: Int) -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    var bytes = tag.bytes
    bytes.reserveCapacity(bytes.count + frameStart(frames))
    for number in 0..<frames { appendFrame(number, to: &bytes, &generator) }
    return bytes
  }

  private func appendFrame(_ number: Int, to bytes: inout [UInt8], _ generator: inout SplitMix64) {
    let length = frameStart(number + 1) - frameStart(number)
    let padding: UInt8 = length > frameStart(1) ? 2 : 0
    // Sync, MPEG-1, Layer III, no CRC; then one channel, original.
    bytes += [0xFF, 0xFB, bitRate.headerByte | padding, 0xC4]
    let end = bytes.count - 4 + length
    bytes += [UInt8](repeating: 0, count: Self.headLength - 4)
    while bytes.count < end {
      // With the highest bits cleared there is no 0xFF, which could begin a false frame.
      let word = generator.next() & 0x7F7F_7F7F_7F7F_7F7F
      for shift in stride(from: 0, to: min(8, end - bytes.count) * 8, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
  }

  /// The position of a frame after the tag: padding keeps the bit rate exact in the long run.
  private func frameStart(_ number: Int) -> Int {
    number * Self.samplesPerFrame / 8 * bitRate.rawValue * 1000 / Self.sampleRate
  }
}
