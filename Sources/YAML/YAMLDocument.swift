// SPDX-License-Identifier: Apache-2.0

/// Reads one YAML document into a tree of nodes with their places, within limits.
package enum YAMLDocument {
  /// - Parameter bytes: UTF-8, with or without a byte order mark.
  package static func read(_ bytes: [UInt8], limits: YAMLLimits = YAMLLimits()) throws(YAMLProblem) -> YAMLNode {
    try check(bytes, limits)
    var builder = NodeBuilder(parser: try EventParser(bytes), limits: limits)
    return try builder.document()
  }

  /// What libyaml would let through or take long over.
  private static func check(_ bytes: [UInt8], _ limits: YAMLLimits) throws(YAMLProblem) {
    let start = YAMLMark(line: 1, column: 1)
    guard bytes.count <= limits.documentBytes else {
      throw YAMLProblem(kind: .documentTooLarge(limit: limits.documentBytes), mark: start)
    }
    if let place = bytes.firstIndex(of: 0) { throw YAMLProblem(kind: .nul, mark: mark(of: place, in: bytes)) }
    if let place = String.firstInvalidUTF8(in: bytes) {
      throw YAMLProblem(kind: .notUTF8, mark: mark(of: place, in: bytes))
    }
  }

  private static func mark(of place: Int, in bytes: [UInt8]) -> YAMLMark {
    let before = bytes[..<place]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Continuation bytes belong to the character before them.
    let column = bytes[lineStart..<place].count { $0 & 0xC0 != 0x80 } + 1
    return YAMLMark(line: line, column: column)
  }
}

extension String {
  /// Offset of the first byte that is not UTF-8.
  fileprivate static func firstInvalidUTF8(in bytes: [UInt8]) -> Int? {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch { return error.byteOffsets.lowerBound }
  }
}

/// Builds the tree from events.
private struct NodeBuilder: ~Copyable {
  private var parser: EventParser
  private let limits: YAMLLimits
  private var anchors: [String: YAMLNode] = [:]
  private var openAnchors: Set<String> = []
  private var aliasedNodes = 0

  init(parser: consuming EventParser, limits: YAMLLimits) {
    self.parser = parser
    self.limits = limits
  }

  mutating func document() throws(YAMLProblem) -> YAMLNode {
    let first = try parser.next()
    guard case .documentStart = first.event else {
      throw YAMLProblem(kind: .empty, mark: YAMLMark(line: 1, column: 1))
    }
    let root = try node(try parser.next(), depth: 0)
    _ = try parser.next()
    let last = try parser.next()
    guard case .streamEnd = last.event else { throw YAMLProblem(kind: .secondDocument, mark: last.mark) }
    return root
  }

  private mutating func node(_ marked: MarkedEvent, depth: Int) throws(YAMLProblem) -> YAMLNode {
    // libyaml is quadratic in the depth of brackets, so the events end here.
    guard depth < limits.depth else { throw YAMLProblem(kind: .tooDeep(limit: limits.depth), mark: marked.mark) }
    switch marked.event {
    case .alias(let name): return try alias(name, marked)
    case .scalar(let scalar, let anchor, let tag):
      try check(tag, marked)
      guard scalar.text.utf8.count <= limits.scalarBytes else {
        throw YAMLProblem(kind: .scalarTooLarge(limit: limits.scalarBytes), mark: marked.mark)
      }
      return remember(YAMLNode(value: .scalar(scalar), mark: marked.mark, width: marked.width, weight: 1), as: anchor)
    case .sequenceStart(let anchor, let tag):
      try check(tag, marked)
      if let anchor { openAnchors.insert(anchor) }
      return remember(try sequence(marked, depth: depth), as: anchor)
    case .mappingStart(let anchor, let tag):
      try check(tag, marked)
      if let anchor { openAnchors.insert(anchor) }
      return remember(try mapping(marked, depth: depth), as: anchor)
    case .documentStart, .documentEnd, .sequenceEnd, .mappingEnd, .streamEnd:
      throw YAMLProblem(kind: .syntax("a value is missing"), mark: marked.mark)
    }
  }

  /// `!` alone and the core schema's own tags say nothing that the schema does not know better; all others are refused.
  private func check(_ tag: String?, _ marked: MarkedEvent) throws(YAMLProblem) {
    guard let tag, tag != "!" else { return }
    throw YAMLProblem(kind: .tag(tag), mark: marked.mark)
  }

  private mutating func remember(_ node: YAMLNode, as anchor: String?) -> YAMLNode {
    if let anchor {
      anchors[anchor] = node
      openAnchors.remove(anchor)
    }
    return node
  }

  private mutating func alias(_ name: String, _ marked: MarkedEvent) throws(YAMLProblem) -> YAMLNode {
    guard !openAnchors.contains(name) else { throw YAMLProblem(kind: .recursiveAlias(name), mark: marked.mark) }
    guard var node = anchors[name] else { throw YAMLProblem(kind: .unknownAnchor(name), mark: marked.mark) }
    try spend(node.weight, marked.mark)
    // Findings point at the alias, not at the anchor far away.
    if case .scalar = node.value { (node.mark, node.width) = (marked.mark, marked.width) }
    return node
  }

  private mutating func spend(_ nodes: Int, _ mark: YAMLMark) throws(YAMLProblem) {
    aliasedNodes += nodes
    guard aliasedNodes <= limits.aliasedNodes else {
      throw YAMLProblem(kind: .tooManyNodesByAlias(limit: limits.aliasedNodes), mark: mark)
    }
  }

  private mutating func sequence(_ start: MarkedEvent, depth: Int) throws(YAMLProblem) -> YAMLNode {
    var elements: [YAMLNode] = []
    while true {
      let marked = try parser.next()
      if case .sequenceEnd = marked.event { break }
      elements.append(try node(marked, depth: depth + 1))
    }
    let weight = elements.reduce(1) { $0 + $1.weight }
    return YAMLNode(value: .sequence(elements), mark: start.mark, width: start.width, weight: weight)
  }

  private mutating func mapping(_ start: MarkedEvent, depth: Int) throws(YAMLProblem) -> YAMLNode {
    var pairs: [YAMLPair] = []
    var merged: [YAMLPair] = []
    while true {
      let marked = try parser.next()
      if case .mappingEnd = marked.event { break }
      let key = try node(marked, depth: depth + 1)
      let value = try node(try parser.next(), depth: depth + 1)
      if case .scalar(let scalar) = key.value, scalar.isPlain, scalar.text == "<<" {
        merged += try mergeSource(value, at: key.mark)
      } else {
        pairs.append(YAMLPair(key: key, value: value, isMerged: false))
      }
    }
    var taken = Set(pairs.compactMap(\.key.scalarText))
    for pair in merged where taken.insert(pair.key.scalarText ?? "").inserted { pairs.append(pair) }
    let weight = pairs.reduce(1) { $0 + $1.key.weight + $1.value.weight }
    return YAMLNode(value: .mapping(pairs), mark: start.mark, width: start.width, weight: weight)
  }

  /// Of several sources the earlier one wins.
  private mutating func mergeSource(_ node: YAMLNode, at mark: YAMLMark) throws(YAMLProblem) -> [YAMLPair] {
    switch node.value {
    case .mapping(let pairs):
      try spend(node.weight, mark)
      return pairs.map { YAMLPair(key: $0.key, value: $0.value, isMerged: true) }
    case .sequence(let nodes):
      var all: [YAMLPair] = []
      for node in nodes {
        guard case .mapping = node.value else { throw YAMLProblem(kind: .badMerge, mark: node.mark) }
        all += try mergeSource(node, at: mark)
      }
      return all
    case .scalar: throw YAMLProblem(kind: .badMerge, mark: node.mark)
    }
  }
}

extension YAMLNode {
  package var scalarText: String? {
    if case .scalar(let scalar) = value { scalar.text } else { nil }
  }
}
