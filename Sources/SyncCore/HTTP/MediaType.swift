// SPDX-License-Identifier: Apache-2.0

/// The types of media files that the library accepts.
/// The raw value is the file's extension; files get no other extension.
package enum MediaType: String, CaseIterable, Hashable, Sendable {
  case mp3, m4a, m4b, mp4, mov, aac, ogg, opus, flac, wav, aiff, wma, mkv, webm, ts, ape, wv, dsf

  package var fileExtension: String { rawValue }

  /// Finds the type by the extension of a file name, without the dot, in any case.
  /// Returns nil if it is not a media extension.
  package init?(fileExtension: some StringProtocol) {
    switch fileExtension.lowercased() {
    case "mpga", "mp2": self = .mp3
    case "m4v": self = .mp4
    case "oga", "ogv", "spx": self = .ogg
    case "wave": self = .wav
    case "aif", "aifc": self = .aiff
    case "asf", "wmv": self = .wma
    case "mka": self = .mkv
    case "qt": self = .mov
    case let text:
      guard let type = Self(rawValue: text) else { return nil }
      self = type
    }
  }

  /// Finds the type by a media type such as `audio/mpeg; charset=x`. Returns nil if it is unknown.
  package init?(mediaType: some StringProtocol) {
    let name = String(mediaType.prefix { $0 != ";" }.filter { !$0.isWhitespace }).lowercased()
    guard let type = Self.ofMediaTypes[name] else { return nil }
    self = type
  }

  /// The media type that most servers send for this type.
  package var name: String {
    switch self {
    case .mp3: "audio/mpeg"
    case .m4a: "audio/mp4"
    case .ogg: "audio/ogg"
    case .wav: "audio/wav"
    default: Self.ofMediaTypes.lazy.filter { $0.value == self }.map(\.key).min() ?? "application/octet-stream"
    }
  }

  /// The registered names and the unregistered ones that servers send.
  private static let ofMediaTypes: [String: MediaType] = [
    "audio/mpeg": .mp3, "audio/mp3": .mp3, "audio/x-mp3": .mp3, "audio/x-mpeg": .mp3, "audio/mpeg3": .mp3,
    "audio/mp4": .m4a, "audio/m4a": .m4a, "audio/x-m4a": .m4a, "audio/x-m4b": .m4b, "audio/m4b": .m4b,
    "video/mp4": .mp4, "video/x-m4v": .mp4, "video/quicktime": .mov,
    "audio/aac": .aac, "audio/aacp": .aac, "audio/x-aac": .aac,
    "audio/ogg": .ogg, "application/ogg": .ogg, "video/ogg": .ogg, "audio/vorbis": .ogg, "audio/opus": .opus,
    "audio/flac": .flac, "audio/x-flac": .flac,
    "audio/wav": .wav, "audio/x-wav": .wav, "audio/wave": .wav, "audio/vnd.wave": .wav,
    "audio/aiff": .aiff, "audio/x-aiff": .aiff, "audio/x-ms-wma": .wma, "video/x-ms-asf": .wma,
    "audio/x-matroska": .mkv, "video/x-matroska": .mkv, "audio/webm": .webm, "video/webm": .webm,
    "video/mp2t": .ts,
    "audio/x-ape": .ape, "audio/x-wavpack": .wv, "audio/x-dsf": .dsf, "audio/dsf": .dsf,
  ]
}

/// The types of images that the library accepts where the manifest asks for images.
/// The raw value is the file's extension.
package enum ImageType: String, CaseIterable, Hashable, Sendable {
  case jpg, png, gif, webp, heic, avif, jp2, jxl

  package var fileExtension: String { rawValue }

  /// Finds the type by the extension of a file name, without the dot, in any case.
  /// Returns nil if it is not the extension of an image.
  package init?(fileExtension: some StringProtocol) {
    switch fileExtension.lowercased() {
    case "jpeg", "jpe", "jfif": self = .jpg
    case "heif": self = .heic
    case let text:
      guard let type = Self(rawValue: text) else { return nil }
      self = type
    }
  }

  /// Finds the type by the signature at the start of a body (WHATWG MIME Sniffing §6.1, ISO/IEC 23008-12, 15444-1 and
  /// 18181-2). Returns nil if it is not an image.
  init?(_ bytes: Span<UInt8>) {
    if bytes.has([0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if bytes.has([0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.has("GIF8") {
      self = .gif
    } else if bytes.has("RIFF"), bytes.has("WEBP", at: 8) {
      self = .webp
    } else if bytes.has("ftypavif", at: 4) {
      self = .avif
    } else if ["ftypheic", "ftypheix", "ftypmif1"].contains(where: { bytes.has($0, at: 4) }) {
      self = .heic
    } else if bytes.has("ftypjp2 ", at: 4) || bytes.has("jP  ", at: 4) {
      self = .jp2
    } else if bytes.has("ftypjxl ", at: 4) || bytes.has("JXL ", at: 4) || bytes.has([0xFF, 0x0A]) {
      self = .jxl
    } else {
      return nil
    }
  }
}

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
