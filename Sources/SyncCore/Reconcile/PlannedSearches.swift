// SPDX-License-Identifier: Apache-2.0

/// The items of a plan that are searched for.
package struct PlannedSearches: Hashable, Sendable {
  /// Those that only a search finds.
  package var only = 0
  /// Those that are searched for when all their places have failed.
  package var asLastResort = 0

  package init(only: Int = 0, asLastResort: Int = 0) { (self.only, self.asLastResort) = (only, asLastResort) }

  package var isEmpty: Bool { only == 0 && asLastResort == 0 }
}
