// SPDX-License-Identifier: Apache-2.0

/// The name of an element or attribute, with the namespace of its prefix.
package struct XMLName: Hashable, Sendable {
  package var local: String
  package var prefix: String?
  /// Nil without a namespace, or if the document does not declare the prefix.
  package var namespace: String?
  package init(_ local: String, prefix: String? = nil, namespace: String? = nil) {
    self.local = local
    self.prefix = prefix
    self.namespace = namespace
  }
}

package struct XMLAttribute: Hashable, Sendable {
  package var name: XMLName
  package var value: String
  package init(_ name: XMLName, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Receives the events of a document in order.
package protocol XMLHandler: AnyObject {
  /// - Parameter line: The line of the end of the tag, from 1.
  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int)
  func end()
  /// Receives character data in UTF-8 with references resolved.
  /// One run of text may come in several calls, each with whole characters.
  func text(_ bytes: Span<UInt8>)
}

/// The limits for a document.
package struct XMLLimits: Hashable, Sendable {
  package var bytes: Int
  /// The number of attributes of one element, including namespace declarations.
  package var attributes: Int
  /// The nesting depth of elements.
  package var depth: Int
  /// The number of bytes of the declarations between the brackets of a document type.
  package var declarations = 256 << 10
  /// The number of bytes that all references to declared entities add to the text. Each reference counts for
  /// `costOfReference` bytes more, so that empty entities are bounded, too.
  package var expansion = 8 << 20
  /// The number of declared entities within one another.
  package var entityDepth = 20
  package init(bytes: Int = 256 << 20, attributes: Int = 256, depth: Int = 100) {
    self.bytes = bytes
    self.attributes = attributes
    self.depth = depth
  }

  static let costOfReference = 16
}

/// The reason why reading stopped.
package enum XMLProblem: Error, Hashable, Sendable {
  /// Not well-formed, or ended too early. `detail` is the parser's own short text and may quote the document.
  case malformed(line: Int, detail: String)
  /// The declared encoding in lower case.
  case unknownEncoding(String)
  case tooLarge(limit: Int)
  case tooManyAttributes(limit: Int)
  case tooDeep(limit: Int)
  /// The entities that the document declares would make it longer by more than this number of bytes.
  case expansionTooLarge(limit: Int)
  case declarationsTooLarge(limit: Int)
  case entitiesTooDeep(limit: Int)
  /// An entity whose text refers to itself (XML 1.0 §4.1).
  case entityInItself(line: Int, name: String)
  /// libxml2 is not on this machine. `detail` is the dynamic loader's own text.
  case unavailable(detail: String)
}

/// An error after which reading continued, such as an undeclared prefix.
package struct XMLWarning: Hashable, Sendable {
  package var line: Int
  package var detail: String
}

/// The repairs made before parsing.
package struct XMLRepairs: Hashable, Sendable {
  /// True for bytes that are invalid in the document's encoding, or control characters that XML forbids.
  package var encoding = false
  /// The line of the first of them, from 1.
  package var encodingLine: Int?
  /// References that XML does not define, as written: `&nbsp;`, or `&` alone. Each is listed once, up to
  /// `maximumReferences`.
  package var references: [String] = []
  /// The line of the first occurrence of each reference.
  package var referenceLines: [Int] = []

  package static let maximumReferences = 20

  mutating func add(reference: String, line: Int) {
    guard references.count < Self.maximumReferences, !references.contains(reference) else { return }
    references.append(reference)
    referenceLines.append(line)
  }

  mutating func addEncoding(line: Int) {
    encoding = true
    encodingLine = min(line, encodingLine ?? line)
  }
}

/// The result of reading.
package struct XMLEnding: Hashable, Sendable {
  /// True if the root element was closed, which is the only proof that a document was whole.
  package var rootClosed: Bool
  /// Nil if reading never stopped. If the root is closed, the problem concerns only the text after the root element.
  package var problem: XMLProblem?
  /// The first `maximumWarnings` warnings.
  package var warnings: [XMLWarning]
  package var repairs: XMLRepairs

  package static let maximumWarnings = 20
}
