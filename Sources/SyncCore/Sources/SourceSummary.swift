// SPDX-License-Identifier: Apache-2.0

/// The result of reading one source.
package struct SourceSummary: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    case changed
    case unchanged
    case problem(SourceProblem)
  }
  package var playlist: PlaylistName
  package var location: String
  package var outcome: Outcome
  package var items: Int
  package var flaws: ListingFlaws
  /// The reading history, including this reading.
  package var health: SourceHealth
  package init(
    playlist: PlaylistName, location: String, outcome: Outcome, items: Int, flaws: ListingFlaws = ListingFlaws(),
    health: SourceHealth = SourceHealth()
  ) {
    self.health = health
    self.playlist = playlist
    self.location = location
    self.outcome = outcome
    self.items = items
    self.flaws = flaws
  }
}
