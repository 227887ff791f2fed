// SPDX-License-Identifier: Apache-2.0

extension Selection {
  /// Which of a feed's items are worth fetching, and what to remember of a first reading.
  struct Outcome: Equatable {
    var selected: Set<ItemID>
    /// Where `initial` cut; nil when nothing new has to be remembered.
    var initialBefore: Timestamp?
    var initialSkipped: [ItemID] = []
  }

  /// - Parameters:
  ///   - items: in the order of the document.
  ///   - memory: nil when the feed is read for the first time.
  func apply(to items: [Item], memory: SourceMemory?) -> Outcome {
    let newestFirst = items.enumerated().sorted { a, b in
      switch (a.element.published, b.element.published) {
      case (let x?, let y?) where x != y: x > y
      case (.some, nil): true
      case (nil, .some): false
      default: a.offset < b.offset
      }
    }.map(\.element)
    var outcome = Outcome(selected: [], initialBefore: memory?.initialBefore)
    var wanted = newestFirst
    if let memory {
      let skipped = Set(memory.initialSkipped)
      wanted.removeAll { item in
        skipped.contains(item.id) || isBefore(item.published, memory.initialBefore)
      }
      outcome.initialSkipped = memory.initialSkipped
    } else if case .newest(let count) = initial, newestFirst.count > count {
      wanted = Array(newestFirst.prefix(count))
      outcome.remember(passed: newestFirst.dropFirst(count), selected: wanted)
    }
    outcome.selected = Set(wanted.prefix(latest ?? .max).map(\.id))
    return outcome
  }

  private func isBefore(_ published: Timestamp?, _ cut: Timestamp?) -> Bool {
    guard let published, let cut else { return false }
    return published < cut
  }
}

extension Selection.Outcome {
  /// A date stands for all that is older; only what it cannot tell apart is remembered by id.
  fileprivate mutating func remember(passed: ArraySlice<Item>, selected: [Item]) {
    let oldestSelected = selected.compactMap(\.published).min()
    let newestPassed = passed.compactMap(\.published).max()
    initialBefore = oldestSelected ?? newestPassed.map { $0 + .seconds(1) }
    let cut = initialBefore
    initialSkipped = passed.filter { item in
      guard let published = item.published, let cut else { return true }
      return published >= cut
    }.map(\.id)
  }
}
