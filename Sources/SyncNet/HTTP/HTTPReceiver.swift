// SPDX-License-Identifier: Apache-2.0
import Curl
import Glibc
import SyncCore

/// Learns from a response what other requests have to know, and hands it on.
final class HTTPReceiver: TransferReceiver {
  private let url: RemoteURL
  /// The same URL as it was sent, perhaps with https.
  private let sent: RemoteURL
  private let sink: any HTTPSink
  private let state: NetworkState
  /// The time when the request went out, on the clock of hosts.
  private var asked: Duration
  private var hasHead = false

  init(_ url: RemoteURL, sent: RemoteURL, sink: any HTTPSink, state: NetworkState) {
    self.url = url
    self.sent = sent
    self.sink = sink
    self.state = state
    asked = state.time
  }

  private var settings: DownloadSettings { state.settings }

  func receivedHead(_ head: ResponseHead) -> HeadDecision {
    let proxyFailure = note(head)
    return sink.received(head, proxyFailure: proxyFailure)
  }

  /// Notes a response that the sink does not get.
  /// - Returns: The failure of the proxy if it answered in place of the server.
  @discardableResult
  func note(_ head: ResponseHead) -> Failure? {
    hasHead = true
    let proxyFailure = settings.proxyFailure(head, sent)
    state.note(.answered, host: url.host)
    state.noteHSTS(head, from: sent)
    if let proxyFailure {
      state.note(proxyFailure, from: url, asked: asked)
    } else {
      state.note(head, from: url, asked: asked)
    }
    state.emit(.asked(.answered(settings.mask.masked(url), status: head.status)))
    return proxyFailure
  }

  /// Notes that the request goes out now, perhaps for a second time.
  func begin() { (hasHead, asked) = (false, state.time) }

  /// Ends the request before it goes out.
  func end(_ failure: Failure) { sink.ended(failure) }

  func receivedBody(_ bytes: RawSpan) -> Bool {
    state.budget.take(ByteCount(Int64(bytes.byteCount)))
    return sink.received(bytes)
  }

  func finished(_ result: TransferResult) {
    guard case .failed(let error) = result else { return sink.ended(nil) }
    let failure = settings.failure(error, url, sent: sent)
    if !hasHead {
      if let evidence = error.evidence { state.note(evidence, host: url.host) }
      if error.isOfHost { state.note(failure, from: url, asked: asked) }
      state.emit(.asked(.unanswered(settings.mask.masked(url), failure)))
    }
    sink.ended(failure)
  }
}

extension TransferError {
  /// True if the request had no response through no fault of ours.
  fileprivate var isOfHost: Bool {
    switch self {
    case .cancelled, .abortedByReceiver, .outOfMemory, .unsupportedURL, .forbiddenAddress: false
    default: true
    }
  }

  /// The evidence about the network from a request without a response; nil for an error that has nothing to do with it.
  fileprivate var evidence: Reachability.Evidence? {
    switch self {
    case .couldNotResolveHost, .couldNotResolveProxy: .unreached
    case .couldNotConnect(let code, _): code == ECONNREFUSED ? .answered : .unreached
    case .connectTimedOut(.resolving), .connectTimedOut(.connecting): .unreached
    case .connectTimedOut(.securing): .answered
    case .cancelled, .abortedByReceiver, .outOfMemory, .unsupportedURL, .forbiddenAddress: nil
    default: .answered
    }
  }
}
