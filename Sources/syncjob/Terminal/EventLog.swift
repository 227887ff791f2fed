// SPDX-License-Identifier: Apache-2.0
import Glibc
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

/// The destination of event lines: a file, to which they are appended, or standard output.
struct EventSink: Sendable {
  let name: String
  private let descriptor: Int32

  /// The reason why a line could not be written; `code` is nil if no reader took it in time.
  struct Problem: Error {
    var code: ErrnoCode?
  }

  static let standardOutput = EventSink(name: "standard output", descriptor: STDOUT_FILENO)

  private init(name: String, descriptor: Int32) {
    self.name = name
    self.descriptor = descriptor
  }

  /// Opens the file. A named pipe without a reader is refused at once.
  init(path: String) throws(Problem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else { throw Problem(code: ErrnoCode(errno)) }
    self.init(name: path, descriptor: descriptor)
    endTornLine(path)
  }

  /// Ends a torn line: a run that was stopped in the middle of a line would spoil the next one, too.
  private func endTornLine(_ path: String) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else { return }
    let reader = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    // Without permission to read, writing goes on.
    guard reader >= 0 else { return }
    defer { close(reader) }
    var last: UInt8 = 0
    guard pread(reader, &last, 1, facts.st_size - 1) == 1, last != UInt8(ascii: "\n") else { return }
    var end = UInt8(ascii: "\n")
    // If this write fails, so does the first event, which is reported.
    _ = Glibc.write(descriptor, &end, 1)
  }

  /// Writes a line with one call, unless it is larger than a pipe takes.
  /// - Parameter wait: waits a moment for a slow reader; false gives up.
  func write(_ line: [UInt8], wait: () async -> Bool) async throws(Problem) {
    var rest = line[...]
    while !rest.isEmpty {
      // Standard output may be a pipe that we must not make non-blocking.
      guard isReady else {
        guard await wait() else { throw Problem(code: nil) }
        continue
      }
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard await wait() else { throw Problem(code: nil) }
      } else if errno != EINTR {
        throw Problem(code: ErrnoCode(errno))
      }
    }
  }

  private var isReady: Bool {
    var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&interest, 1, 0) != 0
  }

  func end() { if descriptor != STDOUT_FILENO { close(descriptor) } }
}

extension EventSink.Problem {
  /// True for a problem that does not affect the run's own work: a full disk, a pipe without a reader.
  var isTransient: Bool {
    guard let code else { return true }
    return [ENXIO, ENOSPC, EDQUOT, EROFS, EIO].contains(code.code)
  }
}
