// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// Reads a list that consists of lines. The first line shows if it is PLS; all others are M3U. Lines end with LF, CRLF
/// or CR. A line is UTF-8, or windows-1252 if it is not valid UTF-8.
struct LineListReader {
  /// The number of bytes of a line that are read. Attributes of M3U may hold whole images.
  private static let longestLine = 64 << 10

  private enum Format {
    case unknown
    case m3u(M3UDraft)
    case pls(PLSDraft)
  }

  private let place: ListPlace
  private var format = Format.unknown
  private var pending: [UInt8] = []
  private var line: Int
  private var endedWithCR = false

  /// - Parameter line: The line of the first byte.
  init(_ place: ListPlace, line: Int) { (self.place, self.line) = (place, line) }

  private var isFull: Bool {
    switch format {
    case .unknown: false
    case .m3u(let draft): draft.isFull
    case .pls(let draft): draft.isFull
    }
  }

  mutating func feed(_ bytes: ArraySlice<UInt8>) {
    guard !isFull else { return }
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"):
        if !endedWithCR { endLine() }
        endedWithCR = false
      case UInt8(ascii: "\r"):
        endLine()
        endedWithCR = true
      default:
        endedWithCR = false
        if pending.count < Self.longestLine { pending.append(byte) }
      }
    }
  }

  mutating func finish() -> Listing {
    if !pending.isEmpty { endLine() }
    switch format {
    case .unknown: return Listing(completeness: .partial(.notAList(.text)))
    case .m3u(let draft): return draft.listing
    case .pls(let draft): return draft.listing
    }
  }

  private mutating func endLine() {
    let text = Self.text(of: pending)
    pending.removeAll(keepingCapacity: true)
    if let text { take(text) }
    line += 1
  }

  private mutating func take(_ text: String) {
    switch format {
    case .unknown:
      format = text.lowercased() == "[playlist]" ? .pls(PLSDraft(place)) : .m3u(M3UDraft(place))
      if case .m3u = format { take(text) }
    case .m3u(var draft):
      format = .unknown
      draft.take(text, line: line)
      format = .m3u(draft)
    case .pls(var draft):
      format = .unknown
      draft.take(text, line: line)
      format = .pls(draft)
    }
  }

  /// The line without the white space around it. Nil for an empty one.
  private static func text(of bytes: [UInt8]) -> String? {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return nil }
    if let text = String(validating: bytes[first...last], as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes[first...last].map { Windows1252.meaning(of: Unicode.Scalar($0)) }))
  }
}

extension String {
  /// The text as one line, cut to the length of a text that is shown. Nil if nothing is left.
  var plain: String? {
    var text = FeedText()
    text.append(Array(utf8).span)
    return text.plain
  }
}
