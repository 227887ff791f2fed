// SPDX-License-Identifier: Apache-2.0

/// A frame header of MPEG audio layer II or III (ISO 11172-3, 13818-3), or of AAC in ADTS (ISO 13818-7).
struct AudioFrame {
  var type: MediaType
  /// The length in bytes, including the header.
  var length: Int
  /// The bits that stay the same from frame to frame.
  private var constant: Int

  func isLike(_ other: AudioFrame) -> Bool { type == other.type && constant == other.constant }

  init?(_ bytes: Span<UInt8>, at start: Int) {
    guard start >= 0, start + 6 <= bytes.count, bytes[start] == 0xFF, bytes[start + 1] & 0xE0 == 0xE0 else {
      return nil
    }
    let (second, third) = (Int(bytes[start + 1]), Int(bytes[start + 2]))
    constant = (second & 0xFE) << 8 | third & 0x0C
    if second & 0xF6 == 0xF0 {
      let rate = third >> 2 & 15
      length = Int(bytes[start + 3] & 3) << 11 | Int(bytes[start + 4]) << 3 | Int(bytes[start + 5]) >> 5
      type = .aac
      guard rate < 13, length >= 7 else { return nil }
    } else {
      guard let length = Self.length(version: second >> 3 & 3, layer: second >> 1 & 3, third) else { return nil }
      self.length = length
      type = .mp3
    }
  }

  /// Version 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5. Layer 1 is III, 2 is II.
  private static func length(version: Int, layer: Int, _ third: Int) -> Int? {
    let (index, rate, padding) = (third >> 4, third >> 2 & 3, third >> 1 & 1)
    guard version != 1, layer == 1 || layer == 2, (1...14).contains(index), rate < 3 else { return nil }
    let halving = version == 3 ? 1 : version == 2 ? 2 : 4
    let bitsPerSecond = 1000 * bitrates[version == 3 ? (layer == 1 ? 0 : 1) : 2][index - 1]
    let samples = layer == 1 && version != 3 ? 72 : 144
    return samples * bitsPerSecond / ([44_100, 48_000, 32_000][rate] / halving) + padding
  }

  /// In kbit/s: MPEG-1 layer III, MPEG-1 layer II, MPEG-2 layers II and III.
  private static let bitrates = [
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}
