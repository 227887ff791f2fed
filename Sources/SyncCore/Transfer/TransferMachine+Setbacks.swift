// SPDX-License-Identifier: Apache-2.0

/// The end of a candidate: another attempt, the next candidate, or the end of the transfer.
extension TransferMachine {
  mutating func setback(
    _ failure: Failure, _ trial: Trial, _ context: TransferContext
  ) -> [TransferAction] {
    let disposition = failure.disposition
    if disposition.next == .stopRun { return finish(.stopRun(failure, partial: partial)) }
    var actions: [TransferAction] = []
    if failure.spoilsPartial || saysNothing, hasReceived, let spoiled = partial {
      actions.append(.discard(spoiled))
      partial = nil
      // In bytes combined from two responses either may be wrong, so the file is fetched once more in one piece.
      if case .checksum = failure, trial.range != nil { return actions + requestWhole(trial, context) }
    }
    if setbacks.last?.candidate == trial.candidate { setbacks.removeLast() }
    setbacks.append(Setback(candidate: trial.candidate, failure: failure))
    if let delay = rules.retry.delay(after: failure, requests: trial.requests, chance: context.chance),
      !context.isFailing(urlOf(trial.candidate).origin)
    {
      return actions + retry(trial, after: delay, context)
    }
    finishedRequests += trial.requests
    return actions + (disposition.next == .giveUp ? finish(.failed(summary())) : tryNext(context))
  }

  /// Leaves a candidate whose next request will not go out. A request that was to be repeated has failed before; a
  /// candidate that was never asked does not count as failed.
  mutating func leave(_ origin: RemoteURL.Origin, _ trial: Trial, _ context: TransferContext) -> [TransferAction] {
    finishedRequests += trial.requests - 1
    leftAlone[trial.candidate] = origin
    if case .askedToWait(let failure, let until)? = context.breakers[origin] {
      return finish(.deferredByServer(failure, until: until, partial: partial))
    }
    return tryNext(context)
  }

  /// Continues with the next candidate, or ends. An item with an untried candidate has not failed.
  mutating func tryNext(_ context: TransferContext) -> [TransferAction] {
    let left = usableCandidates.filter { candidate in !setbacks.contains { $0.candidate == candidate } }
    let untried = left.filter { !isSearch($0) }
    // After a continued partial, the next candidate need not be the one that follows it in order.
    if let next = untried.first(where: { leftAlone[$0] == nil && context.breakers[urlOf($0).origin] == nil }) {
      return request(Trial(candidate: next), context)
    }
    guard let closed = untried.first else {
      // A candidate that was left alone has not failed, so that nothing takes its place.
      if !hasSearched, let search = left.first(where: isSearch) { return request(Trial(candidate: search), context) }
      return finish(.failed(summary()))
    }
    let origin = leftAlone[closed] ?? urlOf(closed).origin
    if case .askedToWait(let failure, let until)? = context.breakers[origin] {
      return finish(.deferredByServer(failure, until: until, partial: partial))
    }
    return finish(.deferredByHost(origin, partial: partial))
  }

  /// The origin of the next request, while the machine is between two requests.
  package var waitsFor: RemoteURL.Origin? {
    if case .waiting(let trial) = state { urlOf(trial.candidate).origin } else { nil }
  }

  /// True if the partial has no bytes and no expected size.
  private var saysNothing: Bool { partial.map { $0.received == .zero && $0.total == nil } ?? false }

  /// True if the failure is about bytes of the partial and not about a response that was never written.
  private var hasReceived: Bool {
    switch state {
    case .receiving, .checking, .preparing: true
    default: false
    }
  }

  mutating func retry(_ trial: Trial, after delay: Duration, _ context: TransferContext) -> [TransferAction] {
    var next = trial
    next.requests += 1
    next.fillsFrom = nil
    state = .waiting(next)
    return [.recordRetry(attempt(trial), nextAttemptAt: context.now + delay), .wait(delay)]
  }

  func summary() -> TransferFailure {
    let isTemporary = setbacks.contains(where: \.failure.disposition.isTemporary)
    let ofThatKind = setbacks.filter { $0.failure.disposition.isTemporary == isTemporary }
    let decisive = ofThatKind.min { $0.candidate < $1.candidate } ?? setbacks[0]
    return TransferFailure(
      failure: decisive.failure, isTemporary: isTemporary, candidate: decisive.candidate, requests: finishedRequests,
      partial: partial)
  }
}

extension Failure {
  /// True if the bytes on disk do not belong to the item, so that they cannot be continued.
  fileprivate var spoilsPartial: Bool {
    switch self {
    case .notMedia, .checksum, .size, .duration, .tooLarge, .tooLargeForFileSystem: true
    default: false
    }
  }
}
