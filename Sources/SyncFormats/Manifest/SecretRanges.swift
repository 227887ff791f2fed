// SPDX-License-Identifier: Apache-2.0

/// The parts of a line that may be credentials: the user part and the query of URLs, the text after a name such as
/// `token:`, and every value in a section of credentials except the harmless ones. The names of variables are shown.
enum SecretRanges {
  private static let names = [
    "authorization", "cookie", "passw", "pasw", "pwd", "token", "secret", "bearer", "api-key", "apikey", "api_key",
  ]

  /// - Parameter section: the section of credentials that holds the line; nil for any other line.
  static func find(in scalars: [Unicode.Scalar], _ section: CredentialSection? = nil) -> [Range<Int>] {
    let found = valueRanges(in: scalars) + urlRanges(in: scalars) + CredentialScan.hidden(in: scalars, section)
    return found.flatMap { withoutVariables($0, of: scalars) }
  }

  /// The parts of a range that are neither `${NAME}` nor the name in `${NAME:-default}`.
  private static func withoutVariables(_ range: Range<Int>, of scalars: [Unicode.Scalar]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var position = start
    while position < range.upperBound {
      guard let end = endOfVariable(at: position, in: scalars[..<range.upperBound]) else {
        // `$$` is one dollar sign.
        position += scalars[position...].starts(with: ["$", "$"]) ? 2 : 1
        continue
      }
      if start < position { parts.append(start..<position) }
      (start, position) = (end, end)
    }
    if start < range.upperBound { parts.append(start..<range.upperBound) }
    return parts
  }

  private static func endOfVariable(at position: Int, in scalars: ArraySlice<Unicode.Scalar>) -> Int? {
    guard scalars[position...].starts(with: ["$", "{"]) else { return nil }
    let rest = scalars[(position + 2)...]
    let name = rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || "0123456789_".unicodeScalars.contains($0)) }
    guard !name.isEmpty, let next = rest.dropFirst(name.count).first, next == "}" || next == ":" else { return nil }
    return name.endIndex + 1
  }

  private static func valueRanges(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    let text = String(String.UnicodeScalarView(scalars)).lowercased()
    guard names.contains(where: { text.contains($0) }) else { return [] }
    let lower = scalars.map { $0.properties.lowercaseMapping.unicodeScalars.first ?? $0 }
    return names.flatMap { name in
      let name = Array(name.unicodeScalars)
      return lower.indices.compactMap { position -> Range<Int>? in
        guard lower[position...].starts(with: name) else { return nil }
        let behindKey = lower[(position + name.count)...].drop {
          $0.properties.isAlphabetic || "0123456789_-\"' ".unicodeScalars.contains($0)
        }
        let value = behindKey.dropFirst().drop { $0 == " " }
        let isFile = lower[..<behindKey.startIndex].reversed().drop { "\"' ".unicodeScalars.contains($0) }
          .starts(with: "elif_".unicodeScalars)
        return behindKey.first == ":" && !value.isEmpty && !isFile ? value.startIndex..<lower.count : nil
      }
    }
  }

  private static func urlRanges(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var rest = scalars[...]
    while let colon = rest.firstIndex(of: ":") {
      rest = rest[(colon + 1)...]
      guard rest.starts(with: ["/", "/"]) else { continue }
      let url = rest.dropFirst(2).prefix(upTo: end(ofURL: rest.dropFirst(2)))
      let authority = url.prefix { $0 != "/" && $0 != "?" }
      if let at = authority.lastIndex(of: "@") { ranges.append(authority.startIndex..<at) }
      if let query = url.firstIndex(of: "?"), query + 1 < url.endIndex { ranges.append((query + 1)..<url.endIndex) }
      rest = rest[url.endIndex...]
    }
    return ranges
  }

  /// Blanks and commas alone do not end it: a broken URL may have some before its query.
  private static func end(ofURL text: ArraySlice<Unicode.Scalar>) -> Int {
    text.indices.first { position in
      switch text[position] {
      case "\"", "'", "{", "}": true
      case ",": position + 1 == text.endIndex || text[position + 1] == " "
      case " ": position + 1 == text.endIndex || text[position + 1] == "#"
      default: false
      }
    } ?? text.endIndex
  }
}
