// SPDX-License-Identifier: Apache-2.0

/// The names in the tags of a media file, and its playing time. Texts are as they are in the file, nil if they are
/// absent or blank.
package struct MediaNames: Hashable, Sendable {
  package var title: String?
  package var artist: String?
  package var album: String?
  package var duration: Duration?

  package init(title: String?, artist: String? = nil, album: String? = nil, duration: Duration? = nil) {
    (self.title, self.artist, self.album) = (Self.known(title), Self.known(artist), Self.known(album))
    self.duration = duration
  }

  private static func known(_ text: String?) -> String? {
    guard let text, text.utf8.contains(where: { $0 > UInt8(ascii: " ") }) else { return nil }
    return text
  }
}
