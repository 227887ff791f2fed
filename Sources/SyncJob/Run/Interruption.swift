// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import Synchronization

/// The exit status that the first signal asks for, once there is one.
///
/// The signal cancels the run's task: whatever waits stops waiting, nothing new begins, and running work is stopped in
/// order. There is no second way to stop a run.
final class Interruption: Sendable {
  private let first = Mutex<(status: ExitStatus, stopwatch: Stopwatch)?>(nil)
  /// Leaves enough time for the remaining steps before the run is cut off.
  private static let patience = Duration.milliseconds(800)

  var status: ExitStatus? { first.withLock { $0?.status } }

  /// True if the end has taken so long, on a slow disk, that nothing is written any more that the next run does not
  /// need.
  var isLate: Bool { first.withLock { $0.map { $0.stopwatch.elapsed > Self.patience } ?? false } }

  /// Runs `body` to its end, cancelled by the first of `stops`.
  static func watching<Success: Sendable>(
    _ stops: AsyncStream<ExitStatus>,
    _ body: @escaping @Sendable (Interruption) async throws(JobError) -> Success
  ) async throws(JobError) -> Success {
    let interruption = Interruption()
    let result = await withTaskGroup(of: Result<Success, JobError>?.self) { group -> Result<Success, JobError>? in
      group.addTask {
        do throws(JobError) { return .success(try await body(interruption)) } catch {
          guard case .interrupted = error, let status = interruption.status else { return .failure(error) }
          return .failure(.interrupted(status))
        }
      }
      group.addTask {
        for await status in stops {
          interruption.first.withLock { $0 = (status, Stopwatch()) }
          break
        }
        return nil
      }
      while let ended = await group.next() {
        if ended != nil || interruption.status != nil { group.cancelAll() }
        if let ended { return ended }
      }
      return nil
    }
    guard let result else { preconditionFailure("the task of the body has a result") }
    return try result.get()
  }
}
