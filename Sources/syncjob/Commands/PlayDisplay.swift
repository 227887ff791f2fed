// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats
import SyncJob
import Synchronization

/// Shows what `play` does: one line that is drawn again on a terminal, else one line for each item.
final class PlayDisplay: Sendable {
  private struct State {
    var item: QueueItem?
    var number = 0
    var count = 0
    var isDrawn = false
    var hasWarned = false
  }

  private let session: Session
  private let isJSON: Bool
  /// True if a person watches.
  let isLive: Bool
  private let state = Mutex(State())

  init(_ session: Session, isJSON: Bool) {
    (self.session, self.isJSON) = (session, isJSON)
    isLive =
      Terminal.standardOutput.isInteractive && isatty(STDIN_FILENO) == 1 && !isJSON && !session.isQuiet
      && session.environment["TERM"] != "dumb"
  }

  func show(_ event: PlayEvent) {
    switch event {
    case .began(let item, let number, let count, let position, _):
      let line = PlayWords.began(item, number: number, of: count, at: position)
      state.withLock { state in
        (state.item, state.number, state.count) = (item, number, count)
        if !isJSON, !session.isQuiet { write(line, &state) }
      }
    case .progressed(let position, let duration, let isPaused):
      guard isLive else { return }
      state.withLock { state in
        guard let item = state.item else { return }
        let line = PlayWords.now(
          item, number: state.number, of: state.count, position: position, duration: duration, isPaused: isPaused)
        let columns = Terminal.standardOutput.size.columns - 1
        // Back to the beginning of the line, and nothing of the last one is left.
        Terminal.standardOutput.write("\r\u{1B}[K\(line.cut(toColumns: columns))")
        state.isDrawn = true
      }
    case .ended(let item, let playback, let ending, let verdict):
      if isJSON { Terminal.standardOutput.write(PlayLines.ended(item, playback, ending, verdict)) }
    case .notPlayed(let id, let problem):
      let words = problem.words(id, session.invocation)
      clear()
      if isJSON { Terminal.standardOutput.write(PlayLines.notPlayed(id, words)) }
      session.warn(words)
    case .notRecorded(let error):
      // Each of many attempts may fail for the same reason.
      let isFirst = state.withLock { state in
        defer { state.hasWarned = true }
        return !state.hasWarned
      }
      clear()
      if isFirst { session.warn(PlayWords.notRecorded(error)) }
    }
  }

  /// Leaves only the lines of the items.
  func end() { clear() }

  private func clear() {
    state.withLock { state in
      if state.isDrawn { Terminal.standardOutput.write("\r\u{1B}[K") }
      state.isDrawn = false
    }
  }

  private func write(_ line: String, _ state: inout State) {
    Terminal.standardOutput.write("\(state.isDrawn ? "\r\u{1B}[K" : "")\(line)\n")
    state.isDrawn = false
  }
}
