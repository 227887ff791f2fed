// SPDX-License-Identifier: Apache-2.0

/// The types of media files that the library accepts.
/// The raw value is the file's extension; files get no other extension.
package enum MediaType: String, CaseIterable, Hashable, Sendable {
  case mp3, m4a, m4b, mp4, mov, aac, ogg, opus, flac, wav, aiff, wma, mkv, webm, ape, wv, dsf

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
    "audio/x-ape": .ape, "audio/x-wavpack": .wv, "audio/x-dsf": .dsf, "audio/dsf": .dsf,
  ]
}
