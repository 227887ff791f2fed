// SPDX-License-Identifier: Apache-2.0
package import SyncCore
internal import XML

/// Reads an RSS or Atom feed, or a JSON Feed: the first byte that is not blank decides.
package struct FeedReader: ListingReader, ~Copyable {
  package static let maximumSize = ByteCount(256 << 20)
  package static let revision = 7

  private let builder: FeedBuilder
  private let parser: XMLPushParser
  private var head = DocumentHead()
  /// Reads a document that begins with `{`.
  private var json: JSONFeedReader?
  private var blankLines = 0
  private let base: RemoteURL?
  private let maximumEntries: Int

  /// - Parameters:
  ///   - base: the address of the document, after redirects, to which its references are relative; nil for a file.
  ///   - charset: the charset in the header field that came with it (RFC 7303 §3.2).
  package init(base: RemoteURL? = nil, charset: String? = nil) {
    self.init(base: base, charset: charset, maximumEntries: Listing.maximumEntries)
  }

  init(base: RemoteURL?, charset: String?, maximumEntries: Int) {
    (self.base, self.maximumEntries) = (base, maximumEntries)
    builder = FeedBuilder(base: base, maximumEntries: maximumEntries)
    parser = XMLPushParser(
      limits: XMLLimits(bytes: Int(Self.maximumSize.bytes)), charset: charset, handler: builder)
  }

  /// Reads a feed that is available as a whole.
  package static func read(_ bytes: [UInt8], base: RemoteURL? = nil, charset: String? = nil) -> Listing {
    var reader = FeedReader(base: base, charset: charset)
    reader.feed(bytes[...])
    return reader.finish()
  }

  package mutating func feed(_ bytes: ArraySlice<UInt8>) {
    let wasBlank = head.isBlank
    head.take(bytes)
    if wasBlank {
      let start = bytes.firstIndex { !DocumentHead.isBlank($0) } ?? bytes.endIndex
      for byte in bytes[..<start] where byte == 0x0A { blankLines += 1 }
      if !head.isBlank, bytes[start] == UInt8(ascii: "{") {
        json = JSONFeedReader(
          base: base, limit: Int(Self.maximumSize.bytes), maximumEntries: maximumEntries, line: blankLines + 1)
        json?.feed(bytes[start...])
        return
      }
    }
    if json != nil {
      json?.feed(bytes)
      return
    }
    if !builder.isFull { parser.feed(bytes) }
  }

  package consuming func finish() -> Listing {
    if var json { return json.finish() }
    let ending = parser.finish()
    let isFollowed = ending.rootClosed && ending.problem != nil
    let completeness =
      problem(of: ending).map { Completeness.partial($0) } ?? (isFollowed ? .followedByContent : .whole)
    var flaws = builder.flaws
    if ending.repairs.encoding { flaws.append(.repairedEncoding, line: ending.repairs.encodingLine) }
    for (reference, line) in zip(ending.repairs.references, ending.repairs.referenceLines) {
      flaws.append(.unknownReference(reference), line: line)
    }
    if completeness == .followedByContent { flaws.prepend(.contentAfterEnd, line: ending.problem?.line) }
    return builder.finish(completeness, flaws)
  }

  private borrowing func problem(of ending: XMLEnding) -> SourceProblem? {
    if head.isBlank { return .empty }
    if head.isWebPage(root: builder.root) { return .webPage }
    if let kind = head.kind(root: builder.root), kind != .feed { return .otherKind(kind) }
    if let root = builder.root, FeedBuilder.Dialect(root: root) == nil {
      return .notAFeed(root: (root.prefix.map { $0 + ":" } ?? "") + root.local)
    }
    if builder.isFull { return .tooManyEntries(maximumEntries) }
    return ending.rootClosed ? nil : SourceProblem(ending.problem)
  }
}

extension XMLProblem {
  /// Nil if the problem is about the whole document.
  var line: Int? { if case .malformed(let line, _) = self { line } else { nil } }
}

extension SourceProblem {
  static func tooManyEntries(_ limit: Int) -> SourceProblem { .excessive("\(limit) entries") }

  /// The problem of a document whose root element was not closed.
  init(_ problem: XMLProblem?) {
    switch problem {
    case .malformed(let line, let detail): self = .malformed(line: line, detail: detail)
    case .unknownEncoding(let name): self = .malformed(line: 1, detail: "encoding \(name)")
    case .tooLarge(let limit): self = .excessive(ByteCount(Int64(limit)).words)
    case .tooManyAttributes(let limit): self = .excessive("\(limit) attributes")
    case .tooDeep(let limit): self = .excessive("\(limit) levels")
    case .expansionTooLarge(let limit):
      self = .excessive("\(ByteCount(Int64(limit)).words) of text from declared entities")
    case .declarationsTooLarge(let limit): self = .excessive("\(ByteCount(Int64(limit)).words) of declarations")
    case .entitiesTooDeep(let limit): self = .excessive("\(limit) levels of entities")
    case .entityInItself(let line, let name):
      self = .malformed(line: line, detail: "the entity \(name) contains itself")
    case .unavailable(let detail): self = .noReader(detail: detail)
    case nil: self = .malformed(line: 0, detail: "no end")
    }
  }
}
