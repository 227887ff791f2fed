// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Names for items that declare none, derived from their URL alone: other items of the manifest must not change them.
enum DerivedName {
  /// The file's name in the URL, readable, and a hash of host, path and query. Scheme, credentials and fragment do not
  /// count, so that an item stays the same when its server changes to https or its password changes.
  static func id(of url: RemoteURL) -> ItemID? {
    let isDefaultPort = url.port == (url.scheme == .https ? 443 : 80)
    let query = url.text.firstIndex(of: "?").map { url.text[$0...] } ?? ""
    let hash = hex(fnv1a("\(url.host)\(isDefaultPort ? "" : ":\(url.port)")\(url.path)\(query)"))
    let slug = Slug.of(stem(of: url) ?? url.host)
    return ItemID(slug.isEmpty ? hash : "\(slug)-\(hash)")
  }

  /// The file's name in the URL as a person would write it.
  static func title(of url: RemoteURL, id: ItemID) -> String {
    guard let stem = stem(of: url) else { return id.text }
    return stem.withoutControls
  }

  /// The last component of the path that is not empty, decoded, without its extension.
  private static func stem(of url: RemoteURL) -> String? {
    guard let component = url.path.split(separator: "/").last else { return nil }
    let name = percentDecoded(component)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= 6 else { return name }
    return String(name[..<dot])
  }

  /// RFC 3986 §2.1; bytes that are not UTF-8 are repaired.
  private static func percentDecoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(Substring(digits), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// FNV-1a, 32 bits: short and stable; no protection against malice.
  private static func fnv1a(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// A text as part of a name: lower-case letters and digits with single hyphens between them, at most 256 bytes.
enum Slug {
  static func of(_ text: String) -> String {
    var slug = String.UnicodeScalarView()
    // Scalars are counted, not characters: a character may have any length.
    for scalar in text.lowercased().unicodeScalars.prefix(64) {
      let properties = scalar.properties
      if properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .nonspacingMark {
        slug.append(scalar)
      } else if !slug.isEmpty, slug.last != "-" {
        slug.append("-")
      }
    }
    if slug.last == "-" { slug.removeLast() }
    return String(slug)
  }
}
