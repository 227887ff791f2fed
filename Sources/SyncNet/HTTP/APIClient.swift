// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
import SyncDisk
import SyncFormats

/// Sends requests to servers that answer in JSON: for licences, for histories. A request that failed on its way, or that
/// the server could not serve just now, is repeated as the manifest says. Redirects are not followed: such a server has
/// one address.
package actor APIClient {
  nonisolated package var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  package struct Answer: Sendable {
    package let status: Int
    package let body: [UInt8]
    /// The field `Retry-After`.
    fileprivate let retryAfter: String?
    package var isSuccess: Bool { (200..<300).contains(status) }
  }

  /// The type of a body that is sent.
  package enum ContentType: String, Sendable {
    case json = "application/json"
    case form = "application/x-www-form-urlencoded"
  }

  private let client: HTTPClient
  private let trail: CredentialTrail
  /// The largest answer.
  private let limit: ByteCount
  /// True if nothing is sent once the run has reached one of its limits.
  private let heedsLimits: Bool
  /// The time for one answer, however slowly it comes.
  private static let timeout = Duration.minutes(5)
  private var settings: DownloadSettings { client.settings }

  init(_ client: HTTPClient, _ trail: CredentialTrail, limit: ByteCount, heedsLimits: Bool = true) {
    (self.client, self.trail, self.limit, self.heedsLimits) = (client, trail, limit, heedsLimits)
  }

  package nonisolated var mask: SecretMask { client.settings.mask }

  /// From now on logins at the server go out in the form for servers without tokens, as a source's do.
  func usePlainLogin(at origin: RemoteURL.Origin) { client.state.plainOrigins.insert(origin) }

  /// Sends a request and waits for its answer.
  /// - Parameters:
  ///   - body: Sent by POST. Nil for a GET.
  ///   - repeats: False for a request that must not arrive twice.
  ///   - type: That of the body.
  /// - Returns: Any answer that is not a passing failure of the server.
  package func ask(
    _ url: RemoteURL, _ body: [UInt8]?, repeats: Bool = true, type: ContentType = .json
  ) async -> Result<Answer, Failure> {
    var requests = 1
    guard !isAtLimit else {
      return .failure(.network(detail: Failure.limitOfRunWords))
    }
    while true {
      let result = await askOnce(url, body, type, isOnce: !repeats)
      let failure: Failure
      var pause: Duration?
      switch result {
      case .success(let answer) where StatusMeaning(answer.status).isTransient || answer.status == 429:
        failure = .http(status: answer.status)
        pause = answer.retryAfter.flatMap { RetryAfter.wait($0, now: settings.clock.now()) }
      case .success: return result
      case .failure(let reason): failure = reason
      }
      let (retry, chance) = (settings.rules.retry, client.state.chance())
      guard repeats,
        let delay = pause.map({ retry.delay(requested: $0, requests: requests, chance: chance) })
          ?? retry.delay(after: failure, requests: requests, chance: chance),
        !Task.isCancelled, !client.state.isOffline, !isAtLimit
      else { return .failure(failure) }
      do { try await Task.sleep(for: delay) } catch { return .failure(.cancelled) }
      requests += 1
    }
  }

  private var isAtLimit: Bool { heedsLimits && client.state.reachedLimit != nil }

  private func askOnce(
    _ url: RemoteURL, _ body: [UInt8]?, _ type: ContentType, isOnce: Bool
  ) async -> Result<Answer, Failure> {
    var request = HTTPRequest(url: url, isFromSource: false, isRedirect: false)
    request.fields = [HTTPField(name: "Accept", value: "application/json")]
    if body != nil { request.fields.append(HTTPField(name: "Content-Type", value: type.rawValue)) }
    (request.body, request.isOnce) = (body, isOnce)
    var trail = trail
    let limit = limit
    let stopwatch = Stopwatch()
    let result = await client.result(of: request, along: &trail, within: Self.timeout) {
      AnswerReceiver(limit: limit, end: $0)
    }
    if case .failure(.cancelled) = result, !Task.isCancelled, stopwatch.elapsed >= Self.timeout {
      return .failure(.timeout(.stall, after: Self.timeout))
    }
    return result
  }
}

/// Collects one answer. Lives on the loop's thread.
private final class AnswerReceiver: HTTPSink {
  private let limit: ByteCount
  private let end: (Result<APIClient.Answer, Failure>) -> Void
  private var status: Int?
  private var retryAfter: String?
  private var body: [UInt8] = []
  private var failure: Failure?

  init(limit: ByteCount, end: @escaping (Result<APIClient.Answer, Failure>) -> Void) {
    (self.limit, self.end) = (limit, end)
  }

  func received(_ head: ResponseHead, proxyFailure: Failure?) -> HeadDecision {
    status = head.status
    retryAfter = head["Retry-After"]
    failure = proxyFailure
    return .receiveBody
  }

  func received(_ bytes: RawSpan) -> Bool {
    guard failure == nil else { return false }
    guard body.count + bytes.byteCount <= limit.bytes else {
      failure = .malformedResponse(detail: "more than \(limit.bytes) bytes")
      return false
    }
    bytes.withUnsafeBytes { body += $0 }
    return true
  }

  func ended(_ failure: Failure?) {
    if let failure = self.failure ?? failure { return end(.failure(failure)) }
    guard let status else { return end(.failure(.network(detail: "no answer"))) }
    end(.success(APIClient.Answer(status: status, body: body, retryAfter: retryAfter)))
  }
}
