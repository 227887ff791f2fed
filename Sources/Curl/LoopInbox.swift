// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What other threads put before the loop: jobs to run and the wish that it end. Safe to use from any thread.
final class LoopInbox: Sendable {
  private enum Mode {
    /// Exits: `stopping`.
    case running
    /// Somebody waits for the end. Exits: `stopped`.
    case stopping
    /// Only late jobs run, on threads of their own, one at a time. No exit.
    case stopped(isRunningLateJobs: Bool)
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var mode = Mode.running
    var isAsleep = false
    /// Nil once it is freed.
    var multi: MultiHandle?
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ multi: MultiHandle) { state = Mutex(State(multi: multi)) }

  /// - Returns: whether a thread must be started for it, since the loop's own has ended.
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

  /// Inside the lock, for the multi handle is freed under it.
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

  /// - Returns: false if there is something to do instead.
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

  /// Lets go of the multi handle, which frees it.
  func forgetMulti() { state.withLock { $0.multi = nil } }

  /// - Returns: those who wait for the end; nil if there are jobs left.
  func stopIfEmpty() -> [CheckedContinuation<Void, Never>]? {
    state.withLock { state in
      guard state.jobs.isEmpty else { return nil }
      state.mode = .stopped(isRunningLateJobs: false)
      defer { state.waiters = [] }
      return state.waiters
    }
  }
}
