// SPDX-License-Identifier: Apache-2.0

/// A request and its terms. Everything that the caller does not set is off: no redirects, no cookies, no netrc, no
/// proxy, no content coding, only http and https.
package struct TransferRequest: Sendable {
  package enum Method: Sendable {
    case get, head
    /// The caller sets the content type in the fields.
    case post([UInt8])
    case put([UInt8])
  }

  package enum HTTPChoice: Sendable {
    /// HTTP/2 if TLS negotiates it, otherwise HTTP/1.1.
    case automatic
    case onlyHTTP1
  }

  package enum MinimumTLS: Sendable { case tls12, tls13 }

  package enum Proxy: Sendable {
    case none
    /// `http_proxy`, `https_proxy`, `no_proxy` and similar variables.
    case environment
    case url(String)
  }

  /// Absolute, http or https. A user and password in the URL are sent to its host as Basic credentials.
  package var url: String
  package var method: Method = .get
  package var fields: [HeaderField] = []
  package var range: ByteRange?
  package var userAgent: String?
  /// True to request the body in any coding that libcurl decodes, and to deliver it decoded. A decoded body may be a
  /// thousand times as long as announced and sent, so the receiver must limit it.
  package var acceptsCompression = false
  /// The limit for name resolution, connection and TLS handshake together. Zero or less fails at once.
  package var connectTimeout: Duration = .seconds(15)
  /// The longest time in which less than 1 KiB of the body may arrive after the request is sent.
  /// A paused transfer does not stall.
  package var stallTimeout: Duration = .seconds(30)
  package var http: HTTPChoice = .automatic
  /// True to open a connection for the request. libcurl repeats a request if a connection from an earlier one ends
  /// before its first byte, which the server may have read.
  package var isOnFreshConnection = false
  package var minimumTLS: MinimumTLS = .tls12
  /// A PEM file that replaces the system's certificates.
  package var caFile: String?
  /// Public keys as `sha256//BASE64`. The server must have one of them.
  package var pinnedPublicKeys: [String] = []
  package var proxy: Proxy = .none
  /// Returns true if a connection to this address may be opened, or an open one used. Runs on the loop's thread. With a
  /// proxy it gets the proxy's address, since the connection goes there.
  package var allowsAddress: (@Sendable (SocketAddressText) -> Bool)?

  package init(url: String) { self.url = url }
}

/// The bytes to request: `first` to `last`, or to the end (RFC 9110 §14.1.2).
package struct ByteRange: Hashable, Sendable {
  package let first: Int64
  /// Inclusive.
  package let last: Int64?

  /// Returns nil for a negative offset or an end before the beginning.
  package init?(from first: Int64, through last: Int64? = nil) {
    guard first >= 0, last.map({ $0 >= first }) ?? true else { return nil }
    self.first = first
    self.last = last
  }

  /// The part of a `Range` field after `bytes=`.
  var text: String { "\(first)-\(last.map(String.init) ?? "")" }
}

/// The identity of one transfer of one loop, never reused.
package struct TransferID: Hashable, Sendable {
  let number: UInt64
}

/// The treatment of the body that a head announces.
package enum HeadDecision: Sendable {
  case receiveBody
  /// As `receiveBody`, but with the bytes as they were sent, although the request accepts compression. A libcurl that
  /// cannot change this after the head delivers them decoded: the receiver can tell by the first bytes.
  case receiveAsSent
  /// The head is enough. A small body is read and dropped to keep the connection; a large one is cut off.
  case discard
  /// Ends at once with `TransferError.abortedByReceiver`.
  case abort
}

/// The recipient of one transfer. Every call comes on the loop's thread: at most one `receivedHead`, then any number of
/// `receivedBody`, and in every case exactly one `finished`. The loop may be used inside any of these calls.
package protocol TransferReceiver: AnyObject {
  /// Receives the complete header section of the final response, never that of a 1xx or of a proxy's CONNECT.
  func receivedHead(_ head: ResponseHead) -> HeadDecision
  /// Receives at most 16 KiB of body, never empty, valid during the call.
  /// - Returns: False to end with `TransferError.abortedByReceiver`.
  func receivedBody(_ bytes: RawSpan) -> Bool
  func finished(_ result: TransferResult)
}
