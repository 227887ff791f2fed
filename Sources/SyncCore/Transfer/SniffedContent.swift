// SPDX-License-Identifier: Apache-2.0

/// The content of a body, judged by its first bytes and not by its name or its server.
package enum SniffedContent: Hashable, Sendable {
  case media(MediaType)
  /// An image, which counts only where the manifest asks for images.
  case image(ImageType)
  /// A description of other content, for the sentence about the failure: `a web page`.
  case other(String)

  /// The number of bytes that are examined.
  package static let length = 4096

  package var media: MediaType? {
    if case .media(let type) = self { type } else { nil }
  }

  /// The extension for the file; nil for other content.
  package var fileExtension: String? {
    switch self {
    case .media(let type): type.fileExtension
    case .image(let type): type.fileExtension
    case .other: nil
    }
  }

  package init(_ bytes: Span<UInt8>) {
    let bytes = bytes.extracting(..<min(Self.length, bytes.count))
    if let type = bytes.containerType {
      self = .media(type)
    } else if let type = ImageType(bytes) {
      self = .image(type)
    } else {
      self = bytes.streamType.map { .media($0) } ?? .other(Self.name(of: bytes))
    }
  }

  /// The failure of an item with this content; nil if it is what was asked for.
  /// - Parameter mayBeImage: true if the manifest asks for an image.
  package func problem(mayBeImage: Bool) -> Failure? {
    switch self {
    case .media: nil
    case .image: mayBeImage ? nil : .notMedia(found: "a picture")
    case .other(let found): .notMedia(found: found)
    }
  }
}

/// The signatures come from the formats' own specifications. Most are also listed in the WHATWG MIME Sniffing standard
/// and in the database of file(1).
extension Span<UInt8> {
  /// The type of a container, by the signature at its start.
  fileprivate var containerType: MediaType? {
    if has("ID3") { return typeBehindID3 }
    if has("ftyp", at: 4) { return typeOfBrand }
    if has("OggS") { return typeInOgg }
    if has("fLaC") { return .flac }
    if has("RIFF") || has("RF64") { return has("WAVE", at: 8) ? .wav : nil }
    if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) { return .aiff }
    if has([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return .wma }
    if has([0x1A, 0x45, 0xDF, 0xA3]) { return contains("webm", within: 128) ? .webm : .mkv }
    // MPEG-2 transport stream: packets of 188 bytes, each beginning with one sync byte (ISO/IEC 13818-1, 2.4.3.2).
    if has([0x47]), has([0x47], at: 188), has([0x47], at: 376) { return .ts }
    if has("MAC ") { return .ape }
    if has("wvpk") { return .wv }
    if has("DSD ") { return .dsf }
    // QuickTime without a file type box.
    if has("moov", at: 4) || has("wide", at: 4) || has("mdat", at: 4) { return .mov }
    return nil
  }

  /// The type of a stream of frames without a container: at the start, or after
  /// padding and garbage if a second frame confirms it.
  fileprivate var streamType: MediaType? {
    if let frame = AudioFrame(self, at: 0), isFrameOrEnd(frame.length, like: frame) { return frame.type }
    for start in 1..<Swift.max(1, count - 4) {
      guard self[start] == 0xFF, let frame = AudioFrame(self, at: start) else { continue }
      let next = start + frame.length
      if AudioFrame(self, at: next)?.isLike(frame) == true { return frame.type }
    }
    return nil
  }

  private func isFrameOrEnd(_ place: Int, like frame: AudioFrame) -> Bool {
    place + 6 > count || AudioFrame(self, at: place)?.isLike(frame) == true
  }

  /// The type after an ID3 tag. A tag of any size may precede several formats; mp3 is assumed unless the following
  /// bytes show another one.
  private var typeBehindID3: MediaType? {
    guard count >= 10, self[3] < 0xFF, self[6] | self[7] | self[8] | self[9] < 0x80 else { return nil }
    let size = Int(self[6]) << 21 | Int(self[7]) << 14 | Int(self[8]) << 7 | Int(self[9])
    let end = 10 + size
    if has("fLaC", at: end) { return .flac }
    return AudioFrame(self, at: end)?.type ?? .mp3
  }

  private var typeOfBrand: MediaType? {
    if has("M4B ", at: 8) { return .m4b }
    if has("M4A ", at: 8) || has("M4P ", at: 8) || has("F4A ", at: 8) { return .m4a }
    if has("qt  ", at: 8) { return .mov }
    let stills = ["heic", "heix", "mif1", "avif", "jp2 ", "jxl "]
    if stills.contains(where: { has($0, at: 8) }) { return nil }
    return .mp4
  }

  /// The type in Ogg, by the first packet of the first page.
  private var typeInOgg: MediaType { contains("opushead", within: 512) ? .opus : .ogg }
}
