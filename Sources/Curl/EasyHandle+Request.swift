// SPDX-License-Identifier: Apache-2.0

import CCurl

extension EasyHandle {
  /// Sets every option: first the fixed ones, then those of the request.
  func apply(_ request: TransferRequest) throws(TransferError) {
    try watch()
    try applyHouseRules()
    // libcurl encodes such bytes in a path, but sends those of a query as they are.
    try set(CURLOPT_URL, URLOctets(request.url.utf8).encoded)
    try apply(request.method)
    try setFields(Self.fieldLines(of: request))
    if let range = request.range { try set(CURLOPT_RANGE, range.text) }
    if let agent = request.userAgent { try set(CURLOPT_USERAGENT, agent) }
    if request.isOnFreshConnection { try avoidReuse() }
    if request.acceptsCompression {
      // An empty string requests all codings that this libcurl was built with.
      // Codings that are sent unasked are decoded too.
      try set(CURLOPT_ACCEPT_ENCODING, "")
      try set(CURLOPT_HTTP_CONTENT_DECODING, 1)
    }
    try set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.connectTimeout))
    try set(CURLOPT_HTTP_VERSION, request.http == .onlyHTTP1 ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
    try applySecurity(of: request)
    try apply(request.proxy)
  }

  /// The options that no caller may change.
  private func applyHouseRules() throws(TransferError) {
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    try set(CURLOPT_HTTP09_ALLOWED, 0)
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Header fields go to the origin only, never to a proxy.
    try set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    try set(CURLOPT_NOSIGNAL, 1)
    // Otherwise a name server that does not answer blocks the whole loop, because
    // ending such a transfer waits for its resolver.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_BUFFERSIZE, Self.bufferSize)
    try set(CURLOPT_TCP_KEEPALIVE, 1)
    // Longer than most delays before a retry. By default libcurl does not reuse a connection that was idle for 118 s.
    try set(CURLOPT_MAXAGE_CONN, 600)
  }

  private func apply(_ method: TransferRequest.Method) throws(TransferError) {
    switch method {
    case .get: try set(CURLOPT_HTTPGET, 1)
    case .head: try set(CURLOPT_NOBODY, 1)
    case .post(let body):
      try set(CURLOPT_POST, 1)
      try setBody(body)
    case .put(let body):
      try set(CURLOPT_POST, 1)
      try setBody(body)
      try set(CURLOPT_CUSTOMREQUEST, "PUT")
    }
  }

  /// The fields in libcurl's notation: `Name: value`, `Name;` for an empty value, `Name:` to suppress a field that
  /// libcurl would send itself.
  private static func fieldLines(of request: TransferRequest) -> [String] {
    var lines = request.fields.filter { !$0.isNamed("Accept-Encoding") }
      .map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    if !request.acceptsCompression { lines.append("Accept-Encoding: identity") }
    // Waiting for permission to send a large body costs a second with servers that ignore the request.
    lines.append("Expect:")
    return lines
  }

  private func applySecurity(of request: TransferRequest) throws(TransferError) {
    let least = request.minimumTLS == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
    try set(CURLOPT_SSLVERSION, least)
    try set(CURLOPT_PROXY_SSLVERSION, least)
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    if let file = request.caFile {
      try set(CURLOPT_CAINFO, file)
      try set(CURLOPT_PROXY_CAINFO, file)
      // Otherwise the system's certificate directory would be trusted as well.
      try set(CURLOPT_CAPATH, pointer: nil)
      try set(CURLOPT_PROXY_CAPATH, pointer: nil)
    }
    if !request.pinnedPublicKeys.isEmpty {
      try set(CURLOPT_PINNEDPUBLICKEY, request.pinnedPublicKeys.joined(separator: ";"))
    }
  }

  private func apply(_ proxy: TransferRequest.Proxy) throws(TransferError) {
    switch proxy {
    case .none: try set(CURLOPT_PROXY, "")
    case .environment: return
    case .url(let url):
      try set(CURLOPT_PROXY, url)
      // `no_proxy` applies only to proxies from the environment.
      try set(CURLOPT_NOPROXY, "")
    }
  }

  /// At least 1, since libcurl takes 0 as its own default.
  private static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    let whole = Int(clamping: seconds).multipliedReportingOverflow(by: 1000)
    return whole.overflow
      ? Int(Int32.max) : min(max(1, whole.partialValue + Int(attoseconds / 1_000_000_000_000_000)), Int(Int32.max))
  }
}
