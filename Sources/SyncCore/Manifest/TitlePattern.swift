// SPDX-License-Identifier: Apache-2.0

/// A pattern for titles: either a glob for the whole title, ignoring case, or `/a regular expression/` for any part of
/// it. A trailing `i` makes the expression ignore case.
package struct TitlePattern: Hashable, Sendable {
  /// The pattern as written.
  package let text: String
  private let form: Form

  private enum Form: Hashable {
    case glob(Glob)
    case expression(RegularExpression)
  }

  /// The reason why a text is not a pattern.
  package enum Problem: Error, Hashable, Sendable {
    case empty
    /// A `[` without a closing `]`.
    case openSet
    /// Neither a glob nor a complete regular expression: a slash is missing, or other letters follow it.
    case halfExpression
    case expression(ExpressionProblem)
  }

  package init(_ text: String) throws(Problem) {
    guard !text.isEmpty, text != "//" else { throw .empty }
    self.text = text
    let ignoresCase = text.hasSuffix("/i")
    let body = text.dropLast(ignoresCase ? 1 : 0)
    guard text.hasPrefix("/"), body.hasSuffix("/"), body.utf8.count > 2 else {
      guard !text.hasPrefix("/"), !Self.ends.contains(where: text.hasSuffix) else { throw .halfExpression }
      let glob = Glob(text, ignoringCase: true)
      guard !glob.hasOpenSet else { throw .openSet }
      form = .glob(glob)
      return
    }
    let source = String(body.dropFirst().dropLast())
    do throws(ExpressionProblem) {
      form = .expression(try RegularExpression(source, ignoringCase: ignoresCase))
    } catch { throw .expression(error) }
  }

  /// The endings of expressions, here and in other languages.
  private static let ends = ["/", "/i", "/I", "/g", "/gi", "/ig", "/m", "/s", "/u", "/x"]

  /// True if the title matches.
  /// The time is bounded by the lengths of both for every title, because titles come from strangers.
  func matches(_ title: String) -> Bool {
    switch form {
    case .glob(let glob): glob.matches(title)
    case .expression(let expression): expression.matches(in: title)
    }
  }
}
