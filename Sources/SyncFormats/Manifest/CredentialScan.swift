// SPDX-License-Identifier: Apache-2.0

/// Goes through the keys and values of one line of YAML in block or flow style, without its context: where it is not
/// sure, it takes a text for a value.
struct CredentialScan {
  private enum Part {
    case key(String)
    /// A value or an element that begins there.
    case value(Int)
    case end
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// True behind a key, where a text with a colon is a value, not another key.
  private var isBehindKey = false
  /// True if the last value is directly behind its key: no list or mapping begins or ends between them.
  private var isDirect = false
  /// The brackets and braces around the position that were opened in this line.
  private var opened: [Unicode.Scalar] = []

  private init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// The keys of the line, in lower case.
  static func keys(in scalars: [Unicode.Scalar]) -> [String] {
    var scan = CredentialScan(scalars)
    var keys: [String] = []
    while true {
      switch scan.next() {
      case .key(let key): keys.append(key)
      case .value: scan.skipValue()
      case .end: return keys
      }
    }
  }

  /// The part of the line from the first value on that may be a credential.
  /// - Parameter section: the section around the line; nil if only keys of the line itself may begin one.
  static func hidden(in scalars: [Unicode.Scalar], _ section: CredentialSection?) -> [Range<Int>] {
    var scan = CredentialScan(scalars)
    let isTop = scalars.first.map { $0 != " " } ?? true
    let isElement = scalars.drop { $0 == " " }.starts(with: "- ".unicodeScalars)
    var (isInside, key) = (section != nil, section?.parent)
    var (isShown, depth) = (isElement && section?.isHarmless ?? false, -1)
    while true {
      switch scan.next() {
      case .key(let next):
        (key, depth) = (next, scan.opened.count)
        let begins = CredentialSection.isName(next, atTop: isTop)
        isShown = CredentialSection.isHarmless(next)
        if begins { isInside = true }
      case .value(let start):
        // Only the elements of a list belong to the same key.
        let isElement = scan.opened.count > depth && (depth < 0 || scan.opened.last == "[")
        if !scan.isDirect, !isElement { (key, isShown) = (nil, false) }
        let takesAlias = key.map { $0 == "<<" || CredentialSection.isName($0, atTop: isTop) } ?? false
        let isAlias = scalars[start] == "*" && takesAlias
        if isInside, !isShown, !isAlias { return [start..<scalars.count] }
        scan.skipValue()
      case .end: return []
      }
    }
  }

  private mutating func next() -> Part {
    skipMarks()
    guard position < scalars.count, scalars[position] != "#" else { return .end }
    let start = position
    isDirect = false
    if isBehindKey {
      isBehindKey = false
      let marks = scalars[..<position].reversed().prefix { $0 != ":" }
      let isNested = marks.contains { "{[,]}".unicodeScalars.contains($0) }
      isDirect = !isNested
      if isDirect { return .value(start) }
    }
    let text = isQuote(scalars[position]) ? quotedText() : plainKey()
    let rest = scalars[position...].drop { $0 == " " }
    guard rest.first == ":", !rest.starts(with: "://".unicodeScalars) else {
      position = start
      return .value(start)
    }
    position = rest.startIndex + 1
    isBehindKey = true
    return .key(text.trimmed.lowercased())
  }

  /// Skips blanks, the marks of lists and mappings, and the name of an anchor before a mapping or a list.
  private mutating func skipMarks() {
    while position < scalars.count {
      switch scalars[position] {
      case "{", "[":
        opened.append(scalars[position])
        position += 1
      case "}", "]":
        _ = opened.popLast()
        position += 1
      case " ", "\t", ",", "?": position += 1
      case "-" where position + 1 == scalars.count || scalars[position + 1] == " ": position += 1
      case "&":
        let behind = scalars[position...].drop { $0 != " " }.drop { $0 == " " }
        guard let first = behind.first, first == "{" || first == "[" else { return }
        position = behind.startIndex
      default: return
      }
    }
  }

  private mutating func quotedText() -> String {
    let quote = scalars[position]
    var text = String.UnicodeScalarView()
    position += 1
    while position < scalars.count, scalars[position] != quote {
      if quote == "\"", scalars[position] == "\\" { position += 1 }
      if position < scalars.count { text.append(scalars[position]) }
      position += 1
    }
    position = min(position + 1, scalars.count)
    return String(text)
  }

  private mutating func plainKey() -> String {
    let text = scalars[position...].prefix { !":,{}[]".unicodeScalars.contains($0) }
    position = text.endIndex
    return String(String.UnicodeScalarView(text))
  }

  /// Skips a value that is not a list or a mapping: its marks are found like any other.
  private mutating func skipValue() {
    guard position < scalars.count else { return }
    if isQuote(scalars[position]) { _ = quotedText() }
    while position < scalars.count {
      switch scalars[position] {
      case "}", "]", "{", "[": return
      case ",", "#":
        let isApart = scalars[position] == "#" ? scalars[position - 1] == " " : true
        if isApart { return }
      default: break
      }
      position += 1
    }
  }

  private func isQuote(_ scalar: Unicode.Scalar) -> Bool { scalar == "\"" || scalar == "'" }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
