// SPDX-License-Identifier: Apache-2.0

/// What to ask a server for, and on what terms. Everything a caller does not say is off: no redirects, no cookies, no
/// netrc, no proxy, no content coding, nothing but http and https.
package struct TransferRequest: Sendable {
  package enum Method: Sendable {
    case get, head
    /// The caller names the content type among the fields.
    case post([UInt8])
    case put([UInt8])
  }

  package enum HTTPChoice: Sendable {
    /// HTTP/2 where TLS agrees on it, else HTTP/1.1.
    case automatic
    case onlyHTTP1
  }

  package enum MinimumTLS: Sendable { case tls12, tls13 }

  package enum Proxy: Sendable {
    case none
    /// `http_proxy`, `https_proxy`, `no_proxy` and their like.
    case environment
    case url(String)
  }

  /// Absolute, http or https. A user and password in it are sent to that host as Basic credentials.
  package var url: String
  package var method: Method = .get
  package var fields: [HeaderField] = []
  package var range: ByteRange?
  package var userAgent: String?
  /// Ask for the body in any coding that libcurl decodes, and give it decoded. A decoded body may be a thousand times
  /// as long as what was announced and sent: the receiver has to bound it.
  package var acceptsCompression = false
  /// Name resolution, connection and TLS handshake together. Zero or less: refused at once.
  package var connectTimeout: Duration = .seconds(15)
  /// The longest time in which less than 1 KiB of the body comes, once the request is on its way. A paused transfer does
  /// not stall.
  package var stallTimeout: Duration = .seconds(30)
  package var http: HTTPChoice = .automatic
  package var minimumTLS: MinimumTLS = .tls12
  /// PEM; instead of the system's certificates.
  package var caFile: String?
  /// `sha256//BASE64` of public keys, one of which the server must have.
  package var pinnedPublicKeys: [String] = []
  package var proxy: Proxy = .none
  /// Whether a connection to this address may be opened, or an open one used. Runs on the loop's thread. With a proxy
  /// it sees the proxy's address, since that is where the connection goes.
  package var allowsAddress: (@Sendable (SocketAddressText) -> Bool)?

  package init(url: String) { self.url = url }
}
