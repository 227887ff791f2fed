// SPDX-License-Identifier: Apache-2.0

/// One response as it will be sent.
struct Reply: Sendable {
  var status: Int
  var headers: [HTTPHeader]
  var body: Body
  /// The part of the body that belongs to this response.
  var range: Range<Int>
  var framing: Behaviour.Framing

  init(
    status: Int, headers: [HTTPHeader] = [], body: Body = .bytes([]), range: Range<Int>? = nil,
    framing: Behaviour.Framing = .contentLength
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.range = range ?? 0..<body.count
    self.framing = framing
  }

  /// True when only the end of the connection ends the body.
  var endsWithConnection: Bool {
    switch framing {
    case .contentLength: false
    case .announced(let text): text != String(range.count)
    case .chunked(let complete): !complete
    case .untilClose: true
    }
  }

  /// Status line and headers, with the empty line.
  func head(keepAlive: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(Self.reason(status))", "Date: \(HTTPDate.now())"]
    lines += headers.map { "\($0.name): \($0.value)" }
    lines += framingLines
    if !keepAlive { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private var framingLines: [String] {
    switch framing {
    case .contentLength: Self.isBodiless(status) ? [] : ["Content-Length: \(range.count)"]
    case .announced(let text): ["Content-Length: \(text)"]
    case .chunked: ["Transfer-Encoding: chunked"]
    case .untilClose: []
    }
  }

  static func isBodiless(_ status: Int) -> Bool { status == 204 || status == 304 || status < 200 }

  private static func reason(_ status: Int) -> String {
    let reasons = [
      200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 304: "Not Modified",
      400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
      405: "Method Not Allowed", 410: "Gone", 413: "Content Too Large", 416: "Range Not Satisfiable",
      429: "Too Many Requests", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
      503: "Service Unavailable",
    ]
    return reasons[status] ?? "Status \(status)"
  }
}
