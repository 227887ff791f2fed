// SPDX-License-Identifier: Apache-2.0

/// The outlines of an OPML document that become playlists: those that `only` names, or all of them, without those that
/// `skip` names.
package struct OutlineFilter: Equatable, Sendable {
  package var only: [Glob] = []
  package var skip: [Glob] = []
  package init() {}

  package var isEmpty: Bool { only.isEmpty && skip.isEmpty }

  /// The patterns of `patterns` that match none of these outlines, as written.
  /// - Parameter outlines: The texts that a pattern may match, for each outline.
  func unmatched(_ patterns: [Glob], _ outlines: [[String]]) -> [String] {
    patterns.filter { glob in !outlines.contains { $0.contains(where: glob.matches) } }.map(\.pattern)
  }

  /// - Parameter names: The texts that a pattern may match.
  func admits(_ names: [String]) -> Bool {
    let isNamed = { (globs: [Glob]) in globs.contains { glob in names.contains(where: glob.matches) } }
    return (only.isEmpty || isNamed(only)) && !isNamed(skip)
  }
}
