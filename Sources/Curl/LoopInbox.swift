// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The jobs and the stop request that other threads pass to the loop. Safe to use from any thread.
final class LoopInbox: Sendable {
  private enum Mode {
    /// Exits: `stopping`.
    case running
    /// At least one waiter awaits the end. Exits: `stopped`.
    case stopping
    /// Only late jobs run, one at a time, on threads of their own. No exit.
    case stopped(isRunningLateJobs: Bool)
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var mode = Mode.running
    var isAsleep = false
    /// Nil after it has been freed.
    var multi: MultiHandle?
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ multi: MultiHandle) { state = Mutex(State(multi: multi)) }

  /// - Returns: True if a thread must be started for the job because the loop's own thread has ended.
  func put(_ job: UnownedJob) -> Bool {
    state.withLock { state in
      state.jobs.append(job)
      guard case .stopped(let isRunningLateJobs) = state.mode else {
        Self.wake(&state)
        return false
      }
      state.mode = .stopped(isRunningLateJobs: true)
      return !isRunningLateJobs
    }
  }

  /// Called inside the lock, because the multi handle is freed under it.
  private static func wake(_ state: inout State) {
    guard state.isAsleep else { return }
    state.isAsleep = false
    state.multi?.wake()
  }

  func takeJobs() -> [UnownedJob] {
    state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  /// - Returns: False if there is work to do first.
  func fallAsleep() -> Bool {
    state.withLock { state in
      guard state.jobs.isEmpty, case .running = state.mode else { return false }
      state.isAsleep = true
      return true
    }
  }

  func wakeUp() { state.withLock { $0.isAsleep = false } }

  var isStopping: Bool {
    state.withLock { state in
      if case .running = state.mode { false } else { true }
    }
  }

  /// `waiter` resumes when the loop has ended.
  func askToStop(_ waiter: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      if case .stopped = state.mode { return true }
      state.mode = .stopping
      state.waiters.append(waiter)
      Self.wake(&state)
      return false
    }
    if isOver { waiter.resume() }
  }

  /// Releases the multi handle, which frees it.
  func forgetMulti() { state.withLock { $0.multi = nil } }

  /// - Returns: The continuations that await the end, or nil if jobs are left.
  func stopIfEmpty() -> [CheckedContinuation<Void, Never>]? {
    state.withLock { state in
      guard state.jobs.isEmpty else { return nil }
      state.mode = .stopped(isRunningLateJobs: false)
      defer { state.waiters = [] }
      return state.waiters
    }
  }
}
