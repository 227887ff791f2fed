// SPDX-License-Identifier: Apache-2.0
package import SyncCore
internal import XML

/// Reads a list in M3U, PLS, XSPF or JSPF. The contents decide, not the name or the `Content-Type`, which are often
/// wrong: XSPF begins with `<`, JSPF with `{`, and everything else consists of lines.
package struct ListReader: ListingReader, ~Copyable {
  package static let maximumSize = FeedReader.maximumSize
  package static let revision = 1

  private let place: ListPlace
  private var head = DocumentHead()
  private var blankLines = 0
  private let builder: XSPFBuilder
  private let parser: XMLPushParser
  private var json: JSPFReader?
  private var lines: LineListReader?

  /// - Parameters:
  ///   - base: the address of the document, after redirects, to which its references are relative; nil for a file.
  ///   - charset: the charset in the header field that came with it. Only XSPF has other encodings than UTF-8.
  package init(base: RemoteURL? = nil, charset: String? = nil) {
    self.init(ListPlace(base: base), charset: charset)
  }

  init(_ place: ListPlace, charset: String?) {
    self.place = place
    builder = XSPFBuilder(place)
    parser = XMLPushParser(
      limits: XMLLimits(bytes: Int(Self.maximumSize.bytes)), charset: charset, handler: builder)
  }

  package static func reader(ofFile path: String, _ roots: LocalRoots) -> ListReader {
    do throws(RemoteURL.Problem) {
      return ListReader(ListPlace(base: try RemoteURL(file: path.utf8), roots: roots), charset: nil)
    } catch { return ListReader() }
  }

  /// Reads a list that is available as a whole.
  package static func read(_ bytes: [UInt8], base: RemoteURL? = nil, charset: String? = nil) -> Listing {
    var reader = ListReader(base: base, charset: charset)
    reader.feed(bytes[...])
    return reader.finish()
  }

  package mutating func feed(_ bytes: ArraySlice<UInt8>) {
    let wasBlank = head.isBlank
    head.take(bytes)
    if wasBlank {
      let start = bytes.firstIndex { !DocumentHead.isBlank($0) } ?? bytes.endIndex
      for byte in bytes[..<start] where byte == 0x0A { blankLines += 1 }
      if start < bytes.endIndex { begin(bytes[start]) }
      if json != nil || lines != nil { return feedText(bytes[start...]) }
    }
    if json != nil || lines != nil { feedText(bytes) } else if !builder.draft.isFull { parser.feed(bytes) }
  }

  /// - Parameter byte: The first that is not blank. 0xFE and 0xFF begin UTF-16, in which only XSPF is read.
  private mutating func begin(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "<"), 0xFE, 0xFF: break
    case UInt8(ascii: "{"): json = JSPFReader(place, limit: Int(Self.maximumSize.bytes), line: blankLines + 1)
    default: lines = LineListReader(place, line: blankLines + 1)
    }
  }

  private mutating func feedText(_ bytes: ArraySlice<UInt8>) {
    json?.feed(bytes)
    lines?.feed(bytes)
  }

  package consuming func finish() -> Listing {
    if head.isBlank { return Listing(completeness: .partial(.empty)) }
    if var json { return json.finish() }
    if var lines { return lines.finish() }
    let ending = parser.finish()
    let isFollowed = ending.rootClosed && ending.problem != nil
    let problem = problem(of: ending)
    var draft = builder.draft
    if ending.repairs.encoding { draft.flaws.append(.repairedEncoding, line: ending.repairs.encodingLine) }
    for (reference, line) in zip(ending.repairs.references, ending.repairs.referenceLines) {
      draft.flaws.append(.unknownReference(reference), line: line)
    }
    if problem == nil, isFollowed { draft.flaws.prepend(.contentAfterEnd, line: ending.problem?.line) }
    return draft.listing(problem.map { Completeness.partial($0) } ?? (isFollowed ? .followedByContent : .whole))
  }

  private borrowing func problem(of ending: XMLEnding) -> SourceProblem? {
    if head.isWebPage(root: builder.root) { return .webPage }
    if let kind = head.kind(root: builder.root), kind != .list { return .otherKind(kind) }
    if let root = builder.root, root.local != "playlist" {
      return .notAList(.xml(root: (root.prefix.map { $0 + ":" } ?? "") + root.local))
    }
    return ending.rootClosed ? nil : SourceProblem(ending.problem)
  }
}
