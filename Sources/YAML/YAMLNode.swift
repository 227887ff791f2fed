// SPDX-License-Identifier: Apache-2.0

/// A value of a YAML document with its place. Nodes repeated by aliases are shared.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    /// Plain or quoted text. No type is inferred from it.
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    /// Pairs in the order of the document, merged pairs last. No key occurs twice.
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
  /// True without quotes or block style, the only style in which `true`, `3` or nothing may be more than text.
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
  /// The value of `key` in a mapping. Nil if there is none, and for any other node.
  package subscript(key: String) -> YAMLNode? {
    guard case .mapping(let pairs) = content else { return nil }
    return pairs.first { $0.key == key }?.value
  }
}
