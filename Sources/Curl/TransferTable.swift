// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The transfers of one loop and libcurl's handles for them. Confined to the loop's thread.
///
/// libcurl forbids adding and removing handles inside its callbacks, but receivers may ask for both there, so such
/// requests wait until `settle`.
final class TransferTable {
  private enum Change {
    case add(ActiveTransfer)
    case end(TransferID)
    case resume(TransferID)
    /// The transfer could not be prepared.
    case refuse(any TransferReceiver, TransferError)
  }

  /// Nil after the table is closed.
  private var multi: MultiHandle?
  private let timers: TimerQueue
  private var active: [TransferID: ActiveTransfer] = [:]
  /// The receivers of transfers that have a place and no request yet.
  private var reserved: [TransferID: any TransferReceiver] = [:]
  private var changes: [Change] = []
  private let sockets = OpenSockets()
  private let throttle: Throttle
  private let turn = LoopTurn()
  private var idle: [EasyHandle] = []
  private var lastNumber: UInt64 = 0
  /// The start of the latest `perform`. Bytes that had not arrived by then are late through no fault of the loop.
  private var performedAt = SuspendingClock.now

  private static let maximumIdle = 64

  init(multi: MultiHandle, timers: TimerQueue) {
    self.multi = multi
    self.timers = timers
    throttle = Throttle(timers: timers)
    throttle.release = { [unowned self] id in
      if active[id]?.endThrottling() == true { changes.append(.resume(id)) }
    }
  }

  /// Limits all transfers together from now on. Nil removes the limit.
  func limit(bytesPerSecond: Int64?) { throttle.setLimit(bytesPerSecond) }

  func took(_ bytes: Int) -> Duration? { throttle.took(bytes) }

  var hasChanges: Bool { !changes.isEmpty || turn.hasWaiting }

  func limitConnections(total: Int, perHost: Int) throws(TransferError) {
    try multi?.limitConnections(total: total, perHost: perHost)
  }

  func start(_ request: TransferRequest, _ receiver: any TransferReceiver) -> TransferID {
    let id = reserve(receiver)
    start(id, request)
    return id
  }

  /// Gives a transfer its place, from which on it can be cancelled.
  func reserve(_ receiver: any TransferReceiver) -> TransferID {
    lastNumber += 1
    let id = TransferID(number: lastNumber)
    reserved[id] = receiver
    return id
  }

  /// Gives a transfer that has ended its place back.
  func reserve(_ id: TransferID, _ receiver: any TransferReceiver) {
    reserved[id] = receiver
    if multi == nil { cancel(id) }
  }

  /// Starts a transfer in its place. Does nothing if it was cancelled.
  func start(_ id: TransferID, _ request: TransferRequest) {
    guard let receiver = reserved.removeValue(forKey: id) else { return }
    changes.append(prepare(id, request, receiver))
  }

  /// Gives up a place that no request has taken.
  /// - Returns: False if the transfer was cancelled.
  func release(_ id: TransferID) -> Bool { reserved.removeValue(forKey: id) != nil }

  private func prepare(_ id: TransferID, _ request: TransferRequest, _ receiver: any TransferReceiver) -> Change {
    guard let multi else { return .refuse(receiver, .cancelled) }
    guard let handle = idle.popLast() ?? EasyHandle(multi.curl) else { return .refuse(receiver, .outOfMemory) }
    let transfer = ActiveTransfer(
      id: id, handle: handle, request: request, receiver: receiver, sockets: sockets, throttle: throttle,
      turn: turn)
    do throws(TransferError) {
      try handle.apply(request)
      try handle.connect(to: transfer)
    } catch {
      return .refuse(receiver, error)
    }
    active[id] = transfer
    return .add(transfer)
  }

  /// Cancels a transfer. No head or body follows. `finished` follows soon, unless it came already.
  func cancel(_ id: TransferID) {
    if let receiver = reserved.removeValue(forKey: id) { changes.append(.refuse(receiver, .cancelled)) }
    guard let transfer = active[id] else { return }
    transfer.fail(.cancelled)
    changes.append(.end(id))
  }

  func pause(_ id: TransferID) { active[id]?.pause() }

  func resume(_ id: TransferID) { if active[id]?.resume() == true { changes.append(.resume(id)) } }

  /// Applies the requests made since the last call. Requests made meanwhile wait for the next call.
  func settle() {
    for id in turn.begin() where active[id]?.endYielding() == true { changes.append(.resume(id)) }
    let due = changes
    changes = []
    for change in due {
      switch change {
      case .add(let transfer): add(transfer)
      case .end(let id): if let transfer = active[id] { finish(transfer, CURLE_OK) }
      case .resume(let id): unpause(id)
      case .refuse(let receiver, let error): receiver.finished(.failed(error))
      }
    }
  }

  private func add(_ transfer: ActiveTransfer) {
    // The transfer was cancelled before it began.
    guard active[transfer.id] != nil, transfer.ownFailure == nil else { return }
    do throws(TransferError) {
      try multi?.add(transfer.handle)
      watchStall(transfer, for: transfer.request.stallTimeout)
    } catch {
      transfer.fail(error)
      finish(transfer, CURLE_OK)
    }
  }

  private func unpause(_ id: TransferID) {
    guard let transfer = active[id], transfer.ownFailure == nil else { return }
    let code = transfer.handle.unpause()
    if code != CURLE_OK { finish(transfer, code) }
  }

  /// Moves bytes, then notifies the receivers whose transfers ended.
  func perform() {
    performedAt = SuspendingClock.now
    guard let multi else { return }
    failAll { () throws(TransferError) in try multi.perform() }
    while let (raw, code) = multi.nextEnd() {
      if let transfer = EasyHandle.transfer(of: raw, multi.curl) { finish(transfer, code) }
    }
  }

  /// Waits until there are bytes to move or work to do, or until the timeout.
  func poll(milliseconds: Int32) {
    failAll { () throws(TransferError) in try multi?.poll(milliseconds: milliseconds) }
  }

  /// Ends every transfer if the operation on the multi handle fails.
  private func failAll(unlessDone operation: () throws(TransferError) -> Void) {
    do throws(TransferError) { try operation() } catch { endAll(with: error) }
  }

  private func endAll(with failure: TransferError) {
    for transfer in active.values.sorted(by: { $0.id.number < $1.id.number }) {
      transfer.fail(failure)
      finish(transfer, CURLE_OK)
    }
  }

  private func finish(_ transfer: ActiveTransfer, _ code: CURLcode) {
    guard active.removeValue(forKey: transfer.id) != nil else { return }
    if let timer = transfer.stallTimer { timers.remove(timer) }
    throttle.forget(transfer.id)
    guard transfer.ownFailure != .unaskedBytes else { return startAfresh(transfer) }
    let result = transfer.result(of: code)
    multi?.remove(transfer.handle)
    // The handle of a failed transfer is not reused.
    if case .completed = result, idle.count < Self.maximumIdle, transfer.handle.reset() {
      idle.append(transfer.handle)
    }
    transfer.receiver.finished(result)
  }

  /// Starts the transfer again.
  /// The old connection cannot be trusted; a new one of its own carries no answer to another request.
  private func startAfresh(_ transfer: ActiveTransfer) {
    multi?.remove(transfer.handle)
    let change = prepare(transfer.id, transfer.request, transfer.receiver)
    changes.append(change)
    guard case .add(let again) = change else { return }
    do throws(TransferError) { try again.handle.avoidReuse() } catch {
      again.fail(error)
      changes.append(.end(again.id))
    }
  }

  /// Used because libcurl averages low speed over some six seconds. This timer is exact.
  private func watchStall(_ transfer: ActiveTransfer, for wait: Duration) {
    transfer.stallTimer = timers.add(after: max(.milliseconds(1), wait)) { [unowned self] in judgeStall(transfer) }
  }

  private func judgeStall(_ transfer: ActiveTransfer) {
    let limit = transfer.request.stallTimeout
    // While connecting, libcurl's own limit applies. A transfer that is held has a reason for its silence.
    guard let last = transfer.lastActivity, !transfer.isHeld else { return watchStall(transfer, for: limit) }
    let deadline = last + limit
    guard performedAt < deadline else {
      transfer.fail(.stalled(after: limit))
      return finish(transfer, CURLE_OK)
    }
    watchStall(transfer, for: SuspendingClock.now.duration(to: deadline))
  }

  /// Cancels every running transfer and frees every handle. No transfer can start afterwards.
  func close() {
    let last = multi
    multi = nil
    for transfer in active.values { last?.remove(transfer.handle) }
    endAll(with: .cancelled)
    for id in reserved.keys.sorted(by: { $0.number < $1.number }) { cancel(id) }
    while hasChanges { settle() }
    idle = []
  }
}
