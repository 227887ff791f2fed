// SPDX-License-Identifier: Apache-2.0

/// Builds a tree from events: follows aliases, merges `<<` and enforces the limits.
struct TreeBuilder {
  private struct Anchor {
    let node: YAMLNode
    /// The number of nodes in it, including the targets of aliases.
    let size: Int
    /// The nesting depth of collections in it, including itself.
    let height: Int
  }

  private let limits: YAMLLimits
  private var frames: [Frame] = []
  private var anchors: [String: Anchor] = [:]
  private var root: YAMLNode?
  private var writtenNodes = 0
  private var repeatedNodes = 0
  private(set) var problems: [YAMLError] = []

  init(limits: YAMLLimits) { self.limits = limits }

  mutating func build(from events: inout EventParser) throws(YAMLError) -> YAMLNode? {
    var documents = 0
    while true {
      let event = try events.next()
      switch event.kind {
      case .streamStart, .documentEnd: break
      case .streamEnd: return root
      case .documentStart:
        documents += 1
        guard documents == 1 else { throw YAMLError(.secondDocument, at: event.mark) }
      case .alias(let name): try repeatNode(name, at: event.mark)
      case .scalar(let scalar, let properties): addScalar(scalar, properties, at: event.mark)
      case .sequenceStart(let properties): try open(isMapping: false, properties, at: event.mark)
      case .mappingStart(let properties): try open(isMapping: true, properties, at: event.mark)
      case .collectionEnd: close()
      }
    }
  }

  private mutating func addScalar(_ scalar: YAMLScalar, _ properties: YAMLEvent.Properties, at mark: YAMLMark) {
    noteTag(properties, at: mark)
    if properties.hasNUL { problems.append(YAMLError(.nul, at: mark)) }
    writtenNodes += 1
    let node = YAMLNode(content: .scalar(scalar), mark: mark)
    if let name = properties.anchor { anchors[name] = Anchor(node: node, size: 1, height: 0) }
    attach(node, at: mark, size: 1, height: 0)
  }

  private mutating func open(isMapping: Bool, _ properties: YAMLEvent.Properties, at mark: YAMLMark) throws(YAMLError) {
    guard frames.count < limits.depth else { throw YAMLError(.tooDeep(limit: limits.depth), at: mark) }
    noteTag(properties, at: mark)
    writtenNodes += 1
    // From here on the name refers to this node, which cannot be repeated before it is complete.
    if let name = properties.anchor { anchors[name] = nil }
    frames.append(Frame(isMapping: isMapping, anchor: properties.anchor, mark: mark))
  }

  private mutating func close() {
    guard let frame = frames.popLast() else { return }
    let node = frame.node()
    if let name = frame.anchor { anchors[name] = Anchor(node: node, size: frame.size, height: frame.height) }
    attach(node, at: frame.mark, size: frame.size, height: frame.height)
  }

  private mutating func repeatNode(_ name: String, at mark: YAMLMark) throws(YAMLError) {
    guard let anchor = anchors[name] else {
      let isInside = frames.contains { $0.anchor == name }
      throw YAMLError(isInside ? .aliasInsideItself(name) : .unknownAlias(name), at: mark)
    }
    guard frames.count + anchor.height <= limits.depth else {
      throw YAMLError(.tooDeep(limit: limits.depth), at: mark)
    }
    repeatedNodes += anchor.size
    guard repeatedNodes <= limits.repeatedNodes + writtenNodes * limits.repeatedNodesPerNode else {
      throw YAMLError(.tooManyRepeatedNodes, at: mark)
    }
    attach(anchor.node, at: mark, size: anchor.size, height: anchor.height)
  }

  private mutating func attach(_ node: YAMLNode, at mark: YAMLMark, size: Int, height: Int) {
    guard !frames.isEmpty else {
      root = node
      return
    }
    frames[frames.count - 1].add(node, at: mark, size: size, height: height, reporting: &problems)
  }

  private mutating func noteTag(_ properties: YAMLEvent.Properties, at mark: YAMLMark) {
    guard let tag = properties.tag else { return }
    problems.append(YAMLError(.tag(tag), at: YAMLMark(line: Int(mark.line), column: Int(mark.column))))
  }
}
