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

/// One YAML document as a tree with marks.
package struct YAMLDocument: Sendable {
  /// Nil for a text without a document: empty, or with comments only.
  package let root: YAMLNode?
  /// Problems that did not prevent reading the rest, such as duplicate keys and tags.
  package let problems: [YAMLError]

  /// Reads a UTF-8 text that contains one document.
  /// - Throws: the first problem that makes the rest unreadable.
  package init(_ bytes: [UInt8], limits: YAMLLimits = YAMLLimits()) throws(YAMLError) {
    guard bytes.count <= limits.documentSize else {
      throw YAMLError(.documentTooLarge(limit: limits.documentSize), at: YAMLMark(line: 1, column: 1))
    }
    try Self.checkEncoding(bytes)
    var builder = TreeBuilder(limits: limits)
    // The closure catches errors itself, because `withUnsafeBufferPointer`
    // passes no typed error out of a `~Copyable` scope.
    let outcome: Result<YAMLNode?, YAMLError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(YAMLError) {
        var events = try EventParser(buffer, limits: limits)
        return .success(try builder.build(from: &events))
      } catch {
        return .failure(error)
      }
    }
    root = try outcome.get()
    problems = builder.problems
  }

  private static func checkEncoding(_ bytes: [UInt8]) throws(YAMLError) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      throw YAMLError(.utf16, at: YAMLMark(line: 1, column: 1))
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let offset = error.byteOffsets.lowerBound
      throw YAMLError(
        .invalidUTF8(byte: bytes[offset]), at: bytes.withUnsafeBufferPointer { .locating(offset, in: $0) })
    }
  }
}
