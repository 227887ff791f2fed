// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The thread that owns every libcurl handle, as the executor of the actors that use them (docs/decisions/0004).
///
/// An actor that returns `loop.asUnownedSerialExecutor()` from its `unownedExecutor` runs on this thread, and receivers
/// and timers are called inside its isolation. Transfers and timers may be used on this thread only, which is checked.
package final class CurlLoop: SerialExecutor {
  /// The reason why a loop cannot start.
  package enum Unavailable: Error, Equatable, Sendable {
    /// libcurl is not on this machine or cannot be used. `detail` is the dynamic loader's own text, or the reason.
    case noLibcurl(detail: String)
    /// The system refuses to start another thread.
    case noThread(errno: Int32)
  }

  /// The state that is confined to the loop's thread. Unchecked because no type can express this: all access goes
  /// through `onLoop` or comes from the thread's own run.
  private final class Confined: @unchecked Sendable {
    let timers = TimerQueue()
    let table: TransferTable

    init(_ multi: MultiHandle) { table = TransferTable(multi: multi, timers: timers) }
  }

  private let inbox: LoopInbox
  private let confined: Confined
  private let thread = Mutex<LoopThread?>(nil)
  /// The `pthread_t` of the thread that runs the loop's code now, or 0 for none.
  private let runner = Atomic<UInt>(0)

  /// Starts the thread, which lives until `shutdown`.
  package init() throws(Unavailable) {
    let multi = try MultiHandle()
    inbox = LoopInbox(multi)
    confined = Confined(multi)
    let thread = try LoopThread { self.run() }
    self.thread.withLock { $0 = thread }
  }

  /// Ends every transfer with `TransferError.cancelled`, drops the timers, runs the waiting jobs, frees every handle
  /// and joins the thread. Later jobs still run, later transfers end as cancelled and later timers never fire.
  package func shutdown() async {
    await withCheckedContinuation { inbox.askToStop($0) }
    thread.withLock { $0 }?.join()
  }
}

// MARK: - Transfers and timers, on the loop's thread

extension CurlLoop {
  /// Keeps the number of connections, including idle ones, within both limits from the next connection on. A transfer
  /// without a connection waits as long as it must; its time limits start when it gets one.
  package func limitConnections(total: Int, perHost: Int) throws(TransferError) {
    precondition(isOnLoop, "only code on the loop's thread may use it")
    try confined.table.limitConnections(total: total, perHost: perHost)
  }

  /// Starts a transfer. The loop holds `receiver` until its `finished`, which never comes before this method returns.
  package func start(_ request: TransferRequest, _ receiver: any TransferReceiver) -> TransferID {
    onLoop { $0.table.start(request, receiver) }
  }

  /// Gives a transfer its id before it has a request. `cancel` ends it from now on.
  package func reserve(_ receiver: any TransferReceiver) -> TransferID { onLoop { $0.table.reserve(receiver) } }

  /// The same for the id of a transfer that has just ended, to repeat it.
  package func reserve(_ id: TransferID, _ receiver: any TransferReceiver) { onLoop { $0.table.reserve(id, receiver) } }

  /// Starts a transfer whose id is reserved. Does nothing if it was cancelled.
  package func start(_ id: TransferID, _ request: TransferRequest) { onLoop { $0.table.start(id, request) } }

  /// Gives up an id that is reserved. The receiver hears nothing.
  /// - Returns: False if the transfer was cancelled.
  package func release(_ id: TransferID) -> Bool { onLoop { $0.table.release(id) } }

  /// Cancels a transfer. Its receiver then gets only `finished`, soon. Does nothing if the transfer has ended.
  package func cancel(_ id: TransferID) { onLoop { $0.table.cancel(id) } }

  /// Stops the delivery of body bytes until `resume`; TCP slows the server down. Over HTTP/2 libcurl may still buffer
  /// up to 32 MiB. The end of the body or a broken connection may be reported only after `resume`.
  package func pause(_ id: TransferID) { onLoop { $0.table.pause(id) } }

  package func resume(_ id: TransferID) { onLoop { $0.table.resume(id) } }

  /// Limits the rate at which all transfers together receive their bodies; nil means no limit. Bytes that libcurl and
  /// the system have already buffered count when they are delivered.
  /// - Precondition: `bytesPerSecond` is positive.
  package func limit(bytesPerSecond: Int64?) { onLoop { $0.table.limit(bytesPerSecond: bytesPerSecond) } }

  /// Counts bytes that another program has received towards the same limit.
  /// - Returns: The time to wait before more are taken from it, or nil for no wait.
  package func took(_ bytes: Int) -> Duration? { onLoop { $0.table.took(bytes) } }

  /// Runs `action` once on this thread, after at least `delay`.
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
  /// True if this code runs on the loop's thread.
  package var isOnLoop: Bool { runner.load(ordering: .relaxed) == UInt(LoopThread.current) }

  package func enqueue(_ job: consuming ExecutorJob) {
    guard inbox.put(UnownedJob(job)) else { return }
    do throws(Unavailable) {
      try LoopThread { self.runLateJobs() }.detach()
    } catch {
      // No thread is available. A job that runs here is better than one that never runs.
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

  /// Timers come after the sockets: bytes that arrived during a long job must count before a stall is judged.
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

  /// The body of a thread that runs jobs after the loop has ended.
  private func runLateJobs() {
    runner.store(UInt(LoopThread.current), ordering: .relaxed)
    _ = runJobsUntilStopped()
  }

  private func runJobsUntilStopped() -> [CheckedContinuation<Void, Never>] {
    while true {
      runJobs()
      confined.table.settle()
      guard !confined.table.hasChanges else { continue }
      // The name is given up before the inbox's lock: inside it, another thread
      // could begin while this one still holds the name.
      let me = runner.exchange(0, ordering: .relaxed)
      if let waiters = inbox.stopIfEmpty() { return waiters }
      runner.store(me, ordering: .relaxed)
    }
  }

  /// Rounds up, because a poll that ends before the deadline would spin.
  private static func milliseconds(until deadline: SuspendingClock.Instant?) -> Int32 {
    guard let deadline else { return .max }
    let (seconds, attoseconds) = max(.zero, SuspendingClock.now.duration(to: deadline)).components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
