// SPDX-License-Identifier: Apache-2.0

/// The transfer of one item as a state machine: events in, actions out.
/// It does no I/O, reads no clock and draws no random numbers.
package struct TransferMachine: Sendable {
  enum State: Equatable {
    /// Not started. Exits: `resolving`, `searching`, `requesting`; `finished` (stopped, or failed beforehand).
    case ready
    /// The URL of the candidate's file is being found. A candidate that states it skips this state. Exits:
    /// `requesting`; after a failure `waiting` or the next candidate; `finished`.
    case resolving(Trial)
    /// Further candidates are being searched for. Exits: `resolving`; after a failure `waiting`; `finished`.
    case searching(Trial)
    /// A request is out. Exits: itself (redirect, restart without range), `receiving`, `checking` (already whole),
    /// `waiting`, the next candidate's `requesting`, `finished`.
    case requesting(Trial, Redirects)
    /// The body is being written. Exits: `requesting` or `resolving` (same or next candidate),
    /// `checking`, `waiting`, `finished`.
    case receiving(Trial)
    /// Between two requests. Exits: `requesting` or `resolving` (same or next candidate), `finished`.
    case waiting(Trial)
    /// The bytes are being hashed. Exits: `preparing`, `publishing` (nothing to prepare), `waiting`, `requesting` (same
    /// or next candidate), `finished`.
    case checking(Trial)
    /// The checked file is being prepared for the library, for example tagged. The partial itself stays as it was
    /// fetched. Exits: itself (next preparation), `publishing`; after a failure as `checking`; `finished`.
    case preparing(Trial, rest: ArraySlice<Preparation>)
    /// The file is being published. Exits: `finished`; after a failure `waiting` or the next candidate's `requesting`.
    case publishing(Trial)
    /// All events are ignored. No exit.
    case finished
  }

  /// One candidate being tried.
  struct Trial: Equatable {
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
    /// True if the protocol marks the end of the response's body.
    var marksEnd = false
  }

  struct Setback {
    var candidate: Int
    var failure: Failure
  }

  /// With the candidates that a search has found.
  @Boxed package internal(set) var task: TransferTask
  let rules: TransferRules
  private let makePartialName: @Sendable (RemoteURL) -> String
  var state: State = .ready
  var partial: PartialDownload?
  /// The last failure of each candidate tried.
  var setbacks: [Setback] = []
  var finishedRequests = 0
  /// True once a search has brought candidates.
  var hasSearched = false
  /// Candidates that were not tried to the end because an origin on their way is blocked.
  var leftAlone: [Int: RemoteURL.Origin] = [:]

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
  package mutating func handle(_ event: TransferEvent, _ context: TransferContext) -> [TransferAction] {
    switch (event, state) {
    case (_, .finished): return []
    case (.started, .ready): return begin(context)
    // It is known beforehand that the file could not be put in its place.
    case (.failed(let failure, _), .ready):
      setbacks = [Setback(candidate: 0, failure: failure)]
      return finish(.failed(summary()))
    case (.stopped, _): return stop()
    case (.publicationPutOff, .publishing): return finish(.paused(partial: partial))
    case (.limitReached(let limit), _): return stop(at: limit)
    case (.refused, .requesting(let trial, let redirects)): return leave(redirects.current.origin, trial, context)
    case (.refused, .resolving(let trial)), (.refused, .searching(let trial)), (.refused, .waiting(let trial)):
      return leave(urlOf(trial.candidate).origin, trial, context)
    case (.publicationStopped(let failure), .publishing): return finish(.stoppedPublishing(failure))
    case (.published(let file), .publishing(let trial)):
      return finish(.completed(file, requests: finishedRequests + trial.requests))
    case (.failed(let failure, let received), _): return failed(failure, received, context)
    default: return goOn(event, context)
    }
  }

  /// Handles the events of a transfer that makes progress.
  private mutating func goOn(_ event: TransferEvent, _ context: TransferContext) -> [TransferAction] {
    switch (event, state) {
    case (.resolved(let url), .resolving(let trial)): return send(to: url, trial, context)
    case (.found(let results, let missing), .searching(let trial)): return found(results, missing, trial, context)
    case (.headReceived(let facts), .requesting(let trial, let redirects)):
      return judge(facts, trial, redirects, context)
    case (.bodyEnded(let received), .receiving(let trial)): return bodyEnded(received, trial, context)
    case (.waited, .waiting(let trial)): return request(trial, context)
    case (.checked(let file), .checking(let trial)): return judgeDuration(of: file, trial, context)
    case (.prepared(let file), .preparing(let trial, let rest)): return prepare(file, rest, trial)
    case (.partsMissing(let received), .receiving(let trial)): return fillIn(from: received, trial, context)
    case (.roomRefused(let shortage), .preparing): return finish(.deferredForRoom(shortage, partial: partial))
    case (.overlapDiffered, .receiving(let trial)): return [.abandon] + requestWhole(trial, context)
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

  private mutating func failed(
    _ failure: Failure, _ received: ByteCount, _ context: TransferContext
  ) -> [TransferAction] {
    switch state {
    case .receiving(let trial): brokeOff(failure, received, trial, context)
    case .resolving(let trial), .searching(let trial), .requesting(let trial, _), .checking(let trial),
      .preparing(let trial, _), .publishing(let trial):
      setback(failure, trial, context)
    case .ready, .waiting, .finished: []
    }
  }

  private mutating func stop() -> [TransferAction] {
    switch state {
    // The rename may have happened already. A separate event reports its result.
    case .publishing: []
    case .requesting, .receiving: [.abandon] + finish(.paused(partial: partial))
    default: finish(.paused(partial: partial))
    }
  }

  private mutating func stop(at limit: RunLimit) -> [TransferAction] {
    switch state {
    // A complete file costs no more bytes and little time.
    case .checking, .preparing, .publishing: []
    case .requesting, .receiving: [.abandon] + finish(.deferredByLimit(limit, partial: partial))
    default: finish(.deferredByLimit(limit, partial: partial))
    }
  }

  // MARK: Requests

  private mutating func begin(_ context: TransferContext) -> [TransferAction] {
    guard let partial, let candidate = usableCandidates.first(where: { urlOf($0) == partial.url }) else {
      // The partial may have come from a page that the search will find again.
      let kept = mayFindPartial ? self.partial : nil
      let discarded = kept == nil ? self.partial.map { [TransferAction.discard($0)] } ?? [] : []
      self.partial = kept
      return discarded + request(Trial(candidate: firstCandidate), context)
    }
    // Bytes that cannot be continued are no reason to start with a candidate other than the first.
    let range = range(for: partial.url, from: partial.url.host, context)
    return request(Trial(candidate: range == nil ? firstCandidate : candidate), context)
  }

  /// Without alternatives, an item without a URL has what its search finds.
  var usableCandidates: Range<Int> {
    0..<(rules.mayUseAlternatives || task.candidates[0].candidate.url.isSearch ? task.candidates.count : 1)
  }

  func urlOf(_ candidate: Int) -> RemoteURL { task.candidates[candidate].candidate.url }

  mutating func request(_ trial: Trial, _ context: TransferContext) -> [TransferAction] {
    let url = urlOf(trial.candidate)
    if url.isSearch {
      state = .searching(trial)
      return [.search(url)]
    }
    guard task.candidates[trial.candidate].needsResolving else { return send(to: url, trial, context) }
    state = .resolving(trial)
    return [.resolve(url)]
  }

  /// - Parameter url: The URL of the candidate's file. The partial keeps the URL of the candidate, which stays the same.
  private mutating func send(to url: RemoteURL, _ trial: Trial, _ context: TransferContext) -> [TransferAction] {
    var trial = trial
    trial.range = nil
    if !trial.rangeRefused {
      trial.range = range(for: urlOf(trial.candidate), from: url.host, overlap: trial.overlap, context)
    }
    state = .requesting(trial, Redirects(from: url))
    return [.record(attempt(trial)), .send(url, range: trial.range)]
  }

  mutating func requestWhole(_ trial: Trial, _ context: TransferContext) -> [TransferAction] {
    var trial = trial
    trial.rangeRefused = true
    return request(trial, context)
  }

  /// Requests the bytes that additional requests did not fetch. This uses up none of the candidate's retries as long as
  /// it makes progress.
  private mutating func fillIn(
    from received: ByteCount, _ trial: Trial, _ context: TransferContext
  ) -> [TransferAction] {
    partial?.received = received
    let total = partial?.total ?? received
    if let before = trial.fillsFrom, received <= before {
      return setback(.shortBody(received: received, expected: total), trial, context)
    }
    var trial = trial
    trial.fillsFrom = received
    return request(trial, context)
  }

  /// The range that may be continued: bytes of exactly this URL that can be proved to belong to the same file.
  private func range(
    for url: RemoteURL, from host: String, overlap: ByteCount = PartialDownload.overlap, _ context: TransferContext
  ) -> RangeRequest? {
    guard rules.mayResume, !context.distrustedHosts.contains(host), let partial, partial.url == url else { return nil }
    return partial.continuation(
      hasChecksum: task.checksum != nil, overlap: min(overlap, context.overlapLimit))
  }

  func attempt(_ trial: Trial) -> Attempt {
    Attempt(candidate: trial.candidate, attempts: trial.requests, partial: partial)
  }

  // MARK: Responses

  private mutating func judge(
    _ facts: ResponseFacts, _ trial: Trial, _ redirects: Redirects, _ context: TransferContext
  ) -> [TransferAction] {
    switch facts.verdict(asked: trial.range, now: context.now) {
    case .receive(let offset, let total):
      return receive(facts, from: redirects.current.host, offset, total, trial, context)
    case .alreadyComplete: return [.abandon] + check(trial)
    case .restart: return [.abandon, .distrustRanges(host: redirects.current.host)] + requestWhole(trial, context)
    case .redirect(let target):
      var redirects = redirects
      do throws(Failure) { try redirects.follow(target) } catch {
        return [.abandon] + setback(rules.mask.masked(error), trial, context)
      }
      state = .requesting(trial, redirects)
      return [.abandon, .send(redirects.current, range: trial.range)]
    case .fail(_) where trial.fillsFrom != nil && trial.range != nil: return [.abandon] + requestWhole(trial, context)
    case .fail(let failure): return [.abandon] + setback(failure, trial, context)
    case .wait(let failure, let wait):
      guard let delay = rules.retry.delay(requested: wait, requests: trial.requests, chance: context.chance) else {
        return [.abandon] + finish(.deferredByServer(failure, until: context.now + wait, partial: partial))
      }
      return [.abandon] + retry(trial, after: delay, context)
    }
  }

  private mutating func receive(
    _ facts: ResponseFacts, from host: String, _ offset: ByteCount, _ total: ByteCount?, _ trial: Trial,
    _ context: TransferContext
  ) -> [TransferAction] {
    if let failure = sizeProblem(total) { return [.abandon] + setback(failure, trial, context) }
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
    if mayBeSegmented(begun, facts, from: host, extents, context) { begun.extents = extents }
    partial = begun
    var trial = trial
    if offset == .zero { trial.range = nil }
    trial.marksEnd = facts.marksEnd
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
    _ partial: PartialDownload, _ facts: ResponseFacts, from host: String, _ extents: [Extent],
    _ context: TransferContext
  ) -> Bool {
    guard rules.segments > 1, case .strongETag? = partial.validator, let total = partial.total else { return false }
    let isEnough = total - partial.received >= Segments.minimum + Segments.minimum
    return facts.provesRanges && !context.distrustedHosts.contains(host) && (isEnough || !extents.isEmpty)
  }

  var exactSize: ByteCount? {
    if case .exact(let size)? = task.declaredSize { size } else { nil }
  }

  private func sizeProblem(_ total: ByteCount?) -> Failure? {
    guard let total else { return nil }
    if total > rules.maxItemSize { return rules.tooLarge }
    if let exactSize, exactSize != total { return .size(expected: exactSize, actual: total) }
    return nil
  }

  private mutating func bodyEnded(
    _ received: ByteCount, _ trial: Trial, _ context: TransferContext
  ) -> [TransferAction] {
    partial?.received = received
    if received == .zero { return setback(.emptyBody, trial, context) }
    if let total = partial?.total, received < total {
      return brokeOff(.shortBody(received: received, expected: total), received, trial, context)
    }
    return check(trial)
  }

  /// A response that ended within the overlap was not an attempt to fetch the rest. The rest is requested at once, with
  /// a smaller overlap.
  private mutating func brokeOff(
    _ failure: Failure, _ received: ByteCount, _ trial: Trial, _ context: TransferContext
  ) -> [TransferAction] {
    partial?.received = received
    guard let range = trial.range, range.comparing > .zero, failure.disposition.next == .retry else {
      return setback(failure, trial, context)
    }
    var trial = trial
    trial.overlap = max(ByteCount(1), range.overlap(afterRepeating: context.repeated, received: received))
    guard received <= range.offset, context.repeated > .zero, trial.overlap < range.comparing else {
      return setback(failure, trial, context)
    }
    return request(trial, context)
  }

  // MARK: The end of a candidate

  private mutating func check(_ trial: Trial) -> [TransferAction] {
    guard let partial else { return [] }
    state = .checking(trial)
    if needsCount(trial) { return [.check(partial, expecting: declaredDuration(trial), counting: true)] }
    return [.check(partial, expecting: expectedDuration(trial))]
  }

  /// Makes the next of the preparations that are left, and publishes the file after the last one.
  mutating func prepare(
    _ file: CheckedFile, _ rest: ArraySlice<Preparation>, _ trial: Trial
  ) -> [TransferAction] {
    guard let partial, let next = rest.first else { return publish(file, trial) }
    state = .preparing(trial, rest: rest.dropFirst())
    return [.prepare(partial, file, next)]
  }

  private mutating func publish(_ file: CheckedFile, _ trial: Trial) -> [TransferAction] {
    guard let partial else { return [] }
    state = .publishing(trial)
    let confidence = isUnannounced ? .low : task.candidates[trial.candidate].confidence
    var file = file
    file.isProvenWhole = isProvenWhole(file, trial)
    return [.publish(partial, file, candidate: trial.candidate, confidence: confidence)]
  }

  mutating func finish(_ outcome: TransferOutcome) -> [TransferAction] {
    state = .finished
    return [.finish(outcome)]
  }
}
