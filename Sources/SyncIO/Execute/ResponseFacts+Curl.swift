// SPDX-License-Identifier: Apache-2.0
import Curl
import Glibc
import SyncCore

extension ResponseFacts {
  init(_ head: ResponseHead) {
    self.init(status: head.status)
    contentLengths = head.values(of: "Content-Length")
    contentRange = head["Content-Range"]
    contentType = head["Content-Type"]
    contentEncoding = head["Content-Encoding"]
    etag = head["ETag"]
    lastModified = head["Last-Modified"]
    date = head["Date"]
    retryAfter = head["Retry-After"]
    location = head.redirectTarget
  }
}

extension Failure {
  /// - Parameters:
  ///   - url: what was asked for.
  ///   - connect: the connect timeout that was in force.
  init(_ error: TransferError, url: RemoteURL, connect: Duration) {
    switch error {
    case .couldNotResolveHost: self = .dns(host: url.host)
    case .couldNotResolveProxy(let detail), .proxyFailed(let detail), .sendFailed(_, let detail),
      .receiveFailed(_, let detail), .http2(let detail):
      self = .network(detail: detail)
    case .couldNotConnect(let errno, let detail):
      let place = "\(url.host):\(url.origin.port)"
      self = .network(detail: errno == 0 ? detail : "\(place): \(String(cString: strerror(errno)).lowercased())")
    case .connectTimedOut: self = .timeout(.connect, after: connect)
    case .stalled(let after): self = .timeout(.stall, after: after)
    case .forbiddenAddress(let address): self = .forbiddenAddress(address.address)
    case .tls(let problem, let detail): self = .tls(Failure.TLSProblem(problem), detail: detail)
    case .connectionReset: self = .network(detail: "the connection was reset")
    case .emptyReply: self = .network(detail: "the server closed the connection without an answer")
    case .headersCutOff: self = .network(detail: "the answer broke off in its header")
    case .closedEarly(let received, let expected):
      if let expected, let received = ByteCount(exactly: received), let expected = ByteCount(exactly: expected) {
        self = .shortBody(received: received, expected: expected)
      } else {
        self = .network(detail: "the answer broke off")
      }
    case .bodyTooLong(let announced): self = .malformedResponse(detail: "more than the announced \(announced) bytes")
    case .headersTooLarge: self = .malformedResponse(detail: "its header is too large")
    case .malformedResponse(let detail): self = .malformedResponse(detail: detail)
    case .unsupportedURL: self = .invalidURL(url.redacted)
    case .abortedByReceiver, .cancelled: self = .cancelled
    case .outOfMemory: self = .network(detail: "out of memory")
    case .other(_, let detail): self = .network(detail: detail)
    }
  }
}

extension Failure.TLSProblem {
  fileprivate init(_ problem: TransferError.TLSProblem) {
    self =
      switch problem {
      case .verification: .verification
      case .pinMismatch: .pin
      case .handshake: .handshake
      case .caFile: .caFile
      case .other: .other
      }
  }
}
