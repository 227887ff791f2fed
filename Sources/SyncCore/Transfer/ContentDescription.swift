// SPDX-License-Identifier: Apache-2.0

extension SniffedContent {
  /// A short name for first bytes that are not media.
  static func name(of bytes: Span<UInt8>) -> String {
    if bytes.isEmpty { return "nothing" }
    for (signature, name) in signatures where bytes.has(signature) { return name }
    if bytes.has([0xFF, 0xFE]) || bytes.has([0xFE, 0xFF]) { return "plain text" }
    return bytes.isText ? nameOfText(bytes) : "nothing known"
  }

  private static let signatures: [([UInt8], String)] = [
    ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x1F, 0x8B], "compressed data"),
    (Array("%PDF-".utf8), "a PDF document"), (Array("Rar!".utf8), "a RAR archive"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"), (Array("#EXTM3U".utf8), "a playlist"),
  ]

  private static func nameOfText(_ bytes: Span<UInt8>) -> String {
    let start = bytes.textStart
    if pageStarts.contains(where: { bytes.hasInAnyCase($0, at: start) }) { return "a web page" }
    if bytes.has("<", at: start) {
      let isPage = bytes.contains("<html", within: length) || bytes.contains("<!doctype html", within: length)
      return isPage ? "a web page" : "XML"
    }
    return bytes.has("{", at: start) || bytes.has("[", at: start) ? "JSON" : "plain text"
  }

  private static let pageStarts = [
    "<!doctype html", "<html", "<head", "<body", "<script", "<title", "<meta", "<div", "<iframe", "<h1",
  ]
}

extension Span<UInt8> {
  /// True if these bytes are at `place`.
  func has(_ signature: [UInt8], at place: Int = 0) -> Bool {
    guard place >= 0, place + signature.count <= count else { return false }
    for (offset, byte) in signature.enumerated() where self[place + offset] != byte { return false }
    return true
  }

  /// True if the ASCII `text` is at `place`.
  func has(_ text: String, at place: Int = 0) -> Bool { has(Array(text.utf8), at: place) }

  /// True if `text`, given in lower case, is at `place` in any case.
  func hasInAnyCase(_ text: String, at place: Int) -> Bool {
    guard place >= 0, place + text.utf8.count <= count else { return false }
    for (offset, byte) in text.utf8.enumerated() {
      let own = self[place + offset]
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(own)
      if (isUpper ? own | 0x20 : own) != byte { return false }
    }
    return true
  }

  /// True if the ASCII `text`, given in lower case, begins within the first `length` bytes, in any case.
  func contains(_ text: String, within length: Int) -> Bool {
    (0..<Swift.min(count, length)).contains { hasInAnyCase(text, at: $0) }
  }

  /// The position after a byte order mark and white space.
  fileprivate var textStart: Int {
    var place = has([0xEF, 0xBB, 0xBF]) ? 3 : 0
    while place < count, self[place] == 0x20 || (0x09...0x0D).contains(self[place]) { place += 1 }
    return place
  }

  /// True if there are no control characters except line ends, tabs and escapes.
  fileprivate var isText: Bool {
    for index in indices {
      let byte = self[index]
      if byte < 0x20, !(0x09...0x0D).contains(byte), byte != 0x1B { return false }
    }
    return true
  }
}
