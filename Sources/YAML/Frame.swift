// SPDX-License-Identifier: Apache-2.0

/// A collection whose end has not been read yet.
struct Frame {
  let isMapping: Bool
  let anchor: String?
  let mark: YAMLMark
  /// The number of nodes in it so far, including itself and the targets of aliases.
  private(set) var size = 1
  /// The nesting depth of collections so far, including itself.
  private(set) var height = 1

  private enum Key {
    case text(String, YAMLMark)
    case merge(YAMLMark)
    /// The value of this key is read and dropped.
    case refused
  }

  private var elements: [YAMLNode] = []
  private var pairs: [YAMLPair] = []
  private var key: Key?
  private var merged: YAMLNode?
  private var mergeLine: Int?
  /// Built when there are too many pairs for a linear search.
  private var positions: [String: Int] = [:]

  init(isMapping: Bool, anchor: String?, mark: YAMLMark) {
    self.isMapping = isMapping
    self.anchor = anchor
    self.mark = mark
  }

  /// `mark` is the place of the alias if the node is repeated by one.
  mutating func add(_ node: YAMLNode, at mark: YAMLMark, size: Int, height: Int, reporting problems: inout [YAMLError])
  {
    self.size += size
    self.height = max(self.height, height + 1)
    guard isMapping else {
      elements.append(node)
      return
    }
    switch key {
    case nil: key = readKey(node, at: mark, reporting: &problems)
    case .text(let text, let keyMark):
      remember(text, at: pairs.count)
      pairs.append(YAMLPair(key: text, keyMark: keyMark, value: node))
      key = nil
    case .merge:
      if node.isMergeable {
        merged = node
      } else {
        problems.append(YAMLError(.mergeOfOther, at: mark))
      }
      key = nil
    case .refused: key = nil
    }
  }

  private mutating func readKey(_ node: YAMLNode, at mark: YAMLMark, reporting problems: inout [YAMLError]) -> Key {
    guard case .scalar(let scalar) = node.content else {
      problems.append(YAMLError(.keyNotScalar, at: mark))
      return .refused
    }
    let isMerge = scalar.isPlain && scalar.text == "<<"
    if let line = isMerge ? mergeLine : line(ofKey: scalar.text) {
      problems.append(YAMLError(.duplicateKey(scalar.text, firstLine: line), at: mark))
      return .refused
    }
    guard isMerge else { return .text(scalar.text, mark) }
    mergeLine = Int(mark.line)
    return .merge(mark)
  }

  private mutating func remember(_ key: String, at position: Int) {
    if position == Self.fewPairs {
      positions = Dictionary(uniqueKeysWithValues: pairs.enumerated().map { ($1.key, $0) })
    }
    if position >= Self.fewPairs { positions[key] = position }
  }

  private static let fewPairs = 16

  private func line(ofKey key: String) -> Int? {
    let pair = pairs.count <= Self.fewPairs ? pairs.first { $0.key == key } : positions[key].map { pairs[$0] }
    return pair.map { Int($0.keyMark.line) }
  }

  /// The finished collection. Its own pairs come first and override merged ones; pairs of earlier merged mappings
  /// override those of later ones.
  func node() -> YAMLNode {
    guard isMapping else { return YAMLNode(content: .sequence(elements), mark: mark) }
    guard let merged else { return YAMLNode(content: .mapping(pairs), mark: mark) }
    var known = Set(pairs.map(\.key))
    var all = pairs
    for pair in merged.pairsToMerge where known.insert(pair.key).inserted { all.append(pair) }
    return YAMLNode(content: .mapping(all), mark: mark)
  }
}

extension YAMLNode {
  /// True for a mapping, or a list that contains only mappings.
  fileprivate var isMergeable: Bool {
    switch content {
    case .scalar: false
    case .mapping: true
    case .sequence(let nodes): nodes.allSatisfy { if case .mapping = $0.content { true } else { false } }
    }
  }

  fileprivate var pairsToMerge: [YAMLPair] {
    switch content {
    case .scalar: []
    case .mapping(let pairs): pairs
    case .sequence(let nodes): nodes.flatMap(\.pairsToMerge)
    }
  }
}
