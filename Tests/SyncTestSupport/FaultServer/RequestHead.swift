// SPDX-License-Identifier: Apache-2.0

/// The first line and the headers of a request.
struct RequestHead: Equatable, Sendable {
  let method: String
  /// The target as sent: path and query.
  let target: String
  let version: String
  let headers: [HTTPHeader]

  /// The target up to its query.
  var path: String { String(target.prefix { $0 != "?" }) }

  var wantsKeepAlive: Bool {
    let connection = headers["Connection"]?.lowercased()
    return version == "HTTP/1.1" ? connection != "close" : connection == "keep-alive"
  }

  /// The number of body bytes that follow; chunked bodies are not supported.
  var contentLength: Int { headers["Content-Length"].flatMap { Int($0) } ?? 0 }

  /// Nil when the bytes, up to and without the empty line, are not a request.
  init?(_ bytes: some Collection<UInt8>) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
    guard let parts = lines.first?.split(separator: " "), parts.count == 3 else { return nil }
    method = String(parts[0])
    target = String(parts[1])
    version = String(parts[2])
    headers = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return HTTPHeader(String(line[..<colon]), String(value))
    }
  }
}
