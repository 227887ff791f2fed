// SPDX-License-Identifier: Apache-2.0

/// Reads a document that arrives in pieces and reports its events to a handler (libxml2's SAX2 push parser).
///
/// Nothing is ever fetched or opened for a document. Entities are the five of XML and those that the document declares,
/// within limits. References that feeds borrow from HTML, stray `&`, bytes of another encoding and control characters
/// are repaired and reported.
package final class XMLPushParser {
  private enum Stage {
    case prolog([UInt8])
    case text
    case stopped
  }

  /// The parser gets blocks of a fixed size, so that no result depends on how the bytes arrived.
  private static let blockSize = 64 << 10

  private let limits: XMLLimits
  private let parser: LibXMLParser
  private var stage = Stage.prolog([])
  private let charset: String?
  private var decoder = TextDecoder()
  private var encodingLine: Int?
  private var guarded: MarkupGuard
  private var taken = 0
  private var decoded: [UInt8] = []
  private var block: [UInt8] = []
  private var problem: XMLProblem?

  /// - Parameter charset: The charset of the header field that came with the document. Nil without one.
  package init(limits: XMLLimits = XMLLimits(), charset: String? = nil, handler: any XMLHandler) {
    self.limits = limits
    self.charset = charset
    parser = LibXMLParser(limits: limits, handler: handler)
    guarded = MarkupGuard(limits: limits)
    block.reserveCapacity(Self.blockSize * 2)
  }

  /// Takes the next bytes. They are ignored after a problem.
  package func feed(_ bytes: ArraySlice<UInt8>) {
    taken += bytes.count
    if taken > limits.bytes { stop(.tooLarge(limit: limits.bytes)) }
    switch stage {
    case .stopped: break
    case .text: take(bytes)
    case .prolog(let begun):
      let begun = begun + bytes
      if begun.count < Prolog.length { stage = .prolog(begun) } else { begin(begun[...]) }
    }
  }

  package func feed(_ bytes: [UInt8]) { feed(bytes[...]) }

  /// Ends the document. Call it once.
  package func finish() -> XMLEnding {
    if case .prolog(let begun) = stage { begin(begun[...]) }
    if case .text = stage {
      decoded.removeAll(keepingCapacity: true)
      decoder.finish(into: &decoded)
      noteRepair()
      guarded.pass(decoded, into: &block)
      guarded.finish(into: &block)
      parser.parse(block[...], isLast: true)
    }
    var repairs = guarded.repairs
    if decoder.hasRepaired { repairs.addEncoding(line: encodingLine ?? 1) }
    return XMLEnding(
      rootClosed: parser.rootClosed, problem: problem ?? parser.problem, warnings: parser.warnings, repairs: repairs)
  }

  private func begin(_ bytes: ArraySlice<UInt8>) {
    let prolog = Prolog(bytes, charset: charset)
    guard let encoding = prolog.encoding, let decoder = TextDecoder(encoding) else {
      return stop(.unknownEncoding(prolog.encodingName ?? ""))
    }
    self.decoder = decoder
    stage = .text
    let head = bytes.dropFirst(prolog.skipped).prefix(Prolog.length)
    self.decoder.decode(head, into: &decoded)
    noteRepair()
    let preamble = XMLDeclaration.preamble(of: decoded[...])
    parser.linesBefore = preamble.count { $0 == UInt8(ascii: "\n") }
    guarded.line += parser.linesBefore
    guarded.pass(Array(decoded[preamble.endIndex...]), into: &block)
    take(bytes[head.endIndex...])
  }

  private func take(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    // Decodes in parts, so that a large piece is not held in memory twice.
    repeat {
      decoded.removeAll(keepingCapacity: true)
      decoder.decode(rest.prefix(Self.blockSize), into: &decoded)
      noteRepair()
      rest = rest.dropFirst(Self.blockSize)
      guarded.pass(decoded, into: &block)
      parseWholeBlocks()
      if let problem = guarded.problem ?? parser.problem { return stop(problem) }
    } while !rest.isEmpty
  }

  /// Records the line of the first byte that is invalid in the encoding.
  private func noteRepair() {
    guard encodingLine == nil, let place = decoder.firstRepair else { return }
    encodingLine = guarded.line + decoded[..<place].count { $0 == UInt8(ascii: "\n") }
  }

  private func parseWholeBlocks() {
    guard block.count >= Self.blockSize else { return }
    var rest = block[...]
    while rest.count >= Self.blockSize {
      parser.parse(rest.prefix(Self.blockSize), isLast: false)
      rest = rest.dropFirst(Self.blockSize)
    }
    block.removeFirst(block.count - rest.count)
  }

  private func stop(_ problem: XMLProblem) {
    guard self.problem == nil else { return }
    // Everything before the problem still counts.
    if case .text = stage { parser.parse(block[...], isLast: false) }
    self.problem = parser.problem ?? problem
    stage = .stopped
  }
}
