// SPDX-License-Identifier: Apache-2.0

/// What a plan does, without its reasons: what two plans are compared by.
package struct PlanOutline: Equatable, Sendable {
  /// One thing that is done to one item.
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

  /// What becomes of files that were removed before.
  package enum Trash: String, CaseIterable, Sendable { case kept, expired, emptied }

  /// In the order of the plan; none for what stays or waits.
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

  /// The first thing that is not the same in `other`, which was planned later; nil when there is none. The order is none:
  /// it follows from the rest.
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

/// How a plan that is made anew differs from the one that was saved.
package enum PlanDifference: Hashable, Sendable {
  /// Was not to be done.
  case added(PlanOutline.Step)
  /// Would not be done any more.
  case dropped(PlanOutline.Step)
  case changed(PlanOutline.Step, PlanOutline.Step)
  case trash(PlanOutline.Trash)
}
