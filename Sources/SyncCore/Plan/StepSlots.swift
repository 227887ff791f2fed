// SPDX-License-Identifier: Apache-2.0

/// The steps of a plan in the making, by the positions of their entries. A position takes four bytes, because most of a
/// million items get no step.
struct StepSlots {
  private static let free: Int32 = -1
  private static let passedOver: Int32 = -2

  /// The position of a step in `steps`, or one of the above.
  private var slots: [Int32]
  private var steps: [Step] = []
  private var isInOrder = true
  private var last = -1

  init(count: Int) { slots = Array(repeating: Self.free, count: count) }

  subscript(order: Int) -> Step? { slots[order] < 0 ? nil : steps[Int(slots[order])] }

  /// True if the entry has no step.
  func isFree(_ order: Int) -> Bool { slots[order] < 0 }

  /// Sets the step of an entry, in the place of an earlier one.
  mutating func set(_ step: Step, at order: Int) {
    if slots[order] >= 0 {
      steps[Int(slots[order])] = step
      return
    }
    slots[order] = Int32(steps.count)
    steps.append(step)
    isInOrder = isInOrder && order > last
    last = order
  }

  /// Counts an entry that needs no step, unless it gets one later.
  mutating func passOver(_ order: Int) { if slots[order] == Self.free { slots[order] = Self.passedOver } }

  var passedOverCount: Int { slots.count { $0 == Self.passedOver } }

  /// The steps in the order of their entries.
  var inOrder: [Step] { isInOrder ? steps : slots.compactMap { $0 < 0 ? nil : steps[Int($0)] } }
}
