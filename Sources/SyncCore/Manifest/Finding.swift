// SPDX-License-Identifier: Apache-2.0

/// Something wrong in a manifest, and where. Facts only; the sentence is made in the words folder.
package struct Finding: Equatable, Sendable {
  package var problem: ManifestProblem
  /// From 1; in characters.
  package var line: Int
  package var column: Int
  /// How many characters the caret underlines.
  package var width: Int
  package init(_ problem: ManifestProblem, line: Int, column: Int, width: Int = 1) {
    self.problem = problem
    self.line = line
    self.column = column
    self.width = width
  }
}

package enum ManifestProblem: Hashable, Sendable {
  // The document.
  case empty
  case notYAML(String)
  case notUTF8
  case nul
  case secondDocument
  case customTag(String)
  case unknownAnchor(String)
  case recursiveAlias(String)
  case badMerge
  case tooDeep(limit: Int)
  case documentTooLarge(limit: Int)
  case scalarTooLarge(limit: Int)
  case tooManyAliases(limit: Int)
  case outOfMemory
  case notAMapping
  case missingVersion
  case unsupportedVersion(found: String)
  // Keys. `place` is the path of the mapping, empty at the top.
  case unknownKey(String, place: String, nearest: String?)
  case duplicateKey(String, firstLine: Int)
  case keyIsNotText
  case missingKey(String, place: String)
  case notSupportedYet(String, default: String)
  // Values.
  case wrongType(key: String, expected: Expectation, found: FoundKind)
  case badValue(key: String, value: String, expected: Expectation)
  case quoted(key: String, expected: Expectation)
  case ambiguousSize(key: String, value: String, decimal: String, binary: String)
  // Variables.
  case undefinedVariable(String)
  case requiredVariable(String, message: String)
  case badInterpolation(String)
  // What fits together.
  case targetAboveTrigger
  case confidenceBeyondTolerance
  case stateIsLibrary
  case sources(playlist: String, found: [String])
  case badPlaylistName(String)
  case badItemID(String)
  case repeatedItem(String, firstLine: Int)
  case sameIDOtherURL(String, firstLine: Int)
  case layout(String, LayoutTemplate.Problem)
  case url(String, RemoteURL.Problem)
  case badHeaderName(String)
  case reservedHeader(String)
  case badHeaderValue(name: String)

  package enum FoundKind: String, Hashable, Sendable { case nothing, text, list, mapping }
}

/// What a key takes.
package enum Expectation: Hashable, Sendable {
  case text
  case truth
  case integer(ClosedRange<Int>)
  case number
  case size
  case duration
  case share
  case shareOrCount
  case date
  case checksum
  case path
  case list
  case mapping
  case url
  case urlOrPath
  case hostOrRange
  case choice([String])
  case allOrCount
}
