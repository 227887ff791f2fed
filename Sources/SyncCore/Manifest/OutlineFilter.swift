// SPDX-License-Identifier: Apache-2.0

/// The outlines of an OPML document that become playlists: those that `only` names, or all of them, without those that
/// `skip` names.
package struct OutlineFilter: Equatable, Sendable {
  package var only: [Glob] = []
  package var skip: [Glob] = []
  package init() {}

  package var isEmpty: Bool { only.isEmpty && skip.isEmpty }

  /// - Parameter names: The texts that a pattern may match.
  func admits(_ names: [String]) -> Bool {
    let isNamed = { (globs: [Glob]) in globs.contains { glob in names.contains(where: glob.matches) } }
    return (only.isEmpty || isNamed(only)) && !isNamed(skip)
  }
}
