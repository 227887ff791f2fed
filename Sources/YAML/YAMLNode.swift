// SPDX-License-Identifier: Apache-2.0

/// A value of a YAML document with its place. Nodes that aliases repeat are shared.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    /// Plain or quoted; no type is guessed from the text.
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    /// In the order of the document, merged pairs last; no key occurs twice.
    case mapping([YAMLPair])
  }

  package let content: Content
  package let mark: YAMLMark

  package init(content: Content, mark: YAMLMark) {
    self.content = content
    self.mark = mark
  }
}

package struct YAMLScalar: Hashable, Sendable {
  package let text: String
  /// Without quotes and not a block scalar: the only spelling in which `true`, `3` or nothing at all are not just text.
  package let isPlain: Bool

  package init(text: String, isPlain: Bool) {
    self.text = text
    self.isPlain = isPlain
  }
}

/// A key of a mapping with its value.
package struct YAMLPair: Sendable {
  package let key: String
  package let keyMark: YAMLMark
  package let value: YAMLNode
}

extension YAMLNode {
  /// The value of `key` in a mapping; nil without one, or in any other node.
  package subscript(key: String) -> YAMLNode? {
    guard case .mapping(let pairs) = content else { return nil }
    return pairs.first { $0.key == key }?.value
  }
}
