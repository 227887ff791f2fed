// SPDX-License-Identifier: Apache-2.0

/// The limits beyond which a document is refused.
package struct YAMLLimits: Equatable, Sendable {
  /// The size of the whole text in bytes.
  package var documentSize = 256 << 20
  /// The size of one scalar in bytes. libyaml reads a scalar whole before it reports it.
  package var scalarSize = 1 << 20
  /// The nesting depth of sequences and mappings, including the targets of aliases. libyaml takes quadratic time in the
  /// depth of flow collections.
  package var depth = 64
  /// The number of nodes that aliases may repeat, however small the document is.
  package var repeatedNodes = 100_000
  /// The number of additional repeated nodes for each node that is written out, so that a large document may use
  /// aliases as freely as a small one.
  package var repeatedNodesPerNode = 10

  package init() {}
}
