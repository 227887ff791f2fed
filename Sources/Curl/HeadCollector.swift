// SPDX-License-Identifier: Apache-2.0

/// Turns the lines that libcurl delivers into the head of the final response. libcurl calls with every line of every
/// header section, the interim ones too, then with the trailer lines; it never says that a section was cut off: that
/// shows only in the empty line that did not come.
struct HeadCollector {
  enum Problem: Error, Equatable {
    case tooLarge
    case malformed(detail: String)
  }

  /// The status line and the fields, before anybody has thought about them.
  struct RawHead: Equatable {
    let version: ResponseHead.Version
    let status: Int
    var fields: [HeaderField] = []
  }

  /// All lines of one transfer together: servers send far less, and libcurl 7.88 limits only a single line.
  static let maximumBytes = 256 << 10
  static let maximumFields = 1000

  private var bytes = 0
  private var open: RawHead?
  private(set) var isComplete = false

  /// Takes one line with its end.
  /// - Returns: the head, when this line ends the section of a final response.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(Problem) -> RawHead? {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { throw .tooLarge }
    let text = Self.text(of: line)
    if isComplete {
      guard !text.hasPrefix("HTTP/") else { throw .malformed(detail: "a second response") }
      return nil
    }
    guard open != nil else {
      open = try Self.statusLine(text)
      return nil
    }
    guard text.isEmpty else {
      try takeField(text)
      return nil
    }
    return endSection()
  }

  private mutating func endSection() -> RawHead? {
    defer { open = nil }
    guard let open, open.status >= 200 else { return nil }
    isComplete = true
    return open
  }

  private mutating func takeField(_ text: String) throws(Problem) {
    guard var head = open else { return }
    open = nil
    if text.first == " " || text.first == "\t" {
      // The old line folding (RFC 9112 §5.2), which libcurl leaves as it is.
      guard let last = head.fields.popLast() else { throw .malformed(detail: "a folded line without a field") }
      head.fields.append(HeaderField(received: last.name, "\(last.value) \(text.trimmingBlanks)"))
    } else {
      guard let colon = text.firstIndex(of: ":") else { throw .malformed(detail: "a header line without a colon") }
      let value = text[text.index(after: colon)...].trimmingBlanks
      head.fields.append(HeaderField(received: String(text[..<colon].trimmingBlanks), String(value)))
    }
    guard head.fields.count <= Self.maximumFields else { throw .tooLarge }
    open = head
  }

  private static func statusLine(_ text: String) throws(Problem) -> RawHead {
    let words = text.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[1].utf8.count == 3, let status = Int(words[1]), status >= 100 else {
      throw .malformed(detail: "not a status line")
    }
    switch words[0] {
    case "HTTP/1.0": return RawHead(version: .http10, status: status)
    case "HTTP/1.1": return RawHead(version: .http11, status: status)
    case "HTTP/2", "HTTP/2.0": return RawHead(version: .http2, status: status)
    case "HTTP/3": return RawHead(version: .http3, status: status)
    default: throw .malformed(detail: "not a version of HTTP")
    }
  }

  /// Without the line end. UTF-8 if it is that, else each byte is its Latin-1 character (RFC 9110 §5.5).
  private static func text(of line: UnsafeRawBufferPointer) -> String {
    var rest = line[...]
    if rest.last == 0x0A { rest.removeLast() }
    if rest.last == 0x0D { rest.removeLast() }
    if let text = String(validating: rest, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(rest.map { Unicode.Scalar($0) }))
  }
}
