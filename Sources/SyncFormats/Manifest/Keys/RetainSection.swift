// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension RetentionPolicy {
  static let section = Section<RetentionPolicy>(
    [
      .value("at_most", \.atMost, .orNone(.integer(1...1_000_000))),
      .value("keep_last", \.keepLast, .orNone(.integer(1...1_000_000))),
      .value("keep_within", \.keepWithin, .orNone(.age)), .value("keep_unplayed", \.keepUnplayed, .boolean),
      .value("drop_played_after", \.dropPlayedAfter, .orNever(.age)),
      .value("drop_after", \.dropAfter, .orNever(.age)), .value("age_basis", \.ageBasis, .choice),
    ])
}

extension Codec where Value == PlaylistBudget {
  /// A size, or a share of `storage.budget`.
  static let playlistBudget = Codec.scalar(
    .sizeOrPercentage,
    parse: { scalar throws(ValueProblem) in
      if let share = try PercentText.read(scalar) { return .share(share) }
      return try SizeText(scalar).map { .size($0.bytes) }
    },
    write: { budget in
      switch budget {
      case .size(let size): .word(SizeText.spelled(size))
      case .share(let share): .word(PercentText.spelled(share))
      }
    })
}

extension ManifestDraft {
  /// Warns about keep rules without effect: they protect from drop rules and from eviction, and without either they do
  /// nothing.
  func hintAtIdleKeepRules(_ field: Field, _ context: ReadingContext) {
    guard storage.budget == nil, !hasFaultyBudget(field, context) else { return }
    for playlist in playlists where playlist.retain.keeps && !playlist.retain.drops && playlist.budget == nil {
      let node = field.node["playlists"]?[playlist.name.text]
      let mark = (node?["retain"] ?? node ?? field.node).mark
      context.report(.rule(.keepRulesAlone(playlist: playlist.name.text)), at: mark)
    }
  }

  /// True for a budget that is declared, but could not be read, which was reported.
  private func hasFaultyBudget(_ field: Field, _ context: ReadingContext) -> Bool {
    field.node["storage"]?["budget"].map { context.hasFinding(at: $0.mark) } ?? false
  }

  /// Checks that the playlists' shares together do not exceed the budget.
  func checkShares(_ field: Field, _ context: ReadingContext) {
    guard !hasFaultyBudget(field, context) else { return }
    var sum = ByteCount.zero
    for playlist in playlists {
      guard let declared = playlist.budget else { continue }
      let node = field.node["playlists"]?[playlist.name.text]
      let mark = (node?["budget"] ?? node ?? field.node).mark
      guard let share = declared.bytes(of: storage.budget) else {
        context.report(.rule(.shareOfNothing(playlist: playlist.name.text)), at: mark)
        continue
      }
      guard let budget = storage.budget else { continue }
      if share > budget {
        context.report(
          .rule(.shareAboveBudget(playlist: playlist.name.text, share: share, budget: budget)), at: mark)
        continue
      }
      let before = sum
      sum += share
      // Reported once, at the share that exceeds the budget.
      if sum > budget, before <= budget {
        context.report(.rule(.sharesAboveBudget(sum: sum, budget: budget)), at: mark)
      }
    }
  }
}
