// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the selection of episodes")
struct SelectionOutcomeTests {
  private func episode(_ name: String, _ day: String?) throws -> Item {
    var item = try item(name)
    item.published = try day.map { try time("2026-01-\($0)") }
    return item
  }

  private func selection(_ initial: Selection.Initial, latest: Int? = nil) -> Selection {
    var selection = Selection()
    (selection.initial, selection.latest) = (initial, latest)
    return selection
  }

  private func apply(_ selection: Selection, to items: [Item], state: SourceState?) -> Selection.Outcome {
    selection.apply(
      to: items.map { Selection.Choice(item: $0, traits: EntryTraits()) }, state: state,
      now: Timestamp(secondsSince1970: 1_800_000_000))
  }

  private func state(after outcome: Selection.Outcome) -> SourceState {
    let day = Timestamp(secondsSince1970: 0)
    return SourceState(
      changedAt: day, checkedAt: day, itemCount: 0, initialBefore: outcome.initialBefore,
      initialSkipped: outcome.initialSkipped)
  }

  /// The items that each reading selects, in alphabetical order.
  private func read(_ selection: Selection, _ documents: [[Item]]) -> [String] {
    var known: SourceState?
    return documents.map { document in
      let outcome = apply(selection, to: document, state: known)
      known = self.state(after: outcome)
      let selected = zip(document, outcome.unselected).filter { $0.1 == nil }.map(\.0.id)
      return selected.map(\.text).sorted().joined(separator: " ")
    }
  }

  private func week() throws -> [Item] {
    try ["05", "04", "03", "02", "01"].map { (day: String) in try episode("e" + day, day) }
  }

  @Test("all takes everything")
  func all() throws { #expect(try read(selection(.all), [week()]) == ["e01 e02 e03 e04 e05"]) }

  @Test("the newest of the first reading, and all that come after it")
  func newest() throws {
    let later = try [episode("e07", "07"), episode("e06", "06")] + week()
    #expect(try read(selection(.count(2)), [week(), week(), later]) == ["e04 e05", "e04 e05", "e04 e05 e06 e07"])
  }

  @Test("the document's order does not matter where there are dates")
  func order() throws { #expect(try read(selection(.count(2)), [week().reversed()]) == ["e04 e05"]) }

  @Test("none at first takes only what comes later")
  func none() throws {
    let later = try [episode("e06", "06")] + week()
    #expect(try read(selection(.count(0)), [week(), later]) == ["", "e06"])
  }

  @Test("fewer than asked for are all taken, and cut nothing later")
  func fewer() throws {
    let older = try week() + [episode("e00", "01")]
    #expect(try read(selection(.count(9)), [week(), older]) == ["e01 e02 e03 e04 e05", "e00 e01 e02 e03 e04 e05"])
  }

  @Test("what came late with an early date counts as passed over")
  func lateButOld() throws {
    let later = try week() + [episode("old", "02")]
    #expect(try read(selection(.count(2)), [week(), later]) == ["e04 e05", "e04 e05"])
  }

  @Test("episodes of one moment are told apart by id")
  func ties() throws {
    let document = try ["a", "b", "c"].map { try episode($0, "03") }
    #expect(read(selection(.count(1)), [document, document]) == ["a", "a"])
    let later = try document + [episode("d", "03")]
    #expect(read(selection(.count(1)), [document, later]) == ["a", "a d"])
  }

  @Test("episodes without a date come last, in the document's order, and are remembered by id")
  func undated() throws {
    let document = try [episode("u1", nil), episode("e01", "01"), episode("u2", nil), episode("u3", nil)]
    #expect(read(selection(.count(2)), [document, document]) == ["e01 u1", "e01 u1"])
    let later = try [episode("u0", nil)] + document
    #expect(read(selection(.count(2)), [document, later]) == ["e01 u1", "e01 u0 u1"])
  }

  @Test("latest counts anew at each reading")
  func latest() throws {
    let later = try [episode("e06", "06")] + week()
    #expect(try read(selection(.all, latest: 2), [week(), later]) == ["e04 e05", "e05 e06"])
    #expect(try read(selection(.count(1), latest: 3), [week(), later]) == ["e05", "e05 e06"])
    #expect(try read(selection(.count(4), latest: 2), [week(), later]) == ["e04 e05", "e05 e06"])
  }

  @Test("of very many passed over, only those that a date cannot tell are remembered")
  func memorySize() throws {
    let outcome = apply(selection(.count(1)), to: try week(), state: nil)
    #expect(outcome.initialSkipped.isEmpty)
    #expect(outcome.initialBefore == (try time("2026-01-05")))
  }
}
