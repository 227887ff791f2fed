// SPDX-License-Identifier: Apache-2.0

/// The transfer of one item as a state machine: events in, actions out.
/// It does no I/O, reads no clock and draws no random numbers.
package struct TransferMachine: Sendable {
  private enum State: Equatable {
    /// Not started. Exits: `requesting`; `finished` (stopped, or failed beforehand).
    case ready
    /// A request is out. Exits: itself (redirect, restart without range), `receiving`, `checking` (already whole),
    /// `waiting`, the next candidate's `requesting`, `finished`.
    case requesting(Trial, Redirects)
    /// The body is being written. Exits: `requesting` (same or next candidate), `checking`, `waiting`, `finished`.
    case receiving(Trial)
    /// Between two requests. Exits: `requesting` (same or next candidate), `finished`.
    case waiting(Trial)
    /// The bytes are being hashed. Exits: `publishing`, `waiting`, `requesting` (same or next candidate), `finished`.
    case checking(Trial)
    /// The file is being published. Exits: `finished`; after a failure `waiting` or the next candidate's `requesting`.
    case publishing(Trial)
    /// All events are ignored. No exit.
    case finished
  }

  /// One candidate being tried.
  private struct Trial: Equatable {
    var candidate: Int
    /// The number of requests begun, without redirects.
    var requests = 1
    /// True if the server's response to a range request could not be used.
    var rangeRefused = false
    var range: RangeRequest?
    /// The position from which this request fetches bytes that additional requests left out. Nil for any other request.
    var fillsFrom: ByteCount?
    /// The largest overlap when the candidate is continued.
    var overlap = PartialDownload.overlap
  }

  private struct Setback {
    var candidate: Int
    var failure: Failure
  }

  private let task: TransferTask
  private let rules: TransferRules
  private let makePartialName: @Sendable (RemoteURL) -> String
  private var state: State = .ready
  private var partial: PartialDownload?
  /// The last failure of each candidate tried.
  private var setbacks: [Setback] = []
  private var finishedRequests = 0
  /// Hosts whose responses to range requests could not be used. They are asked for whole files.
  package var distrustedHosts: Set<String> = []
  /// The number of overlap bytes received in the current response.
  package var repeated = ByteCount.zero
  /// The largest overlap that may be requested if a validator vouches for the rest.
  package var overlapLimit = PartialDownload.overlap
  /// Origins that are blocked for the rest of the run.
  package var closures: [RemoteURL.Origin: HostBook.Closure] = [:]
  /// Candidates that were not tried to the end because an origin on their way is blocked.
  private var leftAlone: [Int: RemoteURL.Origin] = [:]

  /// - Parameter partialName: Returns the file name of the partial for a candidate's URL.
  package init(
    _ task: TransferTask, rules: TransferRules, partialName: @escaping @Sendable (RemoteURL) -> String
  ) {
    self.task = task
    self.rules = rules
    makePartialName = partialName
    partial = task.partial
  }

  /// Returns the actions for `event`.
  /// - Parameter chance: A random number from 0 up to 1, for the jitter of a delay.
  package mutating func handle(_ event: TransferEvent, now: Timestamp, chance: Double) -> [TransferAction] {
    switch (event, state) {
    case (_, .finished): return []
    case (.started, .ready): return begin()
    // It is known beforehand that the file could not be put in its place.
    case (.failed(let failure, _), .ready):
      setbacks = [Setback(candidate: 0, failure: failure)]
      return finish(.failed(summary()))
    // The rename may have happened already. A separate event reports its result.
    case (.stopped, .publishing): return []
    // A complete file costs no more bytes and little time.
    case (.limitReached, .publishing), (.limitReached, .checking): return []
    case (.limitReached(let limit), .requesting), (.limitReached(let limit), .receiving):
      return [.abandon] + finish(.deferredByLimit(limit, partial: partial))
    case (.limitReached(let limit), _): return finish(.deferredByLimit(limit, partial: partial))
    case (.refused, .requesting(let trial, let redirects)): return leave(redirects.current.origin, trial)
    case (.refused, .waiting(let trial)): return leave(urlOf(trial.candidate).origin, trial)
    case (.stopped, .requesting), (.stopped, .receiving): return [.abandon] + finish(.paused(partial: partial))
    case (.stopped, _): return finish(.paused(partial: partial))
    case (.headReceived(let facts), .requesting(let trial, let redirects)):
      return judge(facts, trial, redirects, now: now, chance: chance)
    case (.bodyEnded(let received), .receiving(let trial)): return bodyEnded(received, trial, now: now, chance: chance)
    case (.failed(let failure, let received), .receiving(let trial)):
      return brokeOff(failure, received, trial, now: now, chance: chance)
    case (.publicationPutOff, .publishing): return finish(.paused(partial: partial))
    case (.publicationStopped(let failure), .publishing): return finish(.stoppedPublishing(failure))
    case (.failed(let failure, _), .requesting(let trial, _)), (.failed(let failure, _), .checking(let trial)),
      (.failed(let failure, _), .publishing(let trial)):
      return setback(failure, trial, now: now, chance: chance)
    case (.waited, .waiting(let trial)): return request(trial)
    case (.checked(let file), .checking(let trial)): return publish(file, trial)
    case (.published(let file), .publishing(let trial)):
      return finish(.completed(file, requests: finishedRequests + trial.requests))
    case (.partsMissing(let received), .receiving(let trial)):
      return fillIn(from: received, trial, now: now, chance: chance)
    case (.overlapDiffered, .receiving(let trial)): return [.abandon] + requestWhole(trial)
    case (.roomRefused(let shortage), .receiving):
      // A useless partial would only take up the missing space.
      guard let partial, partial.isUseless(hasChecksum: task.checksum != nil) else {
        return [.abandon] + finish(.deferredForRoom(shortage, partial: partial))
      }
      return [.abandon, .discard(partial)] + finish(.deferredForRoom(shortage, partial: nil))
    default:
      // An event that crossed a decision on its way, such as the end of the body of an abandoned request.
      return []
    }
  }

  // MARK: Requests

  private mutating func begin() -> [TransferAction] {
    guard let partial, let candidate = usableCandidates.first(where: { urlOf($0) == partial.url }) else {
      let discarded = self.partial.map { [TransferAction.discard($0)] } ?? []
      self.partial = nil
      return discarded + request(Trial(candidate: 0))
    }
    // Bytes that cannot be continued are no reason to start with a candidate other than the first.
    return request(Trial(candidate: range(for: partial.url) == nil ? 0 : candidate))
  }

  private var usableCandidates: Range<Int> { 0..<(rules.mayUseAlternatives ? task.candidates.count : 1) }

  private func urlOf(_ candidate: Int) -> RemoteURL { task.candidates[candidate].candidate.url }

  private mutating func request(_ trial: Trial) -> [TransferAction] {
    var trial = trial
    let url = urlOf(trial.candidate)
    trial.range = trial.rangeRefused ? nil : range(for: url, overlap: trial.overlap)
    state = .requesting(trial, Redirects(from: url))
    return [.record(attempt(trial)), .send(url, range: trial.range)]
  }

  private mutating func requestWhole(_ trial: Trial) -> [TransferAction] {
    var trial = trial
    trial.rangeRefused = true
    return request(trial)
  }

  /// Requests the bytes that additional requests did not fetch. This uses up none of the candidate's retries as long as
  /// it makes progress.
  private mutating func fillIn(
    from received: ByteCount, _ trial: Trial, now: Timestamp, chance: Double
  ) -> [TransferAction] {
    partial?.received = received
    let total = partial?.total ?? received
    if let before = trial.fillsFrom, received <= before {
      return setback(.shortBody(received: received, expected: total), trial, now: now, chance: chance)
    }
    var trial = trial
    trial.fillsFrom = received
    return request(trial)
  }

  /// The range that may be continued: bytes of exactly this URL that can be proved to belong to the same file.
  private func range(for url: RemoteURL, overlap: ByteCount = PartialDownload.overlap) -> RangeRequest? {
    guard rules.mayResume, !distrustedHosts.contains(url.host), let partial, partial.url == url else { return nil }
    return partial.continuation(hasChecksum: task.checksum != nil, overlap: min(overlap, overlapLimit))
  }

  private func attempt(_ trial: Trial) -> Attempt {
    Attempt(candidate: trial.candidate, attempts: trial.requests, partial: partial)
  }

  // MARK: Responses

  private mutating func judge(
    _ facts: ResponseFacts, _ trial: Trial, _ redirects: Redirects, now: Timestamp, chance: Double
  ) -> [TransferAction] {
    switch facts.verdict(asked: trial.range, now: now) {
    case .receive(let offset, let total):
      return receive(facts, from: redirects.current.host, offset, total, trial, now: now, chance: chance)
    case .alreadyComplete: return [.abandon] + check(trial)
    case .restart: return [.abandon, .distrustRanges(host: redirects.current.host)] + requestWhole(trial)
    case .redirect(let target):
      var redirects = redirects
      do throws(Failure) { try redirects.follow(target) } catch {
        return [.abandon] + setback(rules.mask.masked(error), trial, now: now, chance: chance)
      }
      state = .requesting(trial, redirects)
      return [.abandon, .send(redirects.current, range: trial.range)]
    case .fail(_) where trial.fillsFrom != nil && trial.range != nil: return [.abandon] + requestWhole(trial)
    case .fail(let failure): return [.abandon] + setback(failure, trial, now: now, chance: chance)
    case .wait(let failure, let wait):
      guard wait <= rules.retryAfterMax, trial.requests <= rules.retries else {
        return [.abandon] + finish(.deferredByServer(failure, until: now + wait, partial: partial))
      }
      return [.abandon] + retry(trial, atLeast: wait, now: now, chance: chance)
    }
  }

  private mutating func receive(
    _ facts: ResponseFacts, from host: String, _ offset: ByteCount, _ total: ByteCount?, _ trial: Trial,
    now: Timestamp, chance: Double
  ) -> [TransferAction] {
    if let failure = sizeProblem(total) { return [.abandon] + setback(failure, trial, now: now, chance: chance) }
    let url = urlOf(trial.candidate)
    var actions: [TransferAction] = []
    if let partial, partial.url != url { actions.append(.discard(partial)) }
    let own = partial?.url == url ? partial : nil
    // A continued partial keeps its validator if the response has none.
    let kept = offset > .zero ? own?.validator : nil
    var begun = PartialDownload(
      name: own?.name ?? makePartialName(url), received: offset, total: total, validator: facts.validator ?? kept,
      url: url)
    let extents = offset > .zero ? own?.extents ?? [] : []
    if mayBeSegmented(begun, facts, from: host, extents) { begun.extents = extents }
    partial = begun
    var trial = trial
    if offset == .zero { trial.range = nil }
    state = .receiving(trial)
    // The partial is truncated before it is recorded: bytes of the old entity must
    // never be recorded with the new one's validator.
    return actions + [
      .receive(
        begun, offset: offset, limit: total ?? exactSize ?? rules.maxItemSize,
        comparing: trial.range?.comparing ?? .zero), .record(attempt(trial)),
    ]
  }

  /// True if additional requests may fetch other parts: the server has proved that it supports ranges, the entity has a
  /// validator for every response, and enough is left or some later bytes are present.
  private func mayBeSegmented(
    _ partial: PartialDownload, _ facts: ResponseFacts, from host: String, _ extents: [Extent]
  ) -> Bool {
    guard rules.segments > 1, case .strongETag? = partial.validator, let total = partial.total else { return false }
    let isEnough = total - partial.received >= Segments.minimum + Segments.minimum
    return facts.provesRanges && !distrustedHosts.contains(host) && (isEnough || !extents.isEmpty)
  }

  private var exactSize: ByteCount? {
    if case .exact(let size)? = task.declaredSize { size } else { nil }
  }

  private func sizeProblem(_ total: ByteCount?) -> Failure? {
    guard let total else { return nil }
    if total > rules.maxItemSize { return rules.tooLarge }
    if let exactSize, exactSize != total { return .size(expected: exactSize, actual: total) }
    return nil
  }

  private mutating func bodyEnded(
    _ received: ByteCount, _ trial: Trial, now: Timestamp, chance: Double
  ) -> [TransferAction] {
    partial?.received = received
    if received == .zero { return setback(.emptyBody, trial, now: now, chance: chance) }
    if let total = partial?.total, received < total {
      return brokeOff(.shortBody(received: received, expected: total), received, trial, now: now, chance: chance)
    }
    return check(trial)
  }

  /// A response that ended within the overlap was not an attempt to fetch the rest. The rest is requested at once, with
  /// a smaller overlap.
  private mutating func brokeOff(
    _ failure: Failure, _ received: ByteCount, _ trial: Trial, now: Timestamp, chance: Double
  ) -> [TransferAction] {
    partial?.received = received
    guard let range = trial.range, range.comparing > .zero, failure.disposition.next == .retry else {
      return setback(failure, trial, now: now, chance: chance)
    }
    var trial = trial
    trial.overlap = max(ByteCount(1), range.overlap(afterRepeating: repeated, received: received))
    guard received <= range.offset, repeated > .zero, trial.overlap < range.comparing else {
      return setback(failure, trial, now: now, chance: chance)
    }
    return request(trial)
  }

  // MARK: The end of a candidate

  private mutating func check(_ trial: Trial) -> [TransferAction] {
    guard let partial else { return [] }
    state = .checking(trial)
    return [.check(partial)]
  }

  private mutating func publish(_ file: CheckedFile, _ trial: Trial) -> [TransferAction] {
    guard let partial else { return [] }
    state = .publishing(trial)
    // Only the end of the connection indicates that the bytes are complete.
    let isUnproven = partial.total == nil && task.checksum == nil && exactSize == nil
    let confidence = isUnproven ? .low : task.candidates[trial.candidate].confidence
    return [.publish(partial, file, candidate: trial.candidate, confidence: confidence)]
  }

  private mutating func setback(
    _ failure: Failure, _ trial: Trial, now: Timestamp, chance: Double
  ) -> [TransferAction] {
    let disposition = failure.disposition
    if disposition.next == .stopRun { return finish(.stopRun(failure, partial: partial)) }
    var actions: [TransferAction] = []
    if failure.spoilsPartial || saysNothing, hasReceived, let spoiled = partial {
      actions.append(.discard(spoiled))
      partial = nil
      // In bytes combined from two responses either may be wrong, so the file is fetched once more in one piece.
      if case .checksum = failure, trial.range != nil { return actions + requestWhole(trial) }
    }
    if setbacks.last?.candidate == trial.candidate { setbacks.removeLast() }
    setbacks.append(Setback(candidate: trial.candidate, failure: failure))
    if disposition.next == .retry, trial.requests <= rules.retries, !isFailing(urlOf(trial.candidate).origin) {
      return actions + retry(trial, now: now, chance: chance)
    }
    finishedRequests += trial.requests
    return actions + (disposition.next == .giveUp ? finish(.failed(summary())) : goOn())
  }

  /// Leaves a candidate whose next request will not go out. A request that was to be repeated has failed before; a
  /// candidate that was never asked does not count as failed.
  private mutating func leave(_ origin: RemoteURL.Origin, _ trial: Trial) -> [TransferAction] {
    finishedRequests += trial.requests - 1
    leftAlone[trial.candidate] = origin
    if case .askedToWait(let failure, let until)? = closures[origin] {
      return finish(.deferredByServer(failure, until: until, partial: partial))
    }
    return goOn()
  }

  /// Continues with the next candidate, or ends. An item with an untried candidate has not failed.
  private mutating func goOn() -> [TransferAction] {
    let untried = usableCandidates.filter { candidate in !setbacks.contains { $0.candidate == candidate } }
    // After a continued partial, the next candidate need not be the one that follows it in order.
    if let next = untried.first(where: { leftAlone[$0] == nil && closures[urlOf($0).origin] == nil }) {
      return request(Trial(candidate: next))
    }
    guard let closed = untried.first else { return finish(.failed(summary())) }
    let origin = leftAlone[closed] ?? urlOf(closed).origin
    if case .askedToWait(let failure, let until)? = closures[origin] {
      return finish(.deferredByServer(failure, until: until, partial: partial))
    }
    return finish(.deferredByHost(origin, partial: partial))
  }

  private func isFailing(_ origin: RemoteURL.Origin) -> Bool {
    if case .failing? = closures[origin] { true } else { false }
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
    case .receiving, .checking: true
    default: false
    }
  }

  private mutating func retry(
    _ trial: Trial, atLeast: Duration = .zero, now: Timestamp, chance: Double
  ) -> [TransferAction] {
    let wait = rules.backoff.wait(retry: trial.requests - 1, chance: chance, atLeast: atLeast)
    var next = trial
    next.requests += 1
    next.fillsFrom = nil
    state = .waiting(next)
    return [.recordRetry(attempt(trial), nextAttemptAt: now + wait), .wait(wait)]
  }

  private func summary() -> TransferFailure {
    let isTemporary = setbacks.contains(where: \.failure.disposition.isTemporary)
    let ofThatKind = setbacks.filter { $0.failure.disposition.isTemporary == isTemporary }
    let decisive = ofThatKind.min { $0.candidate < $1.candidate } ?? setbacks[0]
    return TransferFailure(
      failure: decisive.failure, isTemporary: isTemporary, candidate: decisive.candidate, requests: finishedRequests,
      partial: partial)
  }

  private mutating func finish(_ outcome: TransferOutcome) -> [TransferAction] {
    state = .finished
    return [.finish(outcome)]
  }
}

extension Failure {
  /// True if the bytes on disk do not belong to the item, so that they cannot be continued.
  fileprivate var spoilsPartial: Bool {
    switch self {
    case .notMedia, .checksum, .size, .tooLarge, .tooLargeForFileSystem: true
    default: false
    }
  }
}
