// SPDX-License-Identifier: Apache-2.0

/// The actions of a plan without their reasons, used to compare two plans.
package struct PlanOutline: Equatable, Sendable {
  /// One action on one item.
  package struct Step: Hashable, Sendable {
    package var id: ItemID
    package var action: Change.Action
    package var path: LibraryPath?
    /// Nil when unknown.
    package var bytes: ByteCount?

    package init(id: ItemID, action: Change.Action, path: LibraryPath?, bytes: ByteCount?) {
      self.id = id
      self.action = action
      self.path = path
      self.bytes = bytes
    }
  }

  /// The treatment of files that were removed earlier.
  package enum Trash: String, CaseIterable, Sendable { case kept, expired, emptied }

  /// In the order of the plan, without items that stay or are deferred.
  package var steps: [Step]
  package var trash: Trash

  package init(steps: [Step], trash: Trash = .kept) {
    self.steps = steps
    self.trash = trash
  }

  package init(_ plan: Plan) {
    steps = plan.changes.filter(\.action.altersLibrary).map {
      Step(id: $0.id, action: $0.action, path: $0.path, bytes: $0.bytes)
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

  private var byID: [ItemID: Step] {
    Dictionary(steps.lazy.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The difference between a saved plan and a new one.
package enum PlanDifference: Hashable, Sendable {
  /// The new plan has an additional step.
  case added(PlanOutline.Step)
  /// The new plan lacks this step.
  case dropped(PlanOutline.Step)
  case changed(PlanOutline.Step, PlanOutline.Step)
  case trash(PlanOutline.Trash)
}
