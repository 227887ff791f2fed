// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension Codec where Value == SearchTemplate {
  /// A search for an item, with the names of its fields in braces.
  static let search = Codec.scalar(
    .text,
    parse: { scalar throws(ValueProblem) in
      guard !scalar.text.isEmpty else { return nil }
      do throws(SearchTemplate.Problem) { return try SearchTemplate(scalar.text) } catch {
        throw .search(scalar.text, error)
      }
    }, write: { .string($0.text) })
}
