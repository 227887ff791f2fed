// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// Reads a JSON Feed, version 1 or 1.1, with the rules for an item of RSS. The document is collected and then read as a
/// whole. Extensions and members that the job does not use are skipped.
struct JSONFeedReader {
  /// The start of the addresses of all versions.
  private static let version = "https://jsonfeed.org/version/"

  private let base: RemoteURL?
  private let limit: Int
  private let maximumEntries: Int
  private var bytes: [UInt8] = []
  private var isTooLarge = false

  private var members: [Member: String] = [:]
  private var entries = ListingEntries()
  private var unusable: [UnusableEntry] = []
  private var flaws = ListingFlaws()
  private var itemCount = 0
  /// A place that was reached, and its line.
  private var reached: (offset: Int, line: Int)

  /// - Parameters:
  ///   - limit: the size in bytes beyond which nothing is read.
  ///   - maximumEntries: the number of items beyond which none is read.
  ///   - line: the line of the first byte.
  init(base: RemoteURL?, limit: Int, maximumEntries: Int, line: Int) {
    (self.base, self.limit, self.maximumEntries, reached) = (base, limit, maximumEntries, (0, line))
  }

  mutating func feed(_ more: ArraySlice<UInt8>) {
    let room = limit - bytes.count
    if more.count > room { isTooLarge = true }
    bytes.append(contentsOf: more.prefix(room))
  }

  mutating func finish() -> Listing {
    var reader = JSONReader(bytes)
    var completeness = Completeness.whole
    var fault: JSONError?
    do throws(JSONError) { try readFeed(&reader) } catch { fault = error }
    if let fault {
      completeness = .partial(problem(fault))
    } else if members[.version]?.hasPrefix(Self.version) != true {
      return Listing(completeness: .partial(.notAJSONFeed))
    } else if itemCount > maximumEntries {
      completeness = .partial(.tooManyEntries(maximumEntries))
    } else if let offset = reader.contentAfterEnd {
      completeness = .followedByContent
      flaws.prepend(.contentAfterEnd, line: line(offset))
    }
    let author = members[.authors] ?? members[.author]
    entries.complete(author: author, isExplicit: nil)
    var listing = Listing(
      title: members[.title], entries: entries, unusable: unusable, completeness: completeness, flaws: flaws)
    (listing.author, listing.language) = (author, members[.language])
    var references = FeedReferences()
    if let icon = members[.icon] { references.add(.atomLogo, icon, base: base) }
    if let icon = members[.favicon] { references.add(.atomIcon, icon, base: base) }
    if let url = members[.next] { references.add(.next, url, base: base) }
    (listing.image, listing.next) = (references.image, references.next)
    if listing.next == .unusable { listing.flaws.append(.badPage) }
    return listing
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

  private mutating func readFeed(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    var names: Set<Member> = []
    while let member = try reader.nextMember(&names) {
      switch member {
      case .items:
        if try reader.beginArrayIfPresent() {
          while try reader.nextElement() { try readItem(&reader) }
        }
      case .title, .version, .author, .authors, .icon, .favicon, .language, .next:
        let text = try reader.readFeedText(of: member)
        members[member] = text
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readItem(_ reader: inout JSONReader) throws(JSONError) {
    guard try reader.peekKind() == .object else {
      try reader.skipValue()
      return
    }
    itemCount += 1
    guard itemCount <= maximumEntries else {
      try reader.skipValue()
      return
    }
    var item = FeedItem(place: (itemCount, line(reader.offset)))
    var texts: [Member: String] = [:]
    var names: Set<Member> = []
    try reader.beginObject()
    while let member = try reader.nextMember(&names) {
      switch member {
      case .attachments:
        if try reader.beginArrayIfPresent() {
          while try reader.nextElement() {
            if let enclosure = try readAttachment(&reader) { item.addEnclosure(enclosure) }
          }
        }
      case .id, .title, .published, .modified, .author, .authors, .image, .bannerImage:
        let line = line(reader.offset)
        let text = try reader.readFeedText(of: member)
        texts[member] = text
        if let text, member == .published { item.add(.published, text, line: line) }
        if let text, member == .modified { item.add(.modified, text, line: line) }
      default: try reader.skipValue()
      }
    }
    item.texts[.guid] = texts[.id]
    item.texts[.title] = texts[.title]
    if let image = texts[.image] ?? texts[.bannerImage] { item.references.add(.rssImage, image, base: base) }
    item.texts[FeedField.itunesAuthor] = texts[.authors] ?? texts[.author]
    if let episode = item.episode(&flaws) { entries.append(episode) } else { unusable.append(item.unusable) }
  }

  private mutating func readAttachment(_ reader: inout JSONReader) throws(JSONError) -> FeedEnclosure? {
    guard try reader.peekKind() == .object else {
      try reader.skipValue()
      return nil
    }
    let line = line(reader.offset)
    var texts: [Member: String] = [:]
    var names: Set<Member> = []
    try reader.beginObject()
    while let member = try reader.nextMember(&names) {
      switch member {
      case .url, .mediaType, .size, .duration:
        let text = try reader.readFeedText(of: member)
        texts[member] = text
      default: try reader.skipValue()
      }
    }
    var enclosure = FeedEnclosure(url: texts[.url], type: texts[.mediaType], length: texts[.size])
    enclosure?.base = base
    enclosure?.line = line
    enclosure?.duration = texts[.duration].flatMap { Duration(feedText: $0) }
    return enclosure
  }
}

/// The members of a feed, an item, an author and an attachment whose values the job uses.
private enum Member: String {
  case version, title, items, author, authors, name, id, attachments, url, icon, favicon, language, image
  case bannerImage = "banner_image"
  case next = "next_url"
  case published = "date_published"
  case modified = "date_modified"
  case mediaType = "mime_type"
  case size = "size_in_bytes"
  case duration = "duration_in_seconds"
}

extension JSONReader {
  /// The next member with a name that is known; others are skipped. One that was there before is an error.
  fileprivate mutating func nextMember(_ names: inout Set<Member>) throws(JSONError) -> Member? {
    while let token = try nextKeyToken() {
      if let member = Member(rawValue: bytes.span.string(token)) {
        if names.insert(member).inserted { return member }
        throw JSONError(.repeatedName(member.rawValue), at: token.contents.lowerBound)
      }
      try skipValue()
    }
    return nil
  }

  /// Begins an array; another value is skipped.
  mutating func beginArrayIfPresent() throws(JSONError) -> Bool {
    let isArray = try peekKind() == .array
    if isArray { try beginArray() } else { try skipValue() }
    return isArray
  }

  /// The place of the first byte after the document that is not blank.
  var contentAfterEnd: Int? {
    var reader = self
    do throws(JSONError) {
      try reader.finish()
      return nil
    } catch { return error.offset }
  }

  private mutating func readAuthor() throws(JSONError) -> String? {
    var names: Set<Member> = []
    var name: String?
    try beginObject()
    while let found = try nextMember(&names) {
      if found == .name { name = try readFeedText(of: .name) } else { try skipValue() }
    }
    return name
  }

  private mutating func readAuthors() throws(JSONError) -> [String] {
    var authors: [String] = []
    try beginArray()
    while try nextElement() {
      if let name = try readFeedText(of: .author) { authors.append(name) }
    }
    return authors
  }

  /// A string, or a number as it is written; for authors, their names. Nil for other values and empty texts.
  fileprivate mutating func readFeedText(of member: Member) throws(JSONError) -> String? {
    var text = FeedText()
    switch try peekKind() {
    case .string:
      let string = try readString()
      text.append(Array(string.utf8).span)
    case .number:
      let number = try readVerbatim()
      text.append(number.span)
    case .object where member == .author:
      let name = try readAuthor()
      text.append(Array((name ?? "").utf8).span)
    case .array where member == .authors:
      let names = try readAuthors().joined(separator: ", ")
      text.append(Array(names.utf8).span)
    default: try skipValue()
    }
    return [.title, .name, .author, .authors].contains(member) ? text.shown : text.collapsed
  }
}

extension JSONError.Reason {
  var feedDetail: String {
    switch self {
    case .unexpectedEnd: "no end"
    case .repeatedName(let name): "\(name) occurs twice"
    case .invalidUTF8: "invalid UTF-8"
    case .badNumber: "invalid number"
    case .badEscape, .loneSurrogate: "invalid escape"
    case .controlCharacter: "control character in a string"
    default: "invalid JSON"
    }
  }
}
