// SPDX-License-Identifier: Apache-2.0

/// A fact about a manifest that its author must know, with its place. The sentences are in the words folder.
package struct Finding: Hashable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning
    /// Reported only by `validate`.
    case hint
  }

  package enum Fact: Hashable, Sendable {
    case document(DocumentProblem)
    case key(KeyProblem)
    /// A problem with the value of a key, named by its dotted path (`storage.budget`).
    case value(key: String, ValueProblem)
    case rule(RuleProblem)
  }

  package let fact: Fact
  package let mark: SourceMark
  /// True if the value must not be shown because it may be a credential.
  package let hidesValue: Bool
  /// True if the values of its line may be credentials although the line does not show it, as that of an anchor.
  package var isAmongCredentials = false

  package init(_ fact: Fact, at mark: SourceMark, hidesValue: Bool = false) {
    self.fact = fact
    self.mark = mark
    self.hidesValue = hidesValue
  }

  /// An error means that there is no usable manifest.
  package var severity: Severity {
    switch fact {
    case .rule(.nothingDeclared), .rule(.pagesWithoutFeed), .rule(.protect(.keysInLibrary)): .warning
    case .rule(.keepRulesAlone), .rule(.metricsNotRead), .rule(.server(.noSongsOfHistory)): .hint
    default: .error
    }
  }
}

extension Finding.Fact {
  /// The fact without a text that stands in the place of a credential.
  package var withoutValue: Finding.Fact {
    switch self {
    case .document(.tag): .document(.tag("!…"))
    case .document(.unknownAlias): .document(.unknownAlias("…"))
    case .document(.aliasInsideItself): .document(.aliasInsideItself("…"))
    case .value(let key, let problem): .value(key: key, problem.withoutValue)
    default: self
    }
  }
}

/// A place in a text file. Lines and columns count from 1, columns in Unicode scalars.
package struct SourceMark: Hashable, Comparable, Sendable {
  package let line: Int
  package let column: Int
  /// The number of characters in question, at least 1.
  package let length: Int

  package init(line: Int, column: Int, length: Int = 1) {
    self.line = max(1, line)
    self.column = max(1, column)
    self.length = max(1, length)
  }

  package static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}
