// SPDX-License-Identifier: Apache-2.0

/// An element's or attribute's name with what its prefix stands for.
package struct XMLName: Hashable, Sendable {
  package var local: String
  package var prefix: String?
  /// Nil without a namespace, and for a prefix that the document does not declare.
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

/// What a document tells while it is read, in its order.
package protocol XMLHandler: AnyObject {
  /// - Parameter line: of the end of the tag, from 1.
  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int)
  func end()
  /// Character data in UTF-8, references resolved. One run of text may come in several calls, each of whole characters.
  func text(_ bytes: Span<UInt8>)
}

/// How much of a document is accepted.
package struct XMLLimits: Hashable, Sendable {
  package var bytes: Int
  /// Of one element, namespace declarations included.
  package var attributes: Int
  /// Elements inside each other.
  package var depth: Int
  package init(bytes: Int = 256 << 20, attributes: Int = 256, depth: Int = 100) {
    self.bytes = bytes
    self.attributes = attributes
    self.depth = depth
  }
}

/// Why reading stopped.
package enum XMLProblem: Error, Hashable, Sendable {
  /// Not well-formed, or ended too early. `detail` is the parser's own short text and may quote the document.
  case malformed(line: Int, detail: String)
  /// Declared, lower case.
  case unknownEncoding(String)
  case tooLarge(limit: Int)
  case tooManyAttributes(limit: Int)
  case tooDeep(limit: Int)
  /// The document declares entities or the like of its own: never read, because they can grow without bound or name
  /// local files.
  case declarations
  /// libxml2 is not on this machine; `detail` is the dynamic loader's own text.
  case unavailable(detail: String)
}

/// A fault that reading went on after, such as a prefix without a declaration.
package struct XMLWarning: Hashable, Sendable {
  package var line: Int
  package var detail: String
}

/// What was put right before parsing.
package struct XMLRepairs: Hashable, Sendable {
  /// Bytes that are no text in the document's encoding, or control characters that XML forbids.
  package var encoding = false
  /// Of the first of them, from 1.
  package var encodingLine: Int?
  /// References that XML does not know, as written: `&nbsp;`, or `&` alone. Each once, the first
  /// `maximumReferences` of them.
  package var references: [String] = []
  /// Where each of them was first.
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

/// How reading ended.
package struct XMLEnding: Hashable, Sendable {
  /// The only proof that a document was whole.
  package var rootClosed: Bool
  /// Nil when reading never stopped; with a closed root it concerns only what follows the root element.
  package var problem: XMLProblem?
  /// The first `maximumWarnings`.
  package var warnings: [XMLWarning]
  package var repairs: XMLRepairs

  package static let maximumWarnings = 20
}
