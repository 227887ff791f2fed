// SPDX-License-Identifier: Apache-2.0

extension Selection {
  /// The items of a feed that are not selected, and the facts to record about a first reading.
  struct Outcome: Equatable {
    /// The reasons why items are not selected, by their positions among the choices. Nil for selected items.
    var unselected: [Unselected?]
    /// The publication time at which `initial` cut off. Nil if there is nothing new to record.
    var initialBefore: Timestamp?
    var initialSkipped: [ItemID] = []
  }

  /// An item of a feed as the filters see it.
  struct Choice {
    var item: Item
    var traits: EntryTraits
  }

  /// The part of an item that decides if it is among the first or the latest.
  fileprivate struct Candidate {
    var published: Timestamp?
    /// Among the choices.
    var position: Int32
  }

  /// - Parameters:
  ///   - choices: The items in the order of the document. They are read one by one and need not all exist at the same
  ///     time.
  ///   - published: The date of the item at a position, if it is cheaper to read than the whole item.
  ///   - state: Nil if the source is read for the first time.
  func apply(
    to choices: some RandomAccessCollection<Choice>, published: ((Int) -> Timestamp?)? = nil, state: SourceState?,
    now: Timestamp
  ) -> Outcome {
    var outcome = Outcome(
      unselected: Array(repeating: nil, count: choices.count), initialBefore: state?.initialBefore,
      initialSkipped: state?.initialSkipped ?? [])
    let id = { (item: Candidate) in choices[choices.index(choices.startIndex, offsetBy: Int(item.position))].item.id }
    let candidates =
      if let published, since == nil, match.isEmpty, exclude.isEmpty {
        (0..<choices.count).map { Candidate(published: published($0), position: Int32(truncatingIfNeeded: $0)) }
      } else {
        filtered(choices, now: now, into: &outcome)
      }
    var wanted = candidates.newestFirst(\.published)
    if let state {
      let skipped = Set(state.initialSkipped)
      outcome.pass(over: &wanted, .beforeFirstReading) { item in
        isBefore(item.published, state.initialBefore) || !skipped.isEmpty && skipped.contains(id(item))
      }
    } else if case .count(let count)? = initial, wanted.count > count {
      let passed = order == .newest ? wanted.dropFirst(count) : wanted.dropLast(count)
      let selected = order == .newest ? wanted.prefix(count) : wanted.suffix(count)
      outcome.remember(passed: passed, selected: selected, by: order, id)
      for item in passed { outcome.unselected[Int(item.position)] = .beforeFirstReading }
      wanted = Array(selected)
    }
    if let latest {
      for item in wanted.dropFirst(latest) { outcome.unselected[Int(item.position)] = .beyondLatest(latest) }
    }
    return outcome
  }

  private func filtered(
    _ choices: some Sequence<Choice>, now: Timestamp, into outcome: inout Outcome
  ) -> [Candidate] {
    let start = since?.date(at: now)
    let (match, exclude) = (ItemFilter.Matcher(match), ItemFilter.Matcher(exclude))
    var wanted: [Candidate] = []
    for (position, choice) in choices.enumerated() {
      let (item, traits) = (choice.item, choice.traits)
      if let start, isBefore(item.published, start) {
        outcome.unselected[position] = .publishedBefore(start)
      } else if let criterion = match.unmet(item, traits) {
        outcome.unselected[position] = .unmatched(criterion)
      } else if let criterion = exclude.met(item, traits) {
        outcome.unselected[position] = .excluded(criterion)
      } else {
        wanted.append(Candidate(published: item.published, position: Int32(truncatingIfNeeded: position)))
      }
    }
    return wanted
  }

  private func isBefore(_ published: Timestamp?, _ cut: Timestamp?) -> Bool {
    guard let published, let cut else { return false }
    return published < cut
  }
}

extension Array {
  /// Sorts by publication date. Items without a date come last, items of the same date in the order of the document.
  func newestFirst(_ published: (Element) -> Timestamp?) -> [Element] {
    // Most sources list their entries in this order.
    let times = map { published($0)?.secondsSince1970 ?? .min }
    if zip(times, times.dropFirst()).allSatisfy({ $0 >= $1 }) { return self }
    return indices.sorted { times[$0] == times[$1] ? $0 < $1 : times[$0] > times[$1] }.map { self[$0] }
  }
}

extension Selection.Outcome {
  fileprivate mutating func pass(
    over items: inout [Selection.Candidate], _ reason: Unselected, where isPassed: (Selection.Candidate) -> Bool
  ) {
    items.removeAll { item in
      guard isPassed(item) else { return false }
      unselected[Int(item.position)] = reason
      return true
    }
  }

  /// Records the items that a first reading skipped. A date covers everything older. Items that it cannot tell apart,
  /// and those newer than all chosen items, are recorded by id.
  fileprivate mutating func remember(
    passed: ArraySlice<Selection.Candidate>, selected: ArraySlice<Selection.Candidate>, by order: Selection.Order,
    _ id: (Selection.Candidate) -> ItemID
  ) {
    guard order == .newest else {
      initialSkipped = passed.map(id)
      return
    }
    let oldestSelected = selected.compactMap(\.published).min()
    let newestPassed = passed.compactMap(\.published).max()
    initialBefore = oldestSelected ?? newestPassed.map { $0 + .seconds(1) }
    let cut = initialBefore
    initialSkipped = passed.filter { item in
      guard let published = item.published, let cut else { return true }
      return published >= cut
    }.map(id)
  }
}
