// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the transitions of an item")
struct ItemTransitionTests {
  private typealias Name = ItemState.Name
  private static let day = Timestamp(secondsSince1970: 1_790_000_000)

  /// A state with data for each name.
  private static func states() throws -> [ItemState] {
    let attempt = Attempt(candidate: 0, attempts: 1, partial: try partialDownload("a", 500))
    let file = try storedFile("a.mp3", completedAt: day)
    return try Name.allCases.map { name in
      switch name {
      case .queued: .queued(Pending())
      case .downloading: .downloading(attempt)
      case .retrying: .retrying(attempt, nextAttemptAt: day)
      case .paused: .paused(Pending())
      case .completed: .completed(file)
      case .failed: failure(isTemporary: true, partial: try partialDownload("a", 500))
      case .cancelled: .cancelled(at: day)
      case .removed: .removed(Removal(cause: .user, at: day, file: file))
      }
    }
  }

  private func item(_ state: ItemState) throws -> QueueItem {
    QueueItem(item: try SyncCoreTests.item("a"), memberships: [], state: state, queuedAt: Self.day)
  }

  /// The function that leads to a state.
  private func change(_ item: inout QueueItem, to next: ItemState) throws(IllegalTransition) {
    switch next {
    case .queued(let pending): item.requeue(pending)
    case .completed(let file): item.complete(file)
    case .removed(let removal): item.remove(removal)
    case .cancelled(let time): try item.cancel(at: time)
    case .downloading(let attempt): try item.advance(to: .downloading(attempt))
    case .retrying(let attempt, let next): try item.advance(to: .retrying(attempt, nextAttemptAt: next))
    case .paused(let pending): try item.advance(to: .paused(pending))
    case .failed(let record): try item.advance(to: .failed(record))
    }
  }

  @Test("the table of the legal transitions")
  func table() {
    let columns = Name.allCases
    let rows = columns.map { state in
      columns.map { $0.predecessors.contains(state) ? "+" : "." }.joined() + " \(state)"
    }
    // Columns: queued, downloading, retrying, paused, completed, failed, cancelled, removed.
    #expect(
      rows == [
        "++++++++ queued", "++++++++ downloading", "++++++++ retrying", "+..++.++ paused", "+...+..+ completed",
        "+..+++++ failed", "+...+.++ cancelled", "+...+..+ removed",
      ])
  }

  @Test("the functions make the transitions of the table, and refuse all others")
  func functions() throws {
    for from in try Self.states() {
      for next in try Self.states() {
        let before = try item(from)
        var after = before
        do throws(IllegalTransition) {
          try change(&after, to: next)
          #expect(next.name.predecessors.contains(from.name) && after.state == next, "\(from.name) to \(next.name)")
        } catch {
          #expect(!next.name.predecessors.contains(from.name) && after == before, "\(from.name) to \(next.name)")
          #expect(error.from == from.name && error.to == next.name)
        }
      }
    }
  }

  @Test("what a run would fetch is paused with its partial, and nothing else")
  func pauses() throws {
    for state in try Self.states() {
      var item = try item(state)
      let isPaused = item.pauseIfToCome()
      #expect(isPaused == ItemState.Name.paused.predecessors.contains(state.name), "\(state.name)")
      #expect(item.state.partial == state.partial, "\(state.name)")
      #expect(isPaused ? item.state.name == .paused : item.state == state)
    }
    var lost = try item(failure(isTemporary: false))
    let isPaused = lost.pauseIfToCome()
    #expect(!isPaused, "no run tries it again")
  }

  @Test("only a finished item has an upgrade, and it loses the upgrade with its file")
  func upgrades() throws {
    for state in try Self.states() {
      var item = try item(state)
      do throws(IllegalTransition) {
        try item.advanceUpgrade(to: .quality(.high), .queued(Pending(isRequested: true)))
        #expect(state.name == .completed && item.upgrade != nil && item.state == state)
      } catch {
        #expect(state.name != .completed && item.upgrade == nil && item.state == state)
      }
      var (queued, removed) = (item, item)
      queued.requeue()
      removed.remove(Removal(cause: .lost, at: Self.day))
      #expect(queued.upgrade == nil && removed.upgrade == nil)
    }
  }

  @Test("a change of the partial concerns the upgrade, if there is one, and no other state")
  func partials() throws {
    for state in try Self.states() {
      var item = try item(state)
      item.updatePartial { _ in nil }
      #expect(item.state.name == state.name && item.partial == nil)
      if state.partial == nil { #expect(item.state == state) }
    }
    var item = try item(.completed(try storedFile("a.mp3", completedAt: Self.day)))
    let before = item
    try item.advanceUpgrade(to: .quality(.high), .queued(Pending(partial: try partialDownload("a", 500))))
    item.updatePartial { $0 }
    #expect(item.partial?.received == ByteCount(500))
    item.updatePartial { _ in nil }
    #expect(item == before)
  }

  @Test("a record that is not believed leaves nothing of a file")
  func forgotten() throws {
    var item = try item(.completed(try storedFile("a.mp3", completedAt: Self.day)))
    item.requeue()
    #expect(item.lostFile != nil)
    item.forgetFiles()
    #expect(item.state == .queued(Pending()) && item.lastFile == nil && item.upgrade == nil)
  }
}
