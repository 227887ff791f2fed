// SPDX-License-Identifier: Apache-2.0

/// Names for the playlists of the outlines of one OPML document, each used once.
package struct OutlineNames {
  private var taken: Set<String> = []

  package init() {}

  /// Names that are used already.
  package init(taken: some Sequence<String>) { self.taken = Set(taken) }

  /// A new name, made from the title, or from the URL if the title has too few letters that a name may contain. If the
  /// name is used, a hash of the URL follows it.
  package mutating func name(title: String?, url: RemoteURL) -> String {
    let slug = Self.slug(title: title, url: url)
    var name = slug
    // The scheme does not count, so that a feed keeps its name when its server changes to https.
    var hash = String(url.text.drop { $0 != ":" }).fingerprint
    while !taken.insert(name).inserted {
      // A key of a manifest that begins with "x-" is not a playlist.
      name = slug == "x" ? "x\(hash)" : "\(slug)-\(hash)"
      hash = hash.fingerprint
    }
    return name
  }

  /// Lower-case letters and digits with single hyphens between them, at most `longest` bytes.
  static func slug(title: String?, url: RemoteURL) -> String {
    if let slug = title.flatMap(slug(ofTitle:)) { return slug }
    let host = url.host.hasPrefix("www.") ? url.host.dropFirst(4) : url.host[...]
    let slug = hyphenated("\(host) \(url.path)").text
    return slug.isEmpty ? "feed" : slug
  }

  private static let longest = 64

  /// Nil if most letters of the title are not Latin.
  private static func slug(ofTitle title: String) -> String? {
    let (slug, kept, lost) = hyphenated(title)
    return slug.isEmpty || lost > kept ? nil : slug
  }

  /// - Returns: Also the number of letters and digits that were kept, and of those that the name cannot contain.
  private static func hyphenated(_ text: String) -> (text: String, kept: Int, lost: Int) {
    var slug: [UInt8] = []
    var (kept, lost, isGap) = (0, 0, false)
    for scalar in text.lowercased().decomposed.unicodeScalars where slug.count < longest {
      if let letters = letters(for: scalar) {
        if isGap, !slug.isEmpty { slug.append(UInt8(ascii: "-")) }
        isGap = false
        slug += letters
        kept += 1
      } else if scalar.properties.generalCategory == .nonspacingMark || scalar == "'" || scalar == "\u{2019}" {
        continue
      } else {
        if scalar.properties.isAlphabetic { lost += 1 }
        isGap = true
      }
    }
    var name = slug.prefix(longest)
    while name.last == UInt8(ascii: "-") { name.removeLast() }
    if name.starts(with: "x-".utf8) { name.remove(at: name.startIndex + 1) }
    return (String(decoding: name, as: UTF8.self), kept, lost)
  }

  /// Latin letters that do not decompose into an ASCII letter and a mark.
  private static let ligatures: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
  ]

  private static func letters(for scalar: Unicode.Scalar) -> [UInt8]? {
    switch scalar {
    case "a"..."z", "0"..."9": [UInt8(scalar.value)]
    default: ligatures[scalar].map { Array($0.utf8) }
    }
  }
}
