// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The thread that owns every libcurl handle, as the executor of the actors that use them (docs/decisions/0004).
///
/// An actor returns `loop.asUnownedSerialExecutor()` from its `unownedExecutor`: its code then runs on this thread, and
/// receivers and timers are called inside its isolation. Transfers and timers may be asked for on this thread only,
/// which is checked.
package final class CurlLoop: SerialExecutor {
  /// Why there can be no loop.
  package enum Unavailable: Error, Equatable, Sendable {
    case noLibcurl
    /// The system refuses another thread.
    case noThread(errno: Int32)
  }

  /// What belongs to the loop's thread. Unchecked, for no type can say so: every way to it leads through `onLoop`, or
  /// is the thread's own run.
  private final class Confined: @unchecked Sendable {
    let timers = TimerQueue()
    let table: TransferTable

    init(_ multi: MultiHandle) { table = TransferTable(multi: multi, timers: timers) }
  }

  private let inbox: LoopInbox
  private let confined: Confined
  private let thread = Mutex<LoopThread?>(nil)
  /// The `pthread_t` of the thread that runs the loop's code now; 0 for none.
  private let runner = Atomic<UInt>(0)

  /// Starts the thread, which lives until `shutdown`.
  package init() throws(Unavailable) {
    let multi = try MultiHandle()
    inbox = LoopInbox(multi)
    confined = Confined(multi)
    let thread = try LoopThread { self.run() }
    self.thread.withLock { $0 = thread }
  }

  /// Ends every transfer with `TransferError.cancelled`, drops the timers, runs the jobs that wait, frees every handle
  /// and joins the thread. Later jobs still run, later transfers end as cancelled, later timers never fire.
  package func shutdown() async {
    await withCheckedContinuation { inbox.askToStop($0) }
    thread.withLock { $0 }?.join()
  }
}

// MARK: - Transfers and timers, on the loop's thread

extension CurlLoop {
  /// Keeps the number of connections, idle ones included, below both limits from the next one on. A transfer for which
  /// there is none waits, however long; its time limits begin when it has one.
  package func limitConnections(total: Int, perHost: Int) throws(TransferError) {
    precondition(isOnLoop, "only code on the loop's thread may use it")
    try confined.table.limitConnections(total: total, perHost: perHost)
  }

  /// `receiver` is held until its `finished`, which never comes before this returns.
  package func start(_ request: TransferRequest, _ receiver: any TransferReceiver) -> TransferID {
    onLoop { $0.table.start(request, receiver) }
  }

  /// Its receiver sees no more than `finished`, soon; nothing happens to a transfer that has ended.
  package func cancel(_ id: TransferID) { onLoop { $0.table.cancel(id) } }

  /// No body is delivered until `resume`; the server is slowed down by TCP. Over HTTP/2 libcurl may take up to 32 MiB
  /// meanwhile. The body may still end, or the connection break, only after `resume`.
  package func pause(_ id: TransferID) { onLoop { $0.table.pause(id) } }

  package func resume(_ id: TransferID) { onLoop { $0.table.resume(id) } }

  /// How fast all transfers together may receive their bodies from now on; nil: as fast as they come. What libcurl and
  /// the system have taken in beforehand counts when it is delivered.
  /// - Precondition: more than nothing.
  package func limit(bytesPerSecond: Int64?) { onLoop { $0.table.limit(bytesPerSecond: bytesPerSecond) } }

  /// Runs `action` on this thread, once, not before `delay` is over.
  @discardableResult
  package func after(_ delay: Duration, _ action: @escaping () -> Void) -> TimerID {
    onLoop { $0.timers.add(after: delay, action) }
  }

  package func cancel(_ id: TimerID) { onLoop { $0.timers.remove(id) } }

  private func onLoop<Value>(_ body: (Confined) -> Value) -> Value {
    precondition(isOnLoop, "only code on the loop's thread may use it")
    return body(confined)
  }
}

// MARK: - Executor

extension CurlLoop {
  /// Whether this code runs on the loop's thread.
  package var isOnLoop: Bool { runner.load(ordering: .relaxed) == UInt(LoopThread.current) }

  package func enqueue(_ job: consuming ExecutorJob) {
    guard inbox.put(UnownedJob(job)) else { return }
    do throws(Unavailable) {
      try LoopThread { self.runLateJobs() }.detach()
    } catch {
      // No thread to be had: a job that runs here beats one that never runs.
      runLateJobs()
    }
  }

  package func checkIsolated() { precondition(isOnLoop, "not on the loop's thread") }

  package func isIsolatingCurrentContext() -> Bool? { isOnLoop }
}

// MARK: - The run

extension CurlLoop {
  private func run() {
    runner.store(UInt(LoopThread.current), ordering: .relaxed)
    while !inbox.isStopping { turn() }
    inbox.forgetMulti()
    confined.timers.removeAll()
    confined.table.close()
    let waiters = runJobsUntilStopped()
    for waiter in waiters { waiter.resume() }
  }

  /// Timers come after the sockets, so that bytes which arrived while a job took long count before a stall is judged.
  private func turn() {
    runJobs()
    confined.table.settle()
    confined.table.perform()
    confined.timers.fire(at: SuspendingClock.now)
    guard !confined.table.hasChanges, inbox.fallAsleep() else { return }
    confined.table.poll(milliseconds: Self.milliseconds(until: confined.timers.nextDeadline))
    inbox.wakeUp()
  }

  private func runJobs() {
    for job in inbox.takeJobs() { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// The thread of a loop that has ended.
  private func runLateJobs() {
    runner.store(UInt(LoopThread.current), ordering: .relaxed)
    _ = runJobsUntilStopped()
  }

  private func runJobsUntilStopped() -> [CheckedContinuation<Void, Never>] {
    while true {
      runJobs()
      confined.table.settle()
      guard !confined.table.hasChanges else { continue }
      // Under the inbox's lock another thread could begin before this one has let go of its name.
      let me = runner.exchange(0, ordering: .relaxed)
      if let waiters = inbox.stopIfEmpty() { return waiters }
      runner.store(me, ordering: .relaxed)
    }
  }

  /// Rounded up: a poll that ends before the deadline would spin.
  private static func milliseconds(until deadline: SuspendingClock.Instant?) -> Int32 {
    guard let deadline else { return .max }
    let (seconds, attoseconds) = max(.zero, SuspendingClock.now.duration(to: deadline)).components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
