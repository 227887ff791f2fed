// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// Reads JSPF, which is XSPF as JSON: `{"playlist": {"title": …, "track": [{"location": […], …}]}}`. The document is
/// collected and then read as a whole. Members that the job does not use are skipped.
struct JSPFReader {
  private let place: ListPlace
  private let limit: Int
  private var bytes: [UInt8] = []
  private var isTooLarge = false
  private var draft: ListDraft
  private var hasPlaylist = false
  /// A place that was reached, and its line.
  private var reached: (offset: Int, line: Int)

  /// - Parameters:
  ///   - limit: The size in bytes beyond which nothing is read.
  ///   - line: The line of the first byte.
  init(_ place: ListPlace, limit: Int, line: Int) {
    (self.place, self.limit, reached) = (place, limit, (0, line))
    draft = ListDraft(place)
  }

  mutating func feed(_ more: ArraySlice<UInt8>) {
    let room = limit - bytes.count
    if more.count > room { isTooLarge = true }
    bytes.append(contentsOf: more.prefix(room))
  }

  mutating func finish() -> Listing {
    var reader = JSONReader(bytes)
    var fault: JSONError?
    do throws(JSONError) { try readDocument(&reader) } catch { fault = error }
    if let fault { return draft.listing(.partial(problem(fault))) }
    guard hasPlaylist else { return Listing(completeness: .partial(.notAList(.json))) }
    guard let offset = reader.contentAfterEnd else { return draft.listing(.whole) }
    draft.flaws.prepend(.contentAfterEnd, line: line(offset))
    return draft.listing(.followedByContent)
  }

  private mutating func problem(_ error: JSONError) -> SourceProblem {
    if isTooLarge { return .excessive(ByteCount(Int64(limit)).words) }
    if error.reason == .tooDeep { return .excessive("\(JSONReader.maximumDepth) levels") }
    return .malformed(line: line(error.offset), detail: error.reason.feedDetail)
  }

  /// Places must be asked for in their order, so that no byte is counted twice.
  private mutating func line(_ offset: Int) -> Int {
    if offset > reached.offset {
      for byte in bytes[reached.offset..<offset] where byte == UInt8(ascii: "\n") { reached.line += 1 }
      reached.offset = offset
    }
    return reached.line
  }

  private mutating func readDocument(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let name = try reader.nextKey() {
      let kind = try reader.peekKind()
      if name == "playlist", kind == .object {
        guard !hasPlaylist else { throw JSONError(.repeatedName(name), at: reader.offset) }
        hasPlaylist = true
        try readPlaylist(&reader)
      } else {
        try reader.skipValue()
      }
    }
  }

  private mutating func readPlaylist(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let name = try reader.nextKey() {
      switch name {
      case "title":
        let title = try reader.readListText()
        draft.title = draft.title ?? title?.plain
      case "track":
        guard try reader.beginArrayIfPresent() else { continue }
        while try reader.nextElement() { try readTrack(&reader) }
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readTrack(_ reader: inout JSONReader) throws(JSONError) {
    guard try reader.peekKind() == .object, !draft.isFull else {
      try reader.skipValue()
      return
    }
    var track = ListTrack(line: line(reader.offset))
    try reader.beginObject()
    while let name = try reader.nextKey() {
      switch name {
      case "location":
        let line = line(reader.offset)
        for text in try reader.readListTexts() {
          track.add(
            .init(reference: ListReference(text: text, syntax: .reference), base: place.base, line: line))
        }
      case "identifier":
        for text in try reader.readListTexts() { track.takeIdentifier(text) }
      case "title", "creator", "album", "duration":
        let text = try reader.readListText()
        track.take(name, text)
      default: try reader.skipValue()
      }
    }
    draft.append(track)
  }
}

extension ListTrack {
  /// The first of several values of a member counts.
  fileprivate mutating func take(_ name: String, _ text: String?) {
    switch name {
    case "title": title = title ?? text?.plain
    case "creator": artist = artist ?? text?.plain
    case "album": album = album ?? text?.plain
    default: duration = duration ?? text.flatMap { Duration(listMilliseconds: $0) }
    }
  }
}

extension JSONReader {
  /// A string or a number on one line. Nil for other values and empty texts.
  fileprivate mutating func readListText() throws(JSONError) -> String? {
    var text = FeedText()
    switch try peekKind() {
    case .string:
      let string = try readString()
      text.append(Array(string.utf8).span)
    case .number:
      let number = try readVerbatim()
      text.append(number.span)
    default: try skipValue()
    }
    return text.collapsed
  }

  /// The texts of an array, or one text alone, which some programs write.
  fileprivate mutating func readListTexts() throws(JSONError) -> [String] {
    guard try peekKind() == .array else { return try readListText().map { [$0] } ?? [] }
    var texts: [String] = []
    try beginArray()
    while try nextElement() { if let text = try readListText() { texts.append(text) } }
    return texts
  }
}
