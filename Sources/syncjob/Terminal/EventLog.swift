// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Synchronization

/// Writes a run's events as they happen. The caller never waits for the writing, and no problem with it stops the run.
final class EventLog: Sendable {
  private struct State {
    var lines: EventLines
    var isEnding = false
  }

  /// The time for which a reader may lag behind, during the run and at its end.
  private static let patience = Duration.seconds(5)
  private static let patienceAtEnd = Duration.seconds(1)
  private static let pause = Duration.milliseconds(20)

  private let state: Mutex<State>
  private let queue: AsyncStream<[UInt8]>.Continuation
  private let stream: AsyncStream<[UInt8]>
  private let writer = Mutex<Task<Void, Never>?>(nil)
  private let now: @Sendable () -> Timestamp
  private let began = ContinuousClock.now

  /// - Parameters:
  ///   - finishedFiles: the number of finished files, for a command that is not a run.
  ///   - now: the run's clock.
  ///   - warn: called at most once, when lines are lost.
  init(
    _ sink: EventSink, finishedFiles: Int? = nil, now: @escaping @Sendable () -> Timestamp,
    warn: @escaping @Sendable (String) -> Void
  ) {
    state = Mutex(State(lines: EventLines(finishedFiles: finishedFiles)))
    self.now = now
    (stream, queue) = AsyncStream.makeStream(of: [UInt8].self)
    let task = Task { [stream, weak self] in
      do throws(EventSink.Problem) {
        for await line in stream {
          var waited = Duration.zero
          try await sink.write(line) {
            do { try await Task.sleep(for: Self.pause) } catch { return false }
            waited += Self.pause
            return waited < (self?.isEnding ?? true ? Self.patienceAtEnd : Self.patience)
          }
        }
      } catch { warn(EventLogWords.gaveUp(sink.name, error.code)) }
      sink.end()
    }
    writer.withLock { $0 = task }
  }

  /// Can be called from any thread.
  func emit(_ event: RunEvent) {
    let (now, time) = (now(), ContinuousClock.now - began)
    // Queued under the lock, so that lines are in the order of events.
    state.withLock { state in
      for line in state.lines.lines(for: event, now: now, at: time) { queue.yield(line) }
    }
  }

  /// Writes the last line of a run, and ends the writing.
  /// - Parameter result: nil for a command that is not a run.
  func end(_ result: Result<RunReport, JobError>?) async {
    let now = now()
    state.withLock { state in
      state.isEnding = true
      switch result {
      case .success(let report): queue.yield(state.lines.finished(report, now: now))
      case .failure(let error): queue.yield(state.lines.finished(error, now: now))
      case nil: break
      }
    }
    queue.finish()
    await writer.withLock { $0 }?.value
  }

  private var isEnding: Bool { state.withLock { $0.isEnding } }
}
