// SPDX-License-Identifier: Apache-2.0

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
