// SPDX-License-Identifier: Apache-2.0

/// Merges two lists against the one from which both came.
///
/// Without a conflict, and with the rule `merge`, the result is the same if the sides are exchanged. It is one of the sides
/// if the other has not changed, so that a second merge changes nothing (docs/decisions/0105-playlists-both-ways.md).
package struct ListMerge: Equatable, Sendable {
  package private(set) var result: [ListElement] = []
  /// The changes that both sides made alike.
  package private(set) var alike: [ListChange] = []
  package private(set) var conflicts: [ListConflict] = []

  /// - Parameter preferred: The side whose change is taken in a conflict. Nil for the rule of each kind of conflict.
  package init(base: [ListElement], local: [ListElement], server: [ListElement], preferred: ListConflict.Side? = nil) {
    var draft = Draft(base, local, server, preferred: preferred)
    draft.decideRemovals()
    draft.decidePlaces()
    result = draft.woven()
    (alike, conflicts) = (draft.alike, draft.conflicts)
  }

  /// The founding rule: the server's order, then what only the local list has, in its order.
  package init(classic local: [ListElement], server: [ListElement]) {
    var counts: [ListElement: Int] = [:]
    for element in server { counts[element, default: 0] += 1 }
    result = server
    for element in local {
      let left = counts[element, default: 0]
      counts[element] = left - 1
      if left <= 0 { result.append(element) }
    }
  }
}

/// A list as one side has it.
private struct Side {
  /// The identity of each entry, in order. Those of the base are its places there, and those of additions follow.
  var order: [Int] = []
  var moved: Set<Int> = []
  var present: Set<Int> = []

  mutating func drop(_ identities: Set<Int>) { if !identities.isEmpty { order.removeAll(where: identities.contains) } }
}

/// A merge while it is made.
private struct Draft {
  private let base: [ListElement]
  private let preferred: ListConflict.Side?
  private var elements: [ListElement]
  private var local = Side()
  private var server = Side()
  private(set) var alike: [ListChange] = []
  private(set) var conflicts: [ListConflict] = []

  init(
    _ base: [ListElement], _ local: [ListElement], _ server: [ListElement], preferred: ListConflict.Side?
  ) {
    (self.base, self.preferred, elements) = (base, preferred, base)
    // The same number of additions of a song on both sides are the same additions: the server may have them from here.
    var additions: [ListElement: [Int]] = [:]
    self.local = side(local, &additions)
    self.server = side(server, &additions)
  }

  private mutating func side(_ list: [ListElement], _ additions: inout [ListElement: [Int]]) -> Side {
    let alignment = ListAlignment(from: base, to: list)
    var side = Side()
    var added: [ListElement: Int] = [:]
    for (index, element) in list.enumerated() {
      let identity: Int
      if let origin = alignment.origins[index] {
        identity = origin
        if alignment.moved.contains(index) { side.moved.insert(origin) }
      } else {
        let number = added[element, default: 0]
        added[element] = number + 1
        if additions[element, default: []].count == number {
          additions[element, default: []].append(elements.count)
          elements.append(element)
        }
        identity = additions[element, default: []][number]
      }
      side.order.append(identity)
    }
    side.present = Set(side.order)
    return side
  }

  /// Takes out the entries that a side removed.
  mutating func decideRemovals() {
    var dropped: Set<Int> = []
    for identity in base.indices {
      switch (local.present.contains(identity), server.present.contains(identity)) {
      case (true, true): break
      case (false, false): alike.append(ListChange(.removed, base[identity], at: identity + 1))
      case (false, true):
        guard server.moved.contains(identity) else {
          dropped.insert(identity)
          continue
        }
        let taken = preferred ?? .local
        conflicts.append(ListConflict(.removedHereMovedThere, base[identity], taken: taken))
        if taken == .local { dropped.insert(identity) }
      case (true, false):
        guard local.moved.contains(identity) else {
          dropped.insert(identity)
          continue
        }
        let taken = preferred ?? .server
        conflicts.append(ListConflict(.movedHereRemovedThere, base[identity], taken: taken))
        if taken == .server { dropped.insert(identity) }
      }
    }
    local.drop(dropped)
    server.drop(dropped)
  }

  /// Leaves each entry at the side that decides about its place, or at both where they agree.
  mutating func decidePlaces() {
    let both = local.present.intersection(server.present)
    // The entries that neither side moved have the order of the base on both sides.
    var disputed: Set<Int> = []
    var (ofLocal, ofServer): (Set<Int>, Set<Int>) = ([], [])
    for identity in both {
      switch (
        identity >= base.count || local.moved.contains(identity),
        identity >= base.count || server.moved.contains(identity)
      ) {
      case (false, false): break
      case (true, false): ofLocal.insert(identity)
      case (false, true): ofServer.insert(identity)
      case (true, true): disputed.insert(identity)
      }
    }
    server.drop(ofLocal)
    local.drop(ofServer)
    settle(disputed, common: both.subtracting(ofLocal).subtracting(ofServer))
  }

  private mutating func settle(_ disputed: Set<Int>, common: Set<Int>) {
    guard !disputed.isEmpty else { return }
    let (here, there) = (places(local), places(server))
    func isOrdered(_ identities: Set<Int>) -> Bool {
      local.order.filter(identities.contains) == server.order.filter(identities.contains)
    }
    if isOrdered(common) { return disputed.sorted().forEach { agree($0) } }
    let agreed = common.subtracting(disputed)
    var (ofLocal, ofServer): (Set<Int>, Set<Int>) = ([], [])
    var (placesHere, placesThere) = (agreed.map { here[$0] }.sorted(), agreed.map { there[$0] }.sorted())
    for identity in disputed.sorted(by: { (elements[$0], $0) < (elements[$1], $1) }) {
      let before = (
        placesHere.firstPlace { $0 > here[identity] }, placesThere.firstPlace { $0 > there[identity] }
      )
      if before.0 == before.1 {
        placesHere.insert(here[identity], at: before.0)
        placesThere.insert(there[identity], at: before.1)
        agree(identity)
      } else {
        // The earlier place, whichever side has it.
        let taken = preferred ?? (before.0 < before.1 ? .local : .server)
        let kind: ListConflict.Kind = identity < base.count ? .movedTwice : .addedTwice
        conflicts.append(ListConflict(kind, elements[identity], taken: taken))
        if taken == .local { ofLocal.insert(identity) } else { ofServer.insert(identity) }
      }
    }
    server.drop(ofLocal)
    local.drop(ofServer)
  }

  private mutating func agree(_ identity: Int) {
    alike.append(ListChange(identity < base.count ? .moved : .added, elements[identity]))
  }

  private func places(_ side: Side) -> [Int] {
    var places = Array(repeating: 0, count: elements.count)
    for (place, identity) in side.order.enumerated() { places[identity] = place }
    return places
  }

  /// Both sides in one list. Where both have entries between two that they share, the smaller run comes first.
  func woven() -> [ListElement] {
    let shared = Set(local.order).intersection(server.order)
    let (runsHere, runsThere) = (runs(local.order, shared), runs(server.order, shared))
    var result: [ListElement] = []
    let anchors = local.order.filter(shared.contains)
    for index in 0...anchors.count {
      let (a, b) = (runsHere[index].map { elements[$0] }, runsThere[index].map { elements[$0] })
      result += b.lexicographicallyPrecedes(a) ? b + a : a + b
      if index < anchors.count { result.append(elements[anchors[index]]) }
    }
    return result
  }

  /// The entries before the first shared one, between each two, and after the last.
  private func runs(_ order: [Int], _ shared: Set<Int>) -> [[Int]] {
    var runs: [[Int]] = [[]]
    for identity in order {
      if shared.contains(identity) { runs.append([]) } else { runs[runs.count - 1].append(identity) }
    }
    return runs
  }
}
