// SPDX-License-Identifier: Apache-2.0

/// A place in the text; both count from 1, columns in characters.
package struct YAMLMark: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A value of a YAML document with its place. Aliases share the value of their anchor.
package struct YAMLNode: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    /// In the order of the text; a key may stand twice. Pairs that came in through `<<` follow the mapping's own.
    case mapping([YAMLPair])
  }

  package var value: Value
  package var mark: YAMLMark
  /// Characters on its first line: what a caret underlines.
  package var width: Int
  /// Nodes in it, itself included, aliases expanded.
  var weight: Int
}

package struct YAMLScalar: Equatable, Sendable {
  package var text: String
  /// Written without quotes: may stand for a number, a truth value or nothing.
  package var isPlain: Bool
}

package struct YAMLPair: Equatable, Sendable {
  package var key: YAMLNode
  package var value: YAMLNode
  /// Came in through `<<`: the mapping's own pairs win.
  package var isMerged: Bool
}

/// Why a text is not a document that can be read.
package struct YAMLProblem: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case empty
    /// libyaml's own words for what is not YAML.
    case syntax(String)
    case notUTF8
    case nul
    case secondDocument
    case tag(String)
    case unknownAnchor(String)
    case recursiveAlias(String)
    case badMerge
    case tooDeep(limit: Int)
    case documentTooLarge(limit: Int)
    case scalarTooLarge(limit: Int)
    case tooManyNodesByAlias(limit: Int)
    case outOfMemory
  }

  package var kind: Kind
  package var mark: YAMLMark
}

/// How much of a document is read.
package struct YAMLLimits: Sendable {
  package var depth = 64
  package var documentBytes = 64 << 20
  package var scalarBytes = 1 << 20
  /// Nodes that aliases and merges may add.
  package var aliasedNodes = 100_000
  package init() {}
}
