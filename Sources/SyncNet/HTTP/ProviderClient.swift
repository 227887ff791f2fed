// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
import SyncDisk
import SyncFormats

/// Sends requests to an OAuth 2 provider, once each. Redirects are not followed, because codes and tokens are for one
/// address.
package struct ProviderClient: Sendable {
  private let client: HTTPClient
  private let learnt: LearntSecrets
  /// The time for one answer, however slowly it comes.
  private static let timeout = Duration.seconds(60)

  package init(_ client: HTTPClient) { (self.client, learnt) = (client, client.settings.learnt) }

  /// The URLs of the provider.
  package func endpoints(of client: OAuthClient) async -> Result<OAuthEndpoints, LoginProblem> {
    guard case .issuer(let issuer) = client.provider else {
      if case .endpoints(let endpoints) = client.provider { return .success(endpoints) }
      preconditionFailure("there are two kinds of providers")
    }
    var problem = LoginProblem.status(host: client.host, 404)
    for url in OAuthAnswer.metadataURLs(of: issuer) {
      switch await send(HTTPRequest(url: url, isFromSource: false, isRedirect: false)) {
      case .failure(let failure): return .failure(failure)
      case .success(let answer) where answer.status == 200:
        return OAuthAnswer.endpoints(answer.body, of: issuer, from: url.origin.text)
      case .success(let answer): problem = .status(host: url.origin.text, answer.status)
      }
    }
    return .failure(problem)
  }

  /// Asks the token endpoint.
  package func grant(
    _ form: [(String, String)], _ client: OAuthClient, _ secret: Secret?, _ endpoints: OAuthEndpoints
  ) async -> Result<TokenGrant, LoginProblem> {
    let url = endpoints.token
    return await post(form, to: url, client, secret, endpoints).flatMap { answer in
      let grant = OAuthAnswer.grant(answer.body, status: answer.status, from: url.origin.text)
      if case .success(let grant) = grant { learnt.add([grant.access, grant.refresh].compactMap(\.self)) }
      return grant
    }
  }

  /// Asks for the offer of a login without a browser.
  package func offer(
    _ client: OAuthClient, _ secret: Secret?, _ endpoints: OAuthEndpoints
  ) async -> Result<DeviceOffer, LoginProblem> {
    guard let url = endpoints.device else { return .failure(.unusable(host: client.host, .noEndpoint(.device))) }
    let form = client.scopes.isEmpty ? [] : [("scope", client.scopes.joined(separator: " "))]
    return await post(form, to: url, client, secret, endpoints).flatMap { answer in
      let offer = OAuthAnswer.offer(answer.body, status: answer.status, from: url.origin.text)
      if case .success(let offer) = offer { learnt.add([offer.code]) }
      return offer
    }
  }

  /// Ends a login (RFC 7009). Does nothing if the provider has no URL for it.
  package func revoke(
    _ tokens: OAuthTokens, _ client: OAuthClient, _ secret: Secret?
  ) async -> Result<Void, LoginProblem> {
    guard let url = tokens.endpoints.revocation else { return .success(()) }
    let form =
      tokens.refresh.map { [("token", $0.exposed), ("token_type_hint", "refresh_token")] }
      ?? [("token", tokens.access.exposed), ("token_type_hint", "access_token")]
    return await post(form, to: url, client, secret, tokens.endpoints).flatMap { answer in
      if (200..<300).contains(answer.status) { return .success(()) }
      return OAuthAnswer.grant(answer.body, status: answer.status, from: url.origin.text).map { _ in () }
    }
  }

  // MARK: Requests

  fileprivate struct Answer: Sendable {
    let status: Int
    let body: [UInt8]
  }

  private func post(
    _ form: [(String, String)], to url: RemoteURL, _ client: OAuthClient, _ secret: Secret?,
    _ endpoints: OAuthEndpoints
  ) async -> Result<Answer, LoginProblem> {
    var form = form
    var request = HTTPRequest(url: url, isFromSource: false, isRedirect: false)
    request.fields = [HTTPField(name: "Content-Type", value: "application/x-www-form-urlencoded")]
    // RFC 6749 §2.3.1: the name and the secret are encoded before they are put together.
    if let secret, !endpoints.takesSecretInBody {
      let password = Secret(FormText.encoded(secret.exposed))
      let field = CredentialField.basic(user: FormText.encoded(client.id), password: password)
      request.fields.append(HTTPField(name: field.name, value: field.value.exposed))
    } else {
      form.append(("client_id", client.id))
      if let secret { form.append(("client_secret", secret.exposed)) }
    }
    request.body = Array(FormText.encoded(form).utf8)
    request.isOnce = true
    return await send(request)
  }

  private func send(_ request: HTTPRequest) async -> Result<Answer, LoginProblem> {
    var request = request
    request.fields.append(HTTPField(name: "Accept", value: "application/json"))
    let host = request.url.origin.text
    guard request.url.isSafeForTokens else {
      return .failure(.unusable(host: host, .insecure(request.url.redacted)))
    }
    var trail = CredentialTrail([])
    let stopwatch = Stopwatch()
    let result = await client.result(of: request, along: &trail, within: Self.timeout) {
      ProviderReceiver(end: $0)
    }
    switch result {
    case .success(let answer?): return .success(answer)
    case .success(nil): return .failure(.unusable(host: host, .tooLarge(limit: OAuthAnswer.maximumSize)))
    case .failure(.cancelled) where !Task.isCancelled && stopwatch.elapsed >= Self.timeout:
      return .failure(.unanswered(host: host, .timeout(.stall, after: Self.timeout)))
    case .failure(let failure): return .failure(.unanswered(host: host, failure))
    }
  }
}

/// Collects one answer; nil for one that is too large. Lives on the loop's thread.
private final class ProviderReceiver: HTTPSink {
  private let end: (Result<ProviderClient.Answer?, Failure>) -> Void
  private var status: Int?
  private var body: [UInt8] = []
  private var failure: Failure?
  private var isTooLarge = false

  init(end: @escaping (Result<ProviderClient.Answer?, Failure>) -> Void) { self.end = end }

  func received(_ head: ResponseHead, proxyFailure: Failure?) -> HeadDecision {
    (status, failure) = (head.status, proxyFailure)
    return .receiveBody
  }

  func received(_ bytes: RawSpan) -> Bool {
    guard failure == nil else { return false }
    isTooLarge = body.count + bytes.byteCount > OAuthAnswer.maximumSize.bytes
    guard !isTooLarge else { return false }
    bytes.withUnsafeBytes { body += $0 }
    return true
  }

  func ended(_ failure: Failure?) {
    if isTooLarge { return end(.success(nil)) }
    if let failure = self.failure ?? failure { return end(.failure(failure)) }
    guard let status else { return end(.failure(.network(detail: "no answer"))) }
    end(.success(ProviderClient.Answer(status: status, body: body)))
  }
}
