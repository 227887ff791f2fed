// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Synchronization

/// Live progress at the bottom of a terminal, while other output scrolls by above it.
///
/// `draw` writes everything, at most ten times a second, each time with one call.
final class ProgressDisplay: Sendable {
  private struct State {
    var progress = RunProgress()
    /// Lines that are not written yet.
    var said: [String] = []
    var block = ProgressBlock()
  }

  private static let interval = Duration.milliseconds(100)

  private let terminal: Terminal
  private let units: SizeUnits
  private let state = Mutex(State())
  private let began = ContinuousClock.now

  init(_ terminal: Terminal, units: SizeUnits) {
    self.terminal = terminal
    self.units = units
  }

  /// Can be called from any thread.
  func emit(_ event: RunEvent) {
    let time = ContinuousClock.now - began
    state.withLock { $0.progress.fold(event, at: time) }
  }

  /// Adds a line above the progress.
  func say(_ line: String) { state.withLock { $0.said.append(line) } }

  /// Draws until the task is cancelled; leaves only the lines above the progress.
  func run() async {
    while !Task.isCancelled {
      draw(isLast: false)
      do { try await Task.sleep(for: Self.interval) } catch { break }
    }
    draw(isLast: true)
  }

  private func draw(isLast: Bool) {
    let size = terminal.size
    let time = ContinuousClock.now - began
    let text = state.withLock { state in
      let picture = ProgressRenderer(state.progress, at: time, columns: size.columns, rows: size.rows)
      let lines = isLast ? [] : SizeUnits.$shown.withValue(units) { picture.lines }
      let said = state.said.map { $0.fitted(toColumns: size.columns) }
      state.said = []
      return state.block.update(to: lines, below: said, columns: size.columns)
    }
    if !text.isEmpty { terminal.write(text) }
  }
}
