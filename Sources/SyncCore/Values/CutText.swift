// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The beginning of a text that somebody else wrote and that may have megabytes, with an ellipsis if more follows.
  /// - Parameter limit: The number of scalars that are kept. One character can be any number of them.
  package func cut(to limit: Int) -> String {
    let scalars = unicodeScalars
    guard let end = scalars.index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
    return "\(String.UnicodeScalarView(scalars[..<end]))…"
  }
}
