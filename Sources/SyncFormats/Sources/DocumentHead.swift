// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// The first bytes of a document, to recognise a web page, which no XML parser can read.
struct DocumentHead {
  private var bytes: [UInt8] = []
  /// True while nothing but white space and a byte order mark came.
  private(set) var isBlank = true

  private static let length = 1024

  mutating func take(_ more: ArraySlice<UInt8>) {
    if bytes.count < Self.length { bytes.append(contentsOf: more.prefix(Self.length - bytes.count)) }
    if isBlank { isBlank = more.allSatisfy(Self.isBlank) }
  }

  /// True for white space, and for the bytes of a byte order mark.
  static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(byte) }

  /// The kind of source that a document with this root element is, or one without markup. Nil if it is not known.
  func kind(root: XMLName?) -> SourceKind? {
    guard let root else {
      let text = bytes.drop(while: Self.isBlank)
      let isList = [Array("#EXTM3U".utf8), Array("[playlist]".utf8)].contains { text.starts(with: $0) }
      return isList ? .list : nil
    }
    return switch root.local.lowercased() {
    case "rss", "feed", "rdf": .feed
    case "playlist": .list
    case "opml": .opml
    default: nil
    }
  }

  /// - Parameters:
  ///   - root: The root element. Nil if there is none.
  ///   - tags: The elements that show a web page. OPML has some of the same names.
  func isWebPage(root: XMLName?, tags: [String] = ["html", "head", "body"]) -> Bool {
    if let root { return tags.contains(root.local.lowercased()) }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    guard let start = text.firstIndex(of: "<") else { return false }
    return (["!doctype html"] + tags).contains { text[start...].contains("<\($0)") }
  }
}
