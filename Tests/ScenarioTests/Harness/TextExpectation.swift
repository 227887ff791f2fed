// SPDX-License-Identifier: Apache-2.0

import Testing

/// What a text must be, hold or lack, after normalising.
struct TextExpectation: Decodable, Sendable {
  var equals: [String]?
  var contains: [String]?
  var lacks: [String]?

  enum CodingKeys: String, CodingKey, CaseIterable { case equals, contains, lacks }

  /// - Parameter name: what the text is, for the failure.
  func check(_ text: String, _ name: String) {
    if let equals {
      let wanted = equals.isEmpty ? "" : equals.joined(separator: "\n") + "\n"
      #expect(text == wanted, "\(name) differs:\n\(text)")
    }
    for part in contains ?? [] { #expect(text.contains(part), "\(name) lacks “\(part)”:\n\(text)") }
    for part in lacks ?? [] { #expect(!text.contains(part), "\(name) holds “\(part)”:\n\(text)") }
  }
}
