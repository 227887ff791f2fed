// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Synchronization

/// One line at the bottom of a terminal with the progress of a check, drawn at most ten times a second.
final class CheckDisplay: Sendable {
  private struct State {
    var block = ProgressBlock()
    var drawnAt: ContinuousClock.Instant?
  }

  private static let interval = Duration.milliseconds(100)

  private let terminal: Terminal
  private let isWanted: Bool
  private let state = Mutex(State())
  private let began = ContinuousClock.now

  init(_ terminal: Terminal, isWanted: Bool) {
    self.terminal = terminal
    self.isWanted = isWanted
  }

  /// Can be called from any thread.
  func show(_ progress: CheckingProgress) {
    guard isWanted else { return }
    let now = ContinuousClock.now
    let columns = terminal.size.columns
    let text = state.withLock { state in
      if let drawnAt = state.drawnAt, now - drawnAt < Self.interval { return "" }
      state.drawnAt = now
      return state.block.update(to: [progress.words(after: now - began)], below: [], columns: columns)
    }
    if !text.isEmpty { terminal.write(text) }
  }

  /// Erases the line.
  func end() {
    guard isWanted else { return }
    let columns = terminal.size.columns
    let text = state.withLock { $0.block.update(to: [], below: [], columns: columns) }
    if !text.isEmpty { terminal.write(text) }
  }
}
