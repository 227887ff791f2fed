// SPDX-License-Identifier: Apache-2.0

/// A pattern for titles: a glob for the whole title, ignoring case, or `/a regular expression/` for any part of it, with `i`
/// behind it to ignore case.
package struct TitlePattern: Hashable, Sendable {
  /// As written.
  package let text: String
  private let form: Form

  private enum Form: Hashable {
    case glob(Glob)
    /// A `Regex` can neither be compared nor sent: it is made where it is used.
    case expression(String, ignoresCase: Bool)
  }

  /// Why a text is no pattern.
  package enum Problem: Error, Hashable, Sendable {
    case empty
    /// A `[` that no `]` closes.
    case openSet
    /// Neither a glob nor a whole regular expression: one of its slashes is missing, or other letters are behind it.
    case halfExpression
    /// Not a regular expression: what Swift's parser says.
    case expression(String)
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
    do { _ = try Regex(source) } catch { throw .expression("\(error)") }
    form = .expression(source, ignoresCase: ignoresCase)
  }

  /// How expressions end, here and in other languages.
  private static let ends = ["/", "/i", "/I", "/g", "/gi", "/ig", "/m", "/s", "/u", "/x"]

  var matcher: Matcher {
    switch form {
    case .glob(let glob): .glob(glob)
    case .expression(let source, let ignoresCase):
      // It was one when the pattern was read.
      (try? Regex(source).ignoresCase(ignoresCase)).map(Matcher.expression) ?? .never
    }
  }

  enum Matcher {
    case glob(Glob)
    case expression(Regex<AnyRegexOutput>)
    case never

    func matches(_ title: String) -> Bool {
      switch self {
      case .glob(let glob): glob.matches(title)
      case .expression(let expression): title.contains(expression)
      case .never: false
      }
    }
  }
}
