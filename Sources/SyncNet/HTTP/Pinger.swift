// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
package import SyncDisk
package import SyncFormats

/// Sends one ping to a monitor, on an engine of its own.
package actor Pinger {
  nonisolated package var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  private let client: HTTPClient
  private let url: RemoteURL

  /// The time for one try.
  package static let timeout = Duration.seconds(10)
  package static let tries = 3
  /// The time for the only try of a run that was stopped by a signal: its end may take no longer.
  package static let timeoutAfterSignal = Duration.milliseconds(700)

  /// - Parameter url: The URL that takes the message.
  /// - Throws: The reason why the engine cannot start.
  package init(
    _ url: RemoteURL, _ policy: DownloadPolicy, clock: any WallClock, userAgent: String
  ) throws(JobError) {
    self.url = url
    let settings = DownloadSettings(
      Manifest(name: "", library: LibrarySettings(path: "/"), downloads: policy), clock: clock, userAgent: userAgent)
    client = HTTPClient(
      loop: try Network.loop(), settings: settings, seed: UInt64.random(in: .min ... .max), stopwatch: Stopwatch())
  }

  /// Sends `body` by POST until the monitor takes it.
  /// - Returns: The problem with the last try.
  package func send(
    _ body: [UInt8], tries: Int = Pinger.tries, timeout: Duration = Pinger.timeout
  ) async -> PingProblem? {
    var backoff = DownloadPolicy.Backoff()
    (backoff.initial, backoff.max) = (.seconds(2), .seconds(4))
    let retry = RetryPolicy(retries: tries - 1, backoff: backoff, longestWait: .zero)
    var requests = 1
    while true {
      guard let problem = await attempt(body, within: timeout) else { return nil }
      guard let delay = retry.delay(after: problem.failure, requests: requests, chance: client.state.chance()) else {
        return problem
      }
      do { try await Task.sleep(for: delay) } catch { return problem }
      requests += 1
    }
  }

  package func close() async { await client.loop.shutdown() }

  private func attempt(_ body: [UInt8], within limit: Duration) async -> PingProblem? {
    var request = HTTPRequest(url: url, isFromSource: false, isRedirect: false)
    request.fields = [HTTPField(name: "Content-Type", value: "text/plain; charset=utf-8")]
    request.body = body
    let (client, host) = (client, url.host)
    let stopwatch = Stopwatch()
    var trail = CredentialTrail([])
    let failure = await withCheckedContinuation { continuation in
      let id = client.send(request, along: &trail, to: PingReceiver { continuation.resume(returning: $0) })
      client.loop.after(limit) { client.loop.cancel(id) }
    }
    switch failure {
    case nil: return nil
    case .cancelled?: return .tooSlow(host: host, after: max(limit, stopwatch.elapsed))
    case let failure?: return .request(host: host, failure)
    }
  }
}

extension PingProblem {
  /// The failure by which a retry is decided.
  fileprivate var failure: Failure {
    switch self {
    case .request(_, let failure): failure
    case .tooSlow(_, let after): .timeout(.stall, after: after)
    case .file, .notURL: .cancelled
    }
  }
}

/// Judges one answer by its status. Lives on the loop's thread.
private final class PingReceiver: HTTPSink {
  private let end: (Failure?) -> Void
  private var failure: Failure?
  private var hasAnswer = false

  init(end: @escaping (Failure?) -> Void) { self.end = end }

  func received(_ head: ResponseHead, proxyFailure: Failure?) -> HeadDecision {
    hasAnswer = true
    failure = proxyFailure ?? ((200..<300).contains(head.status) ? nil : .http(status: head.status))
    return .discard
  }

  func received(_ body: RawSpan) -> Bool { true }

  /// The end of a body that nobody reads does not matter.
  func ended(_ failure: Failure?) { end(hasAnswer ? self.failure : failure) }
}
