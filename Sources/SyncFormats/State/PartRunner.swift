// SPDX-License-Identifier: Apache-2.0

/// Does one piece of work for each of several parts. The caller of a reader decides whether they are done one after
/// another or at once.
package protocol PartRunner: Sendable {
  /// The number of parts that can be done at once.
  var width: Int { get }

  /// Returns the results in the order of the parts.
  func run<Part: Sendable, Value: Sendable>(_ parts: [Part], _ work: @Sendable (Part) -> Value) -> [Value]
}
