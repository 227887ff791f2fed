// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A finding as a picture: the place, the sentence, the line, a caret.
package enum FindingWords {
  /// The widest part of a source line that is shown.
  private static let window = 100

  /// Three lines, without a newline at the end.
  package static func render(_ finding: Finding, file: String, source: [UInt8]) -> String {
    let head = "\(file):\(finding.line):\(finding.column): error: \(finding.problem.words)"
    guard let line = line(finding.line, of: source) else { return head }
    let characters = Array(String(decoding: line, as: UTF8.self).unicodeScalars.prefix(finding.column + window))
    let start = max(0, finding.column - 1 - window / 2)
    let end = min(characters.count, start + window)
    guard start <= end else { return head }
    let shown = characters[start..<end].map(visible).joined()
    let before = characters[start..<min(end, max(start, finding.column - 1))].map(visible).joined()
    let inside = characters[min(end, max(start, finding.column - 1))..<end].prefix(finding.width).map(visible).joined()
    let caret = "^" + String(repeating: "~", count: max(0, inside.columns - 1))
    return "\(head)\n  \(shown)\n  \(String(repeating: " ", count: before.columns))\(caret)"
  }

  private static func visible(_ scalar: Unicode.Scalar) -> String {
    scalar == "\t" ? " " : String(scalar).printable
  }

  private static func line(_ number: Int, of source: [UInt8]) -> ArraySlice<UInt8>? {
    var start = source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for _ in 1..<max(1, number) {
      guard let end = source[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      start = end + 1
    }
    // A line may be megabytes long; what lies beyond the window is not looked at.
    return source[start...].prefix(1 << 20).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }
}

extension ManifestProblem {
  /// One sentence without a full stop, with the way out where there is one.
  package var words: String {
    switch self {
    case .empty: "the manifest is empty; begin with `version: 1`"
    case .notYAML(let detail): "this is not YAML: \(detail.printable)"
    case .notUTF8: "this is not UTF-8; save the file in that encoding"
    case .nul: "there is a NUL character; remove it"
    case .secondDocument: "a second document begins here; a manifest is one document"
    case .customTag(let tag): "the tag \(tag.quoted) is not understood; remove it"
    case .unknownAnchor(let name): "no anchor is called \(("&" + name).quoted)"
    case .recursiveAlias(let name): "the alias \(("*" + name).quoted) stands inside its own anchor"
    case .badMerge: "`<<` takes a mapping or a list of mappings"
    case .tooDeep(let limit): "this is nested more than \(limit) levels deep"
    case .documentTooLarge(let limit): "the manifest is larger than \(ByteCount(Int64(limit)).words)"
    case .scalarTooLarge(let limit): "this value is larger than \(ByteCount(Int64(limit)).words)"
    case .tooManyAliases(let limit): "aliases stand for more than \(limit) values in all"
    case .outOfMemory: "there is not enough memory to read the manifest"
    case .notAMapping: "a manifest is a mapping of keys to values; begin with `version: 1`"
    case .missingVersion: "the key \"version\" is missing; this syncjob reads `version: 1`"
    case .unsupportedVersion(let found): "this is version \(found.quoted); this syncjob reads version 1"
    default: keyWords ?? valueWords ?? fitWords
    }
  }

  private var keyWords: String? {
    switch self {
    case .unknownKey(let key, let place, let nearest):
      "unknown key \(key.quoted)\(place.isEmpty ? "" : " in \(place.quoted)")"
        + (nearest.map { "; did you mean \($0.quoted)?" } ?? "")
    case .duplicateKey(let key, let line):
      "the key \(key.quoted) stands here a second time; the first is on line \(line)"
    case .keyIsNotText: "a key must be a plain text"
    case .missingKey(let key, let place):
      "the key \(key.quoted) is missing\(place.isEmpty ? "" : " in \(place.quoted)")"
    case .notSupportedYet(let key, let value):
      "\(key.quoted) is not supported by this version of syncjob yet; remove it"
        + (value.isEmpty ? "" : " or leave it at \(value.quoted)")
    default: nil
    }
  }

  private var valueWords: String? {
    switch self {
    case .wrongType(let key, let expected, let found): "\(key.quoted) takes \(expected.words), not \(found.words)"
    case .badValue(let key, let value, let expected):
      "\(key.quoted) takes \(expected.words), not \(value.shortened.quoted)"
    case .quoted(let key, let expected): "\(key.quoted) takes \(expected.words); write it without quotes"
    case .ambiguousSize(let key, let value, let decimal, let binary):
      "\(value.quoted) in \(key.quoted) could mean two sizes; write \(decimal.quoted) or \(binary.quoted)"
    case .undefinedVariable(let name):
      "the environment has no variable \(name.quoted); set it, or give a default with ${\(name):-…}"
    case .requiredVariable(let name, let message): "the variable \(name.quoted) is needed: \(message.printable)"
    case .badInterpolation(let text):
      "\(text.quoted) is no variable; write ${NAME}, ${NAME:-default} or ${NAME:?message}, and $$ for a dollar sign"
    default: nil
    }
  }

  private var fitWords: String {
    switch self {
    case .targetAboveTrigger: "\"storage.evict.target\" must not be larger than \"storage.evict.trigger\""
    case .confidenceBeyondTolerance:
      "\"alternatives.confident_within\" must not be longer than \"alternatives.tolerance\""
    case .stateIsLibrary: "\"library.state\" must not be the library itself; name a folder of its own"
    case .sources(let playlist, let found) where found.isEmpty:
      "the playlist \(playlist.quoted) has no source; give it \"items\" or \"feed\""
    case .sources(let playlist, let found):
      "the playlist \(playlist.quoted) has several sources (\(found.joined(separator: ", "))); keep one of them"
    case .badPlaylistName(let name):
      "\(name.quoted) is no playlist name; use lower-case letters, digits, `.`, `_` and `-`, and a `title` for people"
    case .badItemID(let id): "\(id.shortened.quoted) is no item id; use 1 to 512 bytes without control characters"
    case .repeatedItem(let id, let line): "the item \(id.quoted) stands in this playlist already, on line \(line)"
    case .sameIDOtherURL(let id, let line):
      "another item has the id \(id.quoted) and another URL, on line \(line); give one of them its own `id`"
    case .layout(let text, let problem): "the layout \(text.quoted) \(problem.words)"
    case .url(let text, let problem): "\(text.shortened.withoutSecrets.quoted) \(problem.words)"
    case .badHeaderName(let name): "\(name.quoted) is no name of a header field"
    case .reservedHeader(let name): "syncjob sets the header field \(name.quoted) itself; remove it"
    case .badHeaderValue(let name): "the value of the header field \(name.quoted) has a line break or a NUL in it"
    default: ""
    }
  }
}

extension ManifestProblem.FoundKind {
  fileprivate var words: String {
    switch self {
    case .nothing: "nothing"
    case .text: "a single value"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension Expectation {
  var words: String {
    switch self {
    case .text: "a text"
    case .truth: "true or false"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number: "a number"
    case .size: "a size such as 10GiB, 500MB or a number of bytes"
    case .duration: "a duration such as 90s, 1h30m or 3:45"
    case .share: "a percentage such as 85%"
    case .shareOrCount: "a percentage such as 25% or a number"
    case .date: "a date such as 2026-01-05 or 2026-01-05T06:00:00Z"
    case .checksum: "a checksum such as sha256:9f86d0…, whole and in hexadecimal"
    case .path: "a path"
    case .list: "a list"
    case .mapping: "a mapping of keys to values"
    case .url: "an http or https URL"
    case .urlOrPath: "an http or https URL, or the path of a file"
    case .hostOrRange: "true, false, or a list of host names, addresses and ranges such as 192.168.1.0/24"
    case .choice(let names): names.count == 1 ? names[0].quoted : "one of \(names.joined(separator: ", "))"
    case .allOrCount: "all or a number of items"
    }
  }
}

extension LayoutTemplate.Problem {
  fileprivate var words: String {
    switch self {
    case .unclosedBrace: "has a `{` without its `}`"
    case .strayBrace: "has a `}` without its `{`"
    case .unknownField(let name):
      "has the unknown field \(("{" + name + "}").quoted); known are \(LayoutTemplate.fieldNames.joined(separator: ", "))"
    case .badFormat(let field): "has a format that \(("{" + field + "}").quoted) does not take"
    case .leavesLibrary: "leaves the library; it must be relative, without `..` and empty parts"
    case .namesNoItem: "gives every item one name; use {title}, {id} or {position} in its last part"
    }
  }
}

extension RemoteURL.Problem {
  fileprivate var words: String {
    switch self {
    case .notAbsolute: "is not an absolute URL; begin it with https:// or http://"
    case .unsupportedScheme(let scheme): "has the scheme \(scheme.quoted); only https and http are fetched"
    case .noHost: "has no host"
    case .badPort(let port): "has \(port.quoted) as its port; a port is a number from 1 to 65535"
    case .illegalCharacter: "has a space, a backslash or a control character in it; write it as %20 and the like"
    }
  }
}

extension String {
  /// Long values stay readable.
  fileprivate var shortened: String { count > 80 ? prefix(77) + "…" : self }

  /// What stands before an `@` or behind a `?` may be a secret.
  fileprivate var withoutSecrets: String {
    var text = String(prefix { $0 != "?" })
    if let scheme = text.range(of: "://"),
      let at = text[scheme.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
    {
      text.replaceSubrange(scheme.upperBound...at, with: "")
    }
    return text.count < count && !text.hasSuffix("…") && contains("?") ? text + "?…" : text
  }
}

extension StringProtocol {
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
