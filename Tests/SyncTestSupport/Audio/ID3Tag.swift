// SPDX-License-Identifier: Apache-2.0

/// An ID3v2.4 tag with text frames in UTF-8 (id3.org, "ID3 tag version 2.4.0").
package struct ID3Tag: Sendable {
  package let title: String
  package let artist: String?
  package let album: String?
  package let genre: String?

  package init(title: String, artist: String? = nil, album: String? = nil, genre: String? = nil) {
    self.title = title
    self.artist = artist
    self.album = album
    self.genre = genre
  }

  package var bytes: [UInt8] {
    let texts = [("TIT2", title), ("TPE1", artist), ("TALB", album), ("TCON", genre)]
    let frames = texts.flatMap { name, text in text.map { Self.textFrame(name, $0) } ?? [] }
    return Array("ID3".utf8) + [4, 0, 0] + Self.syncSafe(frames.count) + frames
  }

  private static func textFrame(_ name: String, _ text: String) -> [UInt8] {
    let content = [3] + Array(text.utf8)
    return Array(name.utf8) + syncSafe(content.count) + [0, 0] + content
  }

  /// Seven bits a byte, so that no size looks like the start of a frame.
  private static func syncSafe(_ number: Int) -> [UInt8] {
    stride(from: 21, through: 0, by: -7).map { UInt8((number >> $0) & 0x7F) }
  }
}
