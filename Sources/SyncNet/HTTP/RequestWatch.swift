// SPDX-License-Identifier: Apache-2.0
import Curl
import Glibc
import SyncCore
import Synchronization

/// Sees every request of a run: reports it, and judges by all of them whether there is a network at all.
package final class RequestWatch: Sendable {
  let emit: @Sendable (RunEvent) -> Void
  let mask: SecretMask
  private let mayBeOffline: Bool
  private let state = Mutex(Reachability())
  private let isAnnounced = Mutex(false)

  init(_ manifest: Manifest, _ mask: SecretMask, emit: @escaping @Sendable (RunEvent) -> Void) {
    self.emit = emit
    self.mask = mask
    // Requests to this machine itself need no network.
    mayBeOffline = !manifest.namesLocalHost && !manifest.downloads.leadsThroughLocalHost
  }

  /// True if the first request failed and this machine has no route to the outside.
  package var isOffline: Bool { judge { $0.isOffline(hasRoute: $1) } }

  /// True if a request failed up to its last retry, as did everything else.
  package var isOfflineAfterRetries: Bool { judge { $0.isOfflineAfterRetries(hasRoute: $1) } }

  /// True if no request has been answered so far.
  var isUnanswered: Bool { mayBeOffline && !state.withLock { $0.hasAnswer } }

  /// Reports once that there is no network.
  package func announceOffline() {
    let isFirst = isAnnounced.withLock { isAnnounced in
      defer { isAnnounced = true }
      return !isAnnounced
    }
    if isFirst { emit(.warned(.offline)) }
  }

  func note(_ evidence: Reachability.Evidence, host: String) { state.withLock { $0.note(evidence, host: host) } }

  private func judge(_ rule: (Reachability, Bool?) -> Bool) -> Bool {
    guard mayBeOffline else { return false }
    let now = state.withLock { $0 }
    // The kernel is asked only where its answer would count.
    return rule(now, false) && rule(now, Routes.haveWayOut())
  }
}

extension DownloadPolicy {
  /// True if the environment names a proxy on this machine.
  var leadsThroughLocalHost: Bool { proxy == .environment && ProxyEnvironment.current.namesLocalHost }
}

extension DownloadSettings {
  /// The same receiver, observed by the watch.
  func watched(_ receiver: any TransferReceiver, _ url: RemoteURL, from offset: ByteCount? = nil)
    -> any TransferReceiver
  {
    watch.emit(.asked(.sent(mask.masked(url), from: offset ?? .zero)))
    return WatchedReceiver(receiver, url: url, settings: self)
  }
}

/// Lives on the loop's thread, as every receiver does.
private final class WatchedReceiver: TransferReceiver {
  private let receiver: any TransferReceiver
  private let url: RemoteURL
  private let settings: DownloadSettings
  /// The time when the request went out, on the clock of hosts.
  private let asked: Duration
  private var hasHead = false

  init(_ receiver: any TransferReceiver, url: RemoteURL, settings: DownloadSettings) {
    self.receiver = receiver
    self.url = url
    self.settings = settings
    asked = settings.hosts.time
  }

  func receivedHead(_ head: ResponseHead) -> HeadDecision {
    hasHead = true
    settings.watch.note(.answered, host: url.host)
    if let failure = settings.proxyFailure(head, url) {
      settings.hosts.note(failure, from: url, asked: asked)
    } else {
      settings.hosts.note(head, from: url, asked: asked)
    }
    settings.watch.emit(.asked(.answered(settings.mask.masked(url), status: head.status)))
    return receiver.receivedHead(head)
  }

  func receivedBody(_ bytes: RawSpan) -> Bool {
    settings.allowance.take(bytes.byteCount)
    return receiver.receivedBody(bytes)
  }

  func finished(_ result: TransferResult) {
    if case .failed(let error) = result, !hasHead {
      if let evidence = error.evidence { settings.watch.note(evidence, host: url.host) }
      let failure = settings.failure(error, url)
      if error.isOfHost { settings.hosts.note(failure, from: url, asked: asked) }
      settings.watch.emit(.asked(.unanswered(settings.mask.masked(url), failure)))
    }
    receiver.finished(result)
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
