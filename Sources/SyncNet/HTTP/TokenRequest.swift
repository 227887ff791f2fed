// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk

/// A request with the token of a login. It waits until the token is there. If the server refuses the token with 401, the
/// request goes out once more, with a new one. Confined to the curl loop, which knows it by one id all the time.
final class TokenRequest: TransferReceiver {
  /// Exits: `sent`, or the end.
  private enum Phase {
    case waiting
    /// Exits: `refused`, or the end.
    case sent(AccessToken)
    /// The answer was 401. Exits: `waiting`, or the end.
    case refused(AccessToken)
  }

  private let client: HTTPClient
  private let request: HTTPRequest
  private let url: RemoteURL
  private let credentials: [CredentialField]
  private let source: TokenSource
  private let receiver: HTTPReceiver
  private var phase = Phase.waiting
  private var id: TransferID?
  private var isRepeated = false

  /// - Parameter url: The URL as it is sent, perhaps with https.
  init(
    _ client: HTTPClient, _ request: HTTPRequest, to url: RemoteURL, _ credentials: [CredentialField],
    _ source: TokenSource, _ receiver: HTTPReceiver
  ) {
    (self.client, self.request, self.url) = (client, request, url)
    (self.credentials, self.source, self.receiver) = (credentials, source, receiver)
  }

  func begin() -> TransferID {
    let id = client.loop.reserve(self)
    self.id = id
    if let token = client.state.tokens[source], token.standing(at: client.settings.clock.now()) == .fresh {
      send(token)
    } else {
      client.obtainToken(for: self, source, besides: nil)
    }
    return id
  }

  /// Takes the token that was asked for, or the reason why there is none.
  func received(_ token: Result<AccessToken, Failure>) {
    switch token {
    case .success(let token): send(token)
    case .failure(let failure):
      if let id, client.loop.release(id) { receiver.end(failure) }
    }
  }

  private func send(_ token: AccessToken) {
    guard let id else { return }
    let fields = credentials.map { $0.tokens == nil ? $0 : .bearer(token.secret) }
    phase = .sent(token)
    receiver.begin()
    client.announce(request)
    client.loop.start(id, client.settings.transfer(request, to: url, credentials: fields))
  }

  // MARK: The answer

  func receivedHead(_ head: ResponseHead) -> HeadDecision {
    guard case .sent(let token) = phase, head.status == 401, !isRepeated else { return receiver.receivedHead(head) }
    (phase, isRepeated) = (.refused(token), true)
    receiver.note(head)
    return .discard
  }

  func receivedBody(_ bytes: RawSpan) -> Bool {
    if case .refused = phase { return true }
    return receiver.receivedBody(bytes)
  }

  func finished(_ result: TransferResult) {
    guard case .refused(let token) = phase, let id, !result.isCancelled else { return receiver.finished(result) }
    phase = .waiting
    client.loop.reserve(id, self)
    client.obtainToken(for: self, source, besides: token.secret)
  }
}

extension TransferResult {
  fileprivate var isCancelled: Bool { if case .failed(.cancelled) = self { true } else { false } }
}
