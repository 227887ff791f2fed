// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
import SyncDisk
import SyncFormats

/// Fetches sources through libcurl, with conditional requests and the same limits per host as downloads.
package actor CurlSourceFetcher: SourceFetcher {
  nonisolated package var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  private let client: HTTPClient
  private var settings: DownloadSettings { client.settings }
  private var queue: RequestQueue
  private var waiting: [Int: CheckedContinuation<Permit, Never>] = [:]
  private var nextOpening: Duration?
  private var nextTicket = 0
  private var pauses: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWait = 0

  /// The answer to the question if a request may be sent.
  private enum Permit {
    case granted
    case refused(Failure)
  }

  /// Sources are small, so more of them than media are fetched at once.
  private static let concurrency = 8

  package init(_ client: HTTPClient) {
    self.client = client
    queue = RequestQueue(concurrency: Self.concurrency, perHost: client.settings.policy.perHost)
  }

  package func fetch(
    _ request: SourceRequest, into intake: any SourceIntake
  ) async -> Result<FetchedSource, Failure> {
    var requests = 1
    while true {
      let result = await fetchOnce(request, intake)
      guard case .failure(let failure) = result,
        let delay = settings.rules.retry.delay(after: failure, requests: requests, chance: client.state.chance()),
        !Task.isCancelled, !client.state.isOffline, client.state.reachedLimit == nil
      else {
        giveUp(on: request.url, after: result)
        return result
      }
      await pause(delay)
      requests += 1
    }
  }

  package func usePlainLogin(at origin: RemoteURL.Origin) { client.state.plainOrigins.insert(origin) }

  private func fetchOnce(
    _ request: SourceRequest, _ intake: any SourceIntake
  ) async -> Result<FetchedSource, Failure> {
    var redirects = Redirects(from: request.url)
    var trail = settings.trail(of: [request.playlist].compactMap { $0 })
    // A source that has moved is asked like the target of a redirect from its declared address.
    if request.url != request.declared {
      _ = trail.fields(for: request.declared, isRedirect: false, at: settings.clock.now())
    }
    var moved = request.url
    while true {
      let url = redirects.current
      let (slot, permit) = await acquire(url.origin)
      if case .refused(let failure) = permit { return .failure(failure) }
      let response = await get(url, request, along: &trail, intake)
      release(slot)
      switch response {
      case .failure(let failure): return .failure(failure)
      case .success(.done(let fetched)): return .success(moved == request.url ? fetched : fetched.moved(to: moved))
      case .success(.redirect(let target, let isPermanent)):
        do throws(Failure) { try redirects.follow(target) } catch { return .failure(settings.mask.masked(error)) }
        if isPermanent, moved == url { moved = redirects.current }
      }
    }
  }

  /// Blocks a server that asked for a pause, for the requests of all sources and downloads.
  private func giveUp(on url: RemoteURL, after result: Result<FetchedSource, Failure>) {
    guard case .failure(let failure) = result else { return }
    client.state.giveUp(url.origin, failure)
    pump()
  }

  private func get(
    _ url: RemoteURL, _ source: SourceRequest, along trail: inout CredentialTrail, _ intake: any SourceIntake
  ) async -> Result<SourceResponse, Failure> {
    var request = HTTPRequest(
      url: url, isFromSource: source.isFromSource || url.host != source.declared.host,
      isRedirect: url != source.declared)
    request.fields = [("If-None-Match", source.etag), ("If-Modified-Since", source.lastModified)]
      .compactMap { name, value in value.map { HTTPField(name: name, value: $0) } }
    request.acceptsCompression = true
    let mask = settings.mask
    return await client.result(of: request, along: &trail) {
      SourceReceiver(url: url, mask: mask, intake: intake, end: $0)
    }
  }

  /// Ends at once if the task is cancelled.
  private func pause(_ duration: Duration) async {
    lastWait += 1
    let number = lastWait
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume() }
        pauses[number] = continuation
        _ = client.loop.after(duration) { [weak self] in
          self?.assumeIsolated { $0.endPause(number) }
        }
      }
    } onCancel: {
      Task { await self.endPause(number) }
    }
  }

  private func endPause(_ number: Int) { pauses.removeValue(forKey: number)?.resume() }

  // MARK: Slots

  private func acquire(_ origin: RemoteURL.Origin) async -> (Int, Permit) {
    nextTicket += 1
    let ticket = nextTicket
    let permit = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Permit, Never>) in
        guard !Task.isCancelled else { return continuation.resume(returning: .refused(.cancelled)) }
        queue.add(.source(ticket), origin: origin, priority: .normal, isUnderWay: false)
        waiting[ticket] = continuation
        pump()
      }
    } onCancel: {
      Task { await self.refuse(ticket, .cancelled) }
    }
    return (ticket, permit)
  }

  private func release(_ ticket: Int) {
    queue.finished(.source(ticket))
    pump()
  }

  private func refuse(_ ticket: Int, _ failure: Failure) {
    waiting.removeValue(forKey: ticket)?.resume(returning: .refused(failure))
  }

  private func pump() {
    let (time, state) = (client.state.time, client.state)
    while let (key, origin) = queue.nextRefused(by: state.hosts) {
      guard case .source(let ticket) = key else { continue }
      state.announceBreaker(of: origin)
      refuse(ticket, state.hosts.breakers[origin]?.failure ?? .cancelled)
    }
    while let key = queue.next(at: time, state.hosts) {
      guard case .source(let ticket) = key, let continuation = waiting.removeValue(forKey: ticket) else {
        queue.finished(key)
        continue
      }
      continuation.resume(returning: .granted)
    }
    guard let opening = queue.nextOpening(after: time, state.hosts), opening != nextOpening else { return }
    nextOpening = opening
    client.loop.after(opening - time) { [weak self] in
      self?.assumeIsolated { fetcher in
        fetcher.nextOpening = nil
        fetcher.pump()
      }
    }
  }
}

enum SourceResponse {
  case done(FetchedSource)
  /// - Parameter isPermanent: True if the target takes the place of the URL (RFC 9110 §15.4.2, §15.4.9).
  case redirect(String, isPermanent: Bool)
}

extension FetchedSource {
  fileprivate func moved(to url: RemoteURL) -> FetchedSource {
    guard case .document(var document) = self else { return self }
    document.movedTo = url
    return .document(document)
  }
}

/// Judges one response and hands on its document. Lives on the loop's thread.
private final class SourceReceiver: HTTPSink {
  private let url: RemoteURL
  private let mask: SecretMask
  private let intake: any SourceIntake
  private let end: (Result<SourceResponse, Failure>) -> Void
  private var document: FetchedDocument
  private var decided: Result<SourceResponse, Failure>?
  private var body: SourceBody

  init(
    url: RemoteURL, mask: SecretMask, intake: any SourceIntake,
    end: @escaping (Result<SourceResponse, Failure>) -> Void
  ) {
    self.url = url
    self.mask = mask
    self.intake = intake
    self.end = end
    document = FetchedDocument(url: url)
    body = SourceBody(into: intake)
  }

  func received(_ head: ResponseHead, proxyFailure: Failure?) -> HeadDecision {
    switch StatusMeaning(head.status) {
    case .whole:
      // A validator that contains a secret is dropped, because it would be stored.
      document.etag = head["ETag"].flatMap { mask.finds(in: $0) ? nil : $0 }
      document.lastModified = head["Last-Modified"].flatMap { mask.finds(in: $0) ? nil : $0 }
      let charset = head["Content-Type"].flatMap { ContentCharset(contentType: $0)?.name }
      document.charset = charset.flatMap { mask.finds(in: $0) ? nil : $0 }
      intake.begin(document)
      return SourceBody.isGzip(head["Content-Encoding"]) ? .receiveAsSent : .receiveBody
    case .unusable where head.status == 304: decided = .success(.done(.notModified))
    case .redirect:
      decided =
        head.redirectTarget.map { .success(.redirect($0, isPermanent: [301, 308].contains(head.status))) }
        ?? .failure(.malformedResponse(detail: "status \(head.status) without a Location"))
    default: decided = .failure(proxyFailure ?? .http(status: head.status))
    }
    return .discard
  }

  func received(_ bytes: RawSpan) -> Bool {
    guard decided == nil else { return true }
    bytes.withUnsafeBytes { bytes in
      do throws(Failure) { try body.take(bytes) } catch { decided = .failure(error) }
    }
    return decided == nil
  }

  func ended(_ failure: Failure?) {
    if let decided { return end(decided) }
    if let failure { return end(.failure(failure)) }
    do throws(Failure) { try body.finish() } catch { return end(.failure(error)) }
    end(.success(.done(.document(document))))
  }
}
