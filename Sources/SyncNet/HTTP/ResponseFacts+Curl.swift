// SPDX-License-Identifier: Apache-2.0
package import Curl
import Glibc
package import SyncCore

extension ResponseFacts {
  init(_ head: ResponseHead) {
    self.init(status: head.status)
    // A transfer coding overrides `Content-Length`, which is ignored (RFC 9112 §6.3).
    contentLengths = head.framing == .chunked ? [] : head.values(of: "Content-Length")
    contentRange = head["Content-Range"]
    contentType = head["Content-Type"]
    contentEncoding = head["Content-Encoding"]
    etag = head["ETag"]
    lastModified = head["Last-Modified"]
    date = head["Date"]
    acceptRanges = head["Accept-Ranges"]
    retryAfter = head["Retry-After"]
    location = head.redirectTarget
    marksEnd = head.framing.marksEnd
  }
}

extension ResponseHead {
  /// The proxy's description of the problem, where it answered in place of the server: a 407 (RFC 9110 §15.5.8),
  /// squid's own error page, tinyproxy's, or `Proxy-Status` with an error (RFC 9209 §2.1.1). Nil for a response of the
  /// server.
  var proxyProblem: String? {
    if status == 407 { return "it wants a user and a password that are valid (status 407)" }
    if let error = self["X-Squid-Error"]?.split(separator: " ").first { return "\(error) (status \(status))" }
    // tinyproxy answers 401 to a wrong password, and passes on the `Server` fields of others.
    if status >= 400, self["Server"]?.hasPrefix("tinyproxy/") == true { return "status \(status)" }
    guard let text = self["Proxy-Status"], let start = text.firstRange(of: "error=") else { return nil }
    return "\(text[start.upperBound...].prefix { $0 != ";" && $0 != "," && $0 != " " }) (status \(status))"
  }
}

extension Failure {
  /// - Parameters:
  ///   - url: the URL of the request.
  ///   - proxy: the proxy that the request went through.
  ///   - connect: the connect timeout that was in force.
  package init(_ error: TransferError, url: RemoteURL, proxy: ProxyURL?, connect: Duration) {
    switch error {
    case .couldNotResolveHost: self = .dns(host: url.host)
    case .couldNotResolveProxy(let detail), .proxyFailed(let detail):
      self = .proxy(proxy?.redacted ?? "", detail: detail)
    case .sendFailed(_, let detail), .receiveFailed(_, let detail), .http2(let detail):
      self = .network(detail: detail)
    case .couldNotConnect(let errno, let detail):
      let reason = errno == 0 ? nil : String(cString: strerror(errno)).lowercased()
      if let proxy {
        self = .proxy(proxy.redacted, detail: reason ?? detail)
      } else {
        self = .network(detail: reason.map { "\(url.host):\(url.origin.port): \($0)" } ?? detail)
      }
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
    case .unaskedBytes: self = .network(detail: "the connection carried bytes that nobody asked for")
    case .headersTooLarge: self = .malformedResponse(detail: "its header is too large")
    case .malformedResponse(let detail): self = .malformedResponse(detail: detail)
    case .unsupportedURL: self = .invalidURL(url.redacted)
    case .abortedByReceiver, .cancelled: self = .cancelled
    case .outOfMemory: self = .engine(.outOfMemory, detail: "out of memory")
    case .other(let code, let detail): self = .engine(EngineCode(code), detail: detail)
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
      case .clientCertificate: .clientCertificate
      case .other: .other
      }
  }
}
