// SPDX-License-Identifier: Apache-2.0

/// One action on one item, without its reason.
package struct OutlinedStep: Hashable, Sendable {
  package var id: ItemID
  package var action: Step.Action
  package var path: LibraryPath?
  /// Nil when unknown.
  package var bytes: ByteCount?
  /// The quality of a file to fetch. Nil for an item that is declared in only one.
  package var quality: Quality?

  package init(id: ItemID, action: Step.Action, path: LibraryPath?, bytes: ByteCount?, quality: Quality? = nil) {
    self.quality = quality
    self.id = id
    self.action = action
    self.path = path
    self.bytes = bytes
  }
}

/// The actions of a plan without their reasons, used to compare two plans.
package struct PlanOutline: Equatable, Sendable {
  /// The treatment of files that were removed earlier.
  package enum Trash: String, CaseIterable, Sendable { case kept, expired, emptied }

  /// In the order of the plan, without items that stay or are deferred.
  package var steps: [OutlinedStep]
  package var trash: Trash

  package init(steps: [OutlinedStep], trash: Trash = .kept) {
    self.steps = steps
    self.trash = trash
  }

  package init(_ plan: Plan) {
    steps = plan.steps.indices.compactMap { index in
      let step = plan.steps[index]
      guard let action = step.action, action.altersLibrary else { return nil }
      return OutlinedStep(id: step.id, action: action, path: step.path, bytes: step.bytes, quality: step.quality)
    }
    trash = plan.emptiesTrash ? .emptied : plan.expiresTrash ? .expired : .kept
  }

  /// The first difference in `other`, which was planned later. Nil if there is none. The order of steps is not
  /// compared, because it follows from the rest.
  package func difference(to other: PlanOutline) -> PlanDifference? {
    let (before, after) = (byID, other.byID)
    for step in other.steps where before[step.id] != step {
      return before[step.id].map { .changed($0, step) } ?? .added(step)
    }
    if let step = steps.first(where: { after[$0.id] == nil }) { return .dropped(step) }
    return trash == other.trash ? nil : .trash(other.trash)
  }

  private var byID: [ItemID: OutlinedStep] {
    Dictionary(steps.lazy.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The difference between a saved plan and a new one.
package enum PlanDifference: Hashable, Sendable {
  /// The new plan has an additional step.
  case added(OutlinedStep)
  /// The new plan lacks this step.
  case dropped(OutlinedStep)
  case changed(OutlinedStep, OutlinedStep)
  case trash(PlanOutline.Trash)
}
