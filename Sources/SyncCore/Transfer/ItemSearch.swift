// SPDX-License-Identifier: Apache-2.0

/// The rules for the results of an item's search.
package struct ItemSearch: Equatable, Sendable {
  private let item: Item
  private let policy: AlternativePolicy

  package init(_ item: Item, _ policy: AlternativePolicy) { (self.item, self.policy) = (item, policy) }

  /// The results that are tried, in the order of trial.
  package func fitting(_ results: [Candidate], besides known: Set<RemoteURL>) -> [RankedCandidate] {
    var seen = known
    return policy.ranked(results.filter { seen.insert($0.url).inserted }, for: item)
      .map { ranked in
        var ranked = ranked
        ranked.needsResolving = true
        return ranked
      }
  }
}
