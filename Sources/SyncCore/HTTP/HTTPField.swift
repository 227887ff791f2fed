// SPDX-License-Identifier: Apache-2.0

/// The value of a `Content-Range` field (RFC 9110 §14.4).
package enum ContentRange: Hashable, Sendable {
  /// `bytes 1000-1999/5000`; `total` is nil for `*`.
  case bytes(first: Int64, last: Int64, total: Int64?)
  /// `bytes */5000`.
  case unsatisfied(total: Int64)

  /// Returns nil for another unit, contradictory numbers or malformed text.
  package init?(_ value: some StringProtocol) {
    let words = value.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let total = decimal(halves[1])
    guard total != nil || halves[1] == "*" else { return nil }
    if halves[0] == "*" {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = decimal(ends[0]), let last = decimal(ends[1]), first <= last,
      total.map({ last < $0 }) ?? true
    else { return nil }
    self = .bytes(first: first, last: last, total: total)
  }
}

/// Reads digits only, without sign or space.
func decimal(_ text: some StringProtocol) -> Int64? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int64(text)
}

/// A header field that the manifest adds to requests.
package struct HTTPField: Equatable, Sendable {
  package var name: String
  package var value: String
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
