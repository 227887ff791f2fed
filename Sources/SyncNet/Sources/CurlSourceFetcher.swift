// SPDX-License-Identifier: Apache-2.0
package import Curl
package import SyncCore
import SyncDisk
import SyncFormats

/// Fetches sources through libcurl, with conditional requests and the same limits per host as downloads.
package actor CurlSourceFetcher: SourceFetcher {
  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let loop: CurlLoop
  private let settings: DownloadSettings
  private var queue: RequestQueue
  private var waiting: [Int: CheckedContinuation<Permit, Never>] = [:]
  private var nextOpening: Duration?
  private var nextTicket = 0
  /// The active requests, by number.
  private var requests: [Int: TransferID] = [:]
  private var pauses: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWait = 0

  /// The answer to the question if a request may be sent.
  private enum Permit {
    case granted
    case refused(Failure)
  }

  /// Sources are small, so more of them than media are fetched at once.
  private static let concurrency = 8

  package init(loop: CurlLoop, settings: DownloadSettings) {
    self.loop = loop
    self.settings = settings
    queue = RequestQueue(concurrency: Self.concurrency, perHost: settings.policy.perHost)
  }

  package func fetch(
    _ request: SourceRequest, into intake: any SourceIntake
  ) async -> Result<FetchedSource, Failure> {
    var attempt = 0
    while true {
      let result = await fetchOnce(request, intake)
      guard case .failure(let failure) = result, failure.disposition.next == .retry, attempt < settings.rules.retries,
        !Task.isCancelled, !settings.watch.isOffline, settings.allowance.reached == nil
      else {
        giveUp(on: request.url, after: result)
        return result
      }
      await pause(settings.rules.backoff.wait(retry: attempt, chance: settings.chance()))
      attempt += 1
    }
  }

  private func fetchOnce(
    _ request: SourceRequest, _ intake: any SourceIntake
  ) async -> Result<FetchedSource, Failure> {
    var redirects = Redirects(from: request.url)
    var trail = settings.trail(of: [request.playlist].compactMap { $0 })
    while true {
      let url = redirects.current
      let (slot, permit) = await acquire(url.origin)
      if case .refused(let failure) = permit { return .failure(failure) }
      let fields = trail.fields(for: url, isRedirect: url != request.url, at: settings.clock.now())
      let response = await get(url, request, fields, intake)
      release(slot)
      switch response {
      case .failure(let failure): return .failure(failure)
      case .success(.done(let fetched)): return .success(fetched)
      case .success(.redirect(let target)):
        do throws(Failure) { try redirects.follow(target) } catch { return .failure(settings.mask.masked(error)) }
      }
    }
  }

  /// Blocks a server that asked for a pause, for the requests of all sources and downloads.
  private func giveUp(on url: RemoteURL, after result: Result<FetchedSource, Failure>) {
    guard case .failure(let failure) = result else { return }
    settings.hosts.giveUp(url.origin, failure)
    pump()
  }

  private func get(
    _ url: RemoteURL, _ request: SourceRequest, _ credentials: [CredentialField], _ intake: any SourceIntake
  ) async -> Result<SourceResponse, Failure> {
    var transfer = settings.request(
      url, isFromSource: url.host != request.url.host, credentials: credentials)
    transfer.fields += [("If-None-Match", request.etag), ("If-Modified-Since", request.lastModified)]
      .compactMap { name, value in value.flatMap { settings.field(name, $0) } }
    transfer.acceptsCompression = true
    let prepared = transfer
    lastWait += 1
    let number = lastWait
    defer { requests[number] = nil }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        let receiver = SourceReceiver(url: url, settings: settings, intake: intake) {
          continuation.resume(returning: $0)
        }
        requests[number] = loop.start(prepared, settings.watched(receiver, url))
      }
    } onCancel: {
      Task { await self.cancel(number) }
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
        _ = loop.after(duration) { [weak self] in
          self?.assumeIsolated { $0.pauses.removeValue(forKey: number)?.resume() }
        }
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  private func cancel(_ number: Int) {
    if let id = requests[number] { loop.cancel(id) }
    pauses.removeValue(forKey: number)?.resume()
  }

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
    let (time, hosts) = (settings.hosts.time, settings.hosts.current)
    while let (key, origin) = queue.nextRefused(by: hosts) {
      guard case .source(let ticket) = key else { continue }
      settings.hosts.announceBreaker(of: origin)
      refuse(ticket, hosts.breakers[origin]?.failure ?? .cancelled)
    }
    while let key = queue.next(at: time, hosts) {
      guard case .source(let ticket) = key, let continuation = waiting.removeValue(forKey: ticket) else {
        queue.finished(key)
        continue
      }
      continuation.resume(returning: .granted)
    }
    guard let opening = queue.nextOpening(after: time, hosts), opening != nextOpening else { return }
    nextOpening = opening
    loop.after(opening - time) { [weak self] in
      self?.assumeIsolated { fetcher in
        fetcher.nextOpening = nil
        fetcher.pump()
      }
    }
  }
}

enum SourceResponse {
  case done(FetchedSource)
  case redirect(String)
}

/// Judges one response and hands on its document. Lives on the loop's thread.
private final class SourceReceiver: TransferReceiver {
  private let url: RemoteURL
  private let settings: DownloadSettings
  private let intake: any SourceIntake
  private let end: (Result<SourceResponse, Failure>) -> Void
  private var document: FetchedDocument
  private var decided: Result<SourceResponse, Failure>?
  private var body: SourceBody

  init(
    url: RemoteURL, settings: DownloadSettings, intake: any SourceIntake,
    end: @escaping (Result<SourceResponse, Failure>) -> Void
  ) {
    self.url = url
    self.settings = settings
    self.intake = intake
    self.end = end
    document = FetchedDocument(url: url)
    body = SourceBody(into: intake)
  }

  func receivedHead(_ head: ResponseHead) -> HeadDecision {
    settings.note(head, from: url)
    switch StatusMeaning(head.status) {
    case .whole:
      // A validator that contains a secret is dropped, because it would be stored.
      document.etag = head["ETag"].flatMap { settings.mask.finds(in: $0) ? nil : $0 }
      document.lastModified = head["Last-Modified"].flatMap { settings.mask.finds(in: $0) ? nil : $0 }
      let charset = head["Content-Type"].flatMap { ContentCharset(contentType: $0)?.name }
      document.charset = charset.flatMap { settings.mask.finds(in: $0) ? nil : $0 }
      intake.begin(document)
      return SourceBody.isGzip(head["Content-Encoding"]) ? .receiveAsSent : .receiveBody
    case .unusable where head.status == 304: decided = .success(.done(.notModified))
    case .redirect:
      decided =
        head.redirectTarget.map { .success(.redirect($0)) }
        ?? .failure(.malformedResponse(detail: "status \(head.status) without a Location"))
    default: decided = .failure(settings.proxyFailure(head, url) ?? .http(status: head.status))
    }
    return .discard
  }

  func receivedBody(_ bytes: RawSpan) -> Bool {
    guard decided == nil else { return true }
    bytes.withUnsafeBytes { bytes in
      do throws(Failure) { try body.take(bytes) } catch { decided = .failure(error) }
    }
    return decided == nil
  }

  func finished(_ result: TransferResult) {
    if let decided { return end(decided) }
    switch result {
    case .completed:
      do throws(Failure) { try body.finish() } catch { return end(.failure(error)) }
      end(.success(.done(.document(document))))
    case .failed(let error): end(.failure(settings.failure(error, url)))
    }
  }
}
