// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension YAMLError {
  /// The error as a fact of the core, which knows no YAML library.
  var fact: Finding.Fact {
    switch problem {
    case .syntax(let problem, let context, let line):
      .document(.syntax(problem, context: context, contextLine: line))
    case .tab: .document(.tab)
    case .tooDeep(let limit): .document(.tooDeep(limit: limit))
    case .documentTooLarge(let limit): .document(.documentTooLarge(limit: ByteCount(Int64(limit))))
    case .scalarTooLarge(let limit): .document(.scalarTooLarge(limit: ByteCount(Int64(limit))))
    case .tooManyRepeatedNodes: .document(.tooManyAliases)
    case .invalidUTF8(let byte): .document(.invalidUTF8(byte: byte))
    case .utf16: .document(.utf16)
    case .nul: .document(.nul)
    case .controlCharacter(let character): .document(.controlCharacter(character))
    case .lineSeparator(let character): .document(.lineSeparator(character))
    case .secondDocument: .document(.secondDocument)
    case .tag(let tag): .document(.tag(tag))
    case .unknownAlias(let name): .document(.unknownAlias(name))
    case .aliasInsideItself(let name): .document(.aliasInsideItself(name))
    case .keyNotScalar: .document(.keyNotScalar)
    case .duplicateKey(let key, let firstLine): .key(.duplicate(key, firstLine: firstLine))
    case .mergeOfOther: .document(.mergeOfOther)
    case .outOfMemory: .document(.outOfMemory)
    }
  }
}

/// A line of a manifest as it is shown, with a caret line below.
struct SourceLine {
  let text: String
  let caret: String

  /// The length to which longer lines are cut around the place.
  private static let longest = 118
  private static let before = 60
  private static let after = 56

  var isBlank: Bool { text.allSatisfy { $0 == " " } }

  /// Makes the lines. `column` counts Unicode scalars from 1. With `hidesRest`, nothing from that column on is shown.
  init(_ bytes: ArraySlice<UInt8>, from column: Int, length: Int, hidesRest: Bool) {
    // Enough bytes for the cut around the place, however long the line is.
    let scalars = Array(String(decoding: bytes.prefix(4 * (column + 256)), as: UTF8.self).unicodeScalars)
    let hidden = hidesRest ? [] : SecretRanges.find(in: scalars)
    let place = min(column - 1, scalars.count)
    let isLong = scalars.count > Self.longest
    let start = isLong ? max(0, place - Self.before) : 0
    let end = isLong ? min(scalars.count, place + Self.after) : scalars.count
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

/// The parts of a line that may be credentials: the user part and the query of URLs, and the text after a name such as
/// `token:`.
enum SecretRanges {
  private static let names = [
    "authorization", "cookie", "password", "token", "secret", "bearer", "api-key", "apikey", "api_key",
  ]

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
        guard lower[position...].starts(with: name) else { return nil }
        let behindKey = lower[(position + name.count)...].drop {
          $0.properties.isAlphabetic || "0123456789_-\"' ".unicodeScalars.contains($0)
        }
        let value = behindKey.dropFirst().drop { $0 == " " }
        return behindKey.first == ":" && !value.isEmpty ? value.startIndex..<lower.count : nil
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
