// SPDX-License-Identifier: Apache-2.0

/// What a document may cost before it is refused.
package struct YAMLLimits: Equatable, Sendable {
  /// Bytes of the whole text.
  package var documentSize = 256 << 20
  /// Bytes of one scalar. libyaml reads a scalar whole before it tells of it.
  package var scalarSize = 1 << 20
  /// Sequences and mappings inside each other, aliases followed. libyaml is quadratic in the depth of flow collections.
  package var depth = 64
  /// Nodes that aliases may repeat, however small the document is …
  package var repeatedNodes = 100_000
  /// … and on top for each node that is written out, so that a large document may use aliases as freely as a small one.
  package var repeatedNodesPerNode = 10

  package init() {}
}
