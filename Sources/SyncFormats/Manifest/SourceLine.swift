// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A line of a manifest as it is shown, with a caret line below.
struct SourceLine {
  let text: String
  let caret: String

  /// Characters to the left and right of the place that are shown at most.
  private static let before = 60
  private static let after = 40

  var isBlank: Bool { text.allSatisfy { $0 == " " } }

  /// `column` counts Unicode scalars from 1. With `hidesRest` nothing from there on is shown.
  init(_ bytes: ArraySlice<UInt8>, from column: Int, length: Int, hidesRest: Bool) {
    // Enough for the cut around the place, however long the line is.
    let scalars = Array(String(decoding: bytes.prefix(4 * (column + 256)), as: UTF8.self).unicodeScalars)
    let hidden = hidesRest ? [] : SecretRanges.find(in: scalars)
    let place = min(column - 1, scalars.count)
    let start = max(0, place - Self.before)
    let end = min(scalars.count, place + max(Self.after, min(length, Self.after)))
    let head = Self.shown(scalars, start..<place, hidden)
    let body = hidesRest ? ["***"] : Self.shown(scalars, place..<end, hidden)
    let isCut = end < scalars.count && !hidesRest
    text = (start > 0 ? "…" : "") + head.joined() + body.joined() + (isCut ? "…" : "")
    let indent = head.reduce(start > 0 ? 1 : 0) { $0 + Self.width($1) }
    let marked = hidesRest ? 3 : body.prefix(length).reduce(0) { $0 + Self.width($1) }
    caret = String(repeating: " ", count: indent) + "^" + String(repeating: "~", count: max(0, marked - 1))
  }

  private static func shown(_ scalars: [Unicode.Scalar], _ range: Range<Int>, _ hidden: [Range<Int>]) -> [String] {
    range.map { position in
      hidden.contains { $0.contains(position) } ? "*" : VisibleScalar.text(of: scalars[position])
    }
  }

  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + VisibleScalar.width(of: $1) }
  }
}

/// What of a line may be a credential: the user part and the query of URLs, and what follows a name such as `token:`.
enum SecretRanges {
  private static let names = ["authorization", "cookie", "password", "token", "secret", "api-key", "apikey", "api_key"]

  static func find(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    valueRanges(in: scalars) + urlRanges(in: scalars)
  }

  private static func valueRanges(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    let text = String(String.UnicodeScalarView(scalars)).lowercased()
    guard names.contains(where: { text.contains($0) }) else { return [] }
    let lower = scalars.map { $0.properties.lowercaseMapping.unicodeScalars.first ?? $0 }
    return names.flatMap { name in
      let name = Array(name.unicodeScalars)
      return lower.indices.compactMap { position -> Range<Int>? in
        guard lower[position...].starts(with: name),
          let colon = lower[position...].firstIndex(of: ":"), colon + 1 < lower.count
        else { return nil }
        let value = lower[(colon + 1)...].drop { $0 == " " }
        return value.startIndex..<lower.count
      }
    }
  }

  private static func urlRanges(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var rest = scalars[...]
    while let colon = rest.firstIndex(of: ":") {
      rest = rest[(colon + 1)...]
      guard rest.starts(with: ["/", "/"]) else { continue }
      let url = rest.dropFirst(2).prefix { !" \"'<>{}[],".unicodeScalars.contains($0) }
      let authority = url.prefix { $0 != "/" && $0 != "?" }
      if let at = authority.lastIndex(of: "@") { ranges.append(authority.startIndex..<at) }
      if let query = url.firstIndex(of: "?"), query + 1 < url.endIndex { ranges.append((query + 1)..<url.endIndex) }
      rest = rest[url.endIndex...]
    }
    return ranges
  }
}
