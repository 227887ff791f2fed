// SPDX-License-Identifier: Apache-2.0
internal import XML

extension String {
  /// The text that a browser shows for this one: tags and comments are removed, and references are decoded. Tags that
  /// were escaped twice are removed too. Only elements of HTML count as tags: `Vector<Int>` and `<3` stay.
  var withoutMarkup: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") || $0 == 0xC2 }) else {
      return self
    }
    let decoded = withoutTags.decodingReferences
    return String(String.UnicodeScalarView(decoded.withoutTags.unicodeScalars.map(Windows1252.meaning)))
  }

  private var withoutTags: String {
    guard utf8.contains(UInt8(ascii: "<")) else { return self }
    var scanner = MarkupScanner(Array(utf8))
    return scanner.text()
  }

  private var decodingReferences: String {
    guard utf8.contains(UInt8(ascii: "&")) else { return self }
    var result = ""
    var rest = self[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      let name = rest.dropFirst().prefix(Self.longestReference).prefix { $0 != ";" && $0 != "&" }
      if name.endIndex != rest.endIndex, rest[name.endIndex] == ";",
        let scalar = Unicode.Scalar(htmlReference: String(name))
      {
        result.unicodeScalars.append(scalar)
        rest = rest[name.endIndex...].dropFirst()
      } else {
        result.append("&")
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  /// The maximum number of characters between `&` and `;`.
  private static let longestReference = 16
}

/// Copies a text without its tags.
private struct MarkupScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var kept: [UInt8] = []
  /// Ends that do not occur in the rest of the text. They are stored, because a text may begin a thousand comments and
  /// end none.
  private var missing: Set<String> = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func text() -> String {
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<"), skipMarkup() { continue }
      kept.append(bytes[position])
      position += 1
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// - Returns: false when the `<` at the position is text.
  private mutating func skipMarkup() -> Bool {
    let rest = bytes[position...]
    if rest.starts(with: "<!--".utf8) { return skip(behind: "-->") }
    if rest.starts(with: "<![CDATA[".utf8) { return takeSection() }
    let isClosing = rest.dropFirst().first == UInt8(ascii: "/")
    let name = rest.dropFirst(isClosing ? 2 : 1).prefix(HTMLElement.longestName + 1).prefix(while: isLetterOrDigit)
    guard let element = HTMLElement(name: String(decoding: name, as: UTF8.self).lowercased()),
      let end = endOfTag(from: name.endIndex)
    else { return false }
    position = end + 1
    if element.hidesContent, !isClosing { _ = skip(behind: "</\(element.name)>") }
    if element.breaksText { kept.append(0x20) }
    return true
  }

  /// The `>` of a tag whose name ends at `index`; one in quotation marks does not count.
  private mutating func endOfTag(from index: Int) -> Int? {
    guard index < bytes.count, !missing.contains(">"), [0x09, 0x0A, 0x0D, 0x20, 0x2F, 0x3E].contains(bytes[index])
    else { return nil }
    var quote: UInt8?
    for index in index..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index
      }
    }
    // A quotation mark that is never closed.
    let end = bytes[index...].firstIndex(of: UInt8(ascii: ">"))
    if end == nil { missing.insert(">") }
    return end
  }

  /// Takes the contents of a CDATA section as text.
  private mutating func takeSection() -> Bool {
    let start = position + "<![CDATA[".utf8.count
    guard skip(behind: "]]>") else { return false }
    kept += Array(String(decoding: bytes[start..<position - 3], as: UTF8.self).withoutMarkup.utf8)
    return true
  }

  /// - Returns: false when the end does not occur, and nothing was skipped.
  private mutating func skip(behind end: String) -> Bool {
    guard !missing.contains(end) else { return false }
    let sought = Array(end.utf8)
    var index = position
    while index + sought.count <= bytes.count {
      let piece = bytes[index..<index + sought.count]
      if zip(piece, sought).allSatisfy({ $0 == $1 || ($0 | 0x20 == $1 && $1 >= 0x61) }) {
        position = index + sought.count
        return true
      }
      index += 1
    }
    missing.insert(end)
    return false
  }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
}

/// An element of HTML, and the effect of its tags on a text.
struct HTMLElement {
  /// Lower case.
  let name: String
  /// True if its tags separate the words before and after them.
  var breaksText: Bool { Self.breaking.contains(name) }
  /// True if its content is not shown.
  var hidesContent: Bool { name == "script" || name == "style" }

  static let longestName = 10

  /// - Parameter name: lower case.
  /// - Returns: nil for a name that HTML does not have.
  init?(name: String) {
    guard Self.names.contains(name) else { return nil }
    self.name = name
  }

  private static let breaking = Set(
    """
    address article aside blockquote br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
    header hr li main nav ol p pre section table td th tr ul
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// HTML Standard §15.3 and the elements of earlier versions.
  private static let names = breaking.union(
    """
    a abbr acronym applet area audio b base basefont bdi bdo big blink body button canvas caption cite code col colgroup
    data datalist del details dfn dialog dir em embed font frame frameset head hgroup html i iframe img input ins kbd
    label legend link map mark marquee menu meta meter nobr noframes noscript object optgroup option output param picture
    progress q rp rt ruby s samp script search select slot small source span strike strong style sub summary sup svg
    tbody template textarea tfoot thead time title track tt u var video wbr
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
