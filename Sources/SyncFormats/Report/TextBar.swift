// SPDX-License-Identifier: Apache-2.0

/// A share as a bar in plain characters, with a space after it: `[######------] `.
struct TextBar {
  /// Empty where there is no room for a bar.
  let words: String

  /// The width of a bar in a text, and of the narrowest terminal that has one.
  private static let usualWidth = 10
  private static let narrowestTerminal = 72

  /// - Parameters:
  ///   - share: From 0 to 1; more counts as 1.
  ///   - width: The columns between the brackets.
  init(_ share: Double, width: Int) {
    let full = Int(min(1, max(0, share)) * Double(width))
    words = "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "] "
  }

  /// A bar in a text, where the terminal is wide enough for it.
  init(_ share: Double, _ style: TextStyle) {
    let hasRoom = style.columns.map { $0 >= Self.narrowestTerminal } ?? true
    words = hasRoom ? Self(share, width: Self.usualWidth).words : ""
  }
}
