// SPDX-License-Identifier: Apache-2.0
package import SyncCore
internal import XML

/// Reads an OPML document, version 1.0, 1.1 or 2.0. Each outline with an `xmlUrl` becomes an entry, in the order of the
/// document.
package struct OutlineReader: ListingReader, ~Copyable {
  package static let maximumSize = FeedReader.maximumSize
  package static let revision = 2

  private let builder: OutlineBuilder
  private let parser: XMLPushParser
  private var head = DocumentHead()

  /// - Parameters:
  ///   - base: the address of the document, after redirects, to which its references are relative; nil for a file.
  ///   - charset: the charset in the header field that came with it (RFC 7303 §3.2).
  package init(base: RemoteURL? = nil, charset: String? = nil) {
    builder = OutlineBuilder(base: base)
    parser = XMLPushParser(
      limits: XMLLimits(bytes: Int(Self.maximumSize.bytes)), charset: charset, handler: builder)
  }

  /// Reads a document that is available as a whole.
  package static func read(_ bytes: [UInt8], base: RemoteURL? = nil, charset: String? = nil) -> Listing {
    var reader = OutlineReader(base: base, charset: charset)
    reader.feed(bytes[...])
    return reader.finish()
  }

  package mutating func feed(_ bytes: ArraySlice<UInt8>) {
    head.take(bytes)
    parser.feed(bytes)
  }

  package consuming func finish() -> Listing {
    let ending = parser.finish()
    let isFollowed = ending.rootClosed && ending.problem != nil
    let problem = problem(of: ending)
    let completeness = problem.map { Completeness.partial($0) } ?? (isFollowed ? .followedByContent : .whole)
    var flaws = builder.flaws
    if ending.repairs.encoding { flaws.append(.repairedEncoding, line: ending.repairs.encodingLine) }
    for (reference, line) in zip(ending.repairs.references, ending.repairs.referenceLines) {
      flaws.append(.unknownReference(reference), line: line)
    }
    if completeness == .followedByContent { flaws.prepend(.contentAfterEnd, line: ending.problem?.line) }
    return Listing(
      title: builder.title, entries: builder.entries, unusable: builder.unusable, completeness: completeness,
      flaws: flaws)
  }

  private borrowing func problem(of ending: XMLEnding) -> SourceProblem? {
    if head.isBlank { return .empty }
    if head.isWebPage(root: builder.root, tags: ["html"]) { return .webPage }
    if let kind = head.kind(root: builder.root), kind != .opml { return .otherKind(kind) }
    if let root = builder.root, root.local.lowercased() != "opml" {
      return .notAnOutline(root: (root.prefix.map { $0 + ":" } ?? "") + root.local)
    }
    if builder.isFull { return .excessive("\(OutlineBuilder.maximumEntries) feeds") }
    return ending.rootClosed ? nil : SourceProblem(ending.problem)
  }
}
