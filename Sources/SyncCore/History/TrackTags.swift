// SPDX-License-Identifier: Apache-2.0

/// What a file says of itself.
package struct TrackTags: Hashable, Sendable {
  package var artist: String?
  package var album: String?
  package var title: String
  /// Nil without a title. What is blank is not there.
  package init?(artist: String?, album: String? = nil, title: String) {
    guard !title.isBlank else { return nil }
    self.title = title
    self.artist = artist.flatMap { $0.isBlank ? nil : $0 }
    self.album = album.flatMap { $0.isBlank ? nil : $0 }
  }
}

extension String {
  fileprivate var isBlank: Bool { utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  /// The form in which tags are compared: Unicode's normal form C, case folded, blanks trimmed and runs of them as one.
  package var tagKey: String {
    if let ascii = asciiTagKey { return ascii }
    // Up and down again, so that ß is ss and a final sigma is a sigma: near enough to full case folding.
    let folded = composed.uppercased().lowercased()
    return folded.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
      .joined(separator: " ").composed
  }

  /// Nil when there is more than ASCII in it.
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
