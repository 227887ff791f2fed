// SPDX-License-Identifier: Apache-2.0

/// The tags of a media file.
package struct TrackTags: Hashable, Sendable {
  package var artist: String?
  package var album: String?
  package var title: String
  /// Returns nil without a title. A blank tag counts as absent.
  package init?(artist: String?, album: String? = nil, title: String) {
    guard !title.isBlank else { return nil }
    self.title = title
    self.artist = artist.flatMap { $0.isBlank ? nil : $0 }
    self.album = album.flatMap { $0.isBlank ? nil : $0 }
  }
}

extension String {
  fileprivate var isBlank: Bool { utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  /// The form in which tags are compared: Unicode normalization form C, case-folded, with blanks trimmed and collapsed.
  package var tagKey: String {
    if let ascii = asciiTagKey { return ascii }
    // To upper case and back, so that ß becomes ss and a final sigma becomes a sigma.
    // This is close enough to full case folding.
    let folded = composed.uppercased().lowercased()
    return folded.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
      .joined(separator: " ").composed
  }

  /// Nil if the text is not pure ASCII.
  private var asciiTagKey: String? {
    var key: [UInt8] = []
    key.reserveCapacity(utf8.count)
    var isBlank = false
    for byte in utf8 {
      switch byte {
      case 0x80...: return nil
      case 0x20, 0x09...0x0D: isBlank = !key.isEmpty
      default:
        if isBlank { key.append(0x20) }
        isBlank = false
        key.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
      }
    }
    return String(decoding: key, as: UTF8.self)
  }
}
