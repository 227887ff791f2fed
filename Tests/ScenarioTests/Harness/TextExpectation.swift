// SPDX-License-Identifier: Apache-2.0

import Testing

/// The expected content of a text, or of its parts, after normalising.
struct TextExpectation: Decodable, Sendable {
  var equals: [String]?
  var contains: [String]?
  var lacks: [String]?

  enum CodingKeys: String, CodingKey, CaseIterable { case equals, contains, lacks }

  /// - Parameter name: names the text in failures.
  func check(_ text: String, _ name: String) {
    if let equals {
      let wanted = equals.isEmpty ? "" : equals.joined(separator: "\n") + "\n"
      #expect(text == wanted, "\(name) differs:\n\(text)")
    }
    for part in contains ?? [] { #expect(text.contains(part), "\(name) lacks “\(part)”:\n\(text)") }
    for part in lacks ?? [] { #expect(!text.contains(part), "\(name) holds “\(part)”:\n\(text)") }
  }
}
