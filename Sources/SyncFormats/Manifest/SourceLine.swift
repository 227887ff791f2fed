// SPDX-License-Identifier: Apache-2.0

/// A line of a manifest as it is shown, with a caret line below.
struct SourceLine {
  let text: String
  let caret: String

  /// The length to which longer lines are cut around the place.
  private static let longest = 118
  private static let before = 60
  private static let after = 56

  var isBlank: Bool { text.allSatisfy { $0 == " " } }

  /// True if the place itself may be a credential and is not shown.
  let hidesPlace: Bool

  /// Makes the lines. `column` counts Unicode scalars from 1. With `hidesRest`, nothing from that column on is shown.
  init(
    _ bytes: ArraySlice<UInt8>, from column: Int, length: Int, hidesRest: Bool, in section: CredentialSection? = nil
  ) {
    // Enough bytes for the cut around the place, however long the line is.
    let scalars = Array(String(decoding: bytes.prefix(4 * (column + 256)), as: UTF8.self).unicodeScalars)
    let hidden = SecretRanges.find(in: scalars, section)
    hidesPlace = hidden.contains { $0.contains(column - 1) }
    let place = min(column - 1, scalars.count)
    let isLong = scalars.count > Self.longest
    let start = isLong ? max(0, place - Self.before) : 0
    let end = isLong ? min(scalars.count, place + Self.after) : scalars.count
    let head = Self.shown(scalars, start..<place, hidden)
    let body = hidesRest ? ["***"] : Self.shown(scalars, place..<end, hidden)
    let isCut = end < scalars.count && !hidesRest
    text = (start > 0 ? "…" : "") + head.joined() + body.joined() + (isCut ? "…" : "")
    let indent = head.reduce(start > 0 ? 1 : 0) { $0 + Self.width($1) }
    let marked = hidesRest ? 3 : body.prefix(length).reduce(0) { $0 + Self.width($1) }
    caret = String(repeating: " ", count: indent) + "^" + String(repeating: "~", count: max(0, marked - 1))
  }

  private static func shown(_ scalars: [Unicode.Scalar], _ range: Range<Int>, _ hidden: [Range<Int>]) -> [String] {
    range.map { position in
      hidden.contains { $0.contains(position) } ? "*" : VisibleScalar.text(of: scalars[position])
    }
  }

  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + VisibleScalar.width(of: $1) }
  }
}
