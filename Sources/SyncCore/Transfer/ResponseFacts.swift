// SPDX-License-Identifier: Apache-2.0

/// The parts of a final response's header that a download uses.
package struct ResponseFacts: Equatable, Sendable {
  package var status: Int
  /// All `Content-Length` values of the response.
  package var contentLengths: [String] = []
  package var contentRange: String?
  package var contentType: String?
  package var contentEncoding: String?
  package var etag: String?
  package var lastModified: String?
  package var date: String?
  package var acceptRanges: String?
  package var retryAfter: String?
  /// `Location`, resolved against the request's URL.
  package var location: String?
  /// Set if the proxy answered instead of the server because it failed itself.
  package var proxyFailure: Failure?
  /// True if the protocol marks the end of a body of unknown length, so that a body that ended was not cut: a chunked
  /// transfer coding (RFC 9112 §7.1), or a stream of HTTP/2 or HTTP/3.
  package var marksEnd = false
  package init(status: Int) { self.status = status }

  /// The entity tag, otherwise a strong modification date (RFC 9110 §8.8.2.2).
  package var validator: HTTPValidator? {
    if let etag { return HTTPValidator(anyETag: etag) }
    guard let lastModified, let modified = Timestamp(httpDate: lastModified),
      let date = date.flatMap({ Timestamp(httpDate: $0) }), date - modified >= .seconds(60)
    else { return nil }
    return .lastModified(lastModified)
  }

  /// True if the server has shown or announced support for ranges (RFC 9110 §14.3).
  package var provesRanges: Bool {
    status == 206
      || (acceptRanges ?? "").lowercased().split(separator: ",").map(trimmed).contains("bytes")
  }

  /// Returns the announced length. Throws if the values are malformed or contradict each other (RFC 9110 §8.6).
  func contentLength() throws(Failure) -> Int64? {
    let values = Set(
      contentLengths.flatMap { (field: String) in
        field.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
      })
    guard let value = values.first else { return nil }
    guard values.count == 1, let length = decimal(value) else {
      throw .malformedResponse(detail: "Content-Length: \(contentLengths.joined(separator: ", "))")
    }
    return length
  }
}

/// The text without surrounding white space (OWS, RFC 9110 §5.6.3).
private func trimmed(_ text: Substring) -> String {
  var text = text.drop { $0 == " " || $0 == "\t" }
  while text.last == " " || text.last == "\t" { text.removeLast() }
  return String(text)
}

/// The treatment of a response, decided before its first byte is written.
package enum ResponseVerdict: Equatable, Sendable {
  /// Write the body from `offset`; zero starts over. `total` is the full size if announced.
  case receive(offset: ByteCount, total: ByteCount?)
  /// The partial is already complete.
  case alreadyComplete
  /// The response to the range request cannot be used. Request everything once more.
  case restart
  case redirect(to: String)
  case fail(Failure)
  /// The server asks for no requests during that time.
  case wait(Failure, Duration)
}

extension ResponseFacts {
  /// - Parameter asked: The range request. Nil if the whole representation was requested.
  package func verdict(asked: RangeRequest?, now: Timestamp) -> ResponseVerdict {
    if let proxyFailure { return .fail(proxyFailure) }
    do throws(Failure) {
      switch StatusMeaning(status) {
      case .whole: return try whole()
      case .part: return try part(asked)
      case .unsatisfiable: return unsatisfiable(asked)
      case .redirect: return redirection()
      case .pause:
        if let wait = retryAfter.flatMap({ RetryAfter.wait($0, now: now) }) {
          return .wait(.http(status: status), wait)
        }
        return .fail(.http(status: status))
      case .unusable: return .fail(.malformedResponse(detail: "status \(status) to a plain GET"))
      case .interim, .transient, .final: return .fail(.http(status: status))
      }
    } catch { return .fail(error) }
  }

  private func whole() throws(Failure) -> ResponseVerdict {
    try refuseEncoding()
    let length = try contentLength()
    if length == 0 { return .fail(.emptyBody) }
    return .receive(offset: .zero, total: length.map(ByteCount.init))
  }

  /// Accepts a `206` only if it is exactly the requested range of the same representation.
  private func part(_ asked: RangeRequest?) throws(Failure) -> ResponseVerdict {
    guard let asked else { return .fail(.malformedResponse(detail: "status 206 without a range asked for")) }
    guard !isEncoded, !isMultipart,
      case .bytes(let first, let last, let total)? = contentRange.flatMap({ ContentRange($0) }),
      first == asked.first.bytes, !disagrees(with: asked),
      // Without a total, nothing shows that the part reaches the end of the same representation.
      let whole = total, last == min(asked.end?.bytes ?? whole, whole) - 1,
      asked.total == nil || whole == asked.total?.bytes
    else { return .restart }
    let length = try contentLength()
    guard length == nil || length == last - first + 1 else { return .restart }
    return .receive(offset: asked.offset, total: ByteCount(whole))
  }

  /// True if the response contradicts the validator sent in `If-Range`. A `206` carries the entity tag that a `200`
  /// would carry (RFC 9110 §15.3.7). It may omit a date, but an entity tag does not appear where there was none.
  private func disagrees(with asked: RangeRequest) -> Bool {
    switch asked.condition {
    case .strongETag(let value): etag.map { $0 != value } ?? (status == 206)
    case .lastModified(let value): etag != nil || lastModified.map { $0 != value } ?? false
    case .weakETag, nil: false
    }
  }

  private func unsatisfiable(_ asked: RangeRequest?) -> ResponseVerdict {
    guard let asked else { return .fail(.http(status: 416)) }
    guard case .unsatisfied(let total)? = contentRange.flatMap({ ContentRange($0) }), total == asked.offset.bytes,
      // If the file had only that many bytes, the first requested byte would exist and the range would be satisfiable.
      total <= asked.first.bytes,
      asked.total == nil || asked.total == asked.offset, !disagrees(with: asked)
    else { return .restart }
    return .alreadyComplete
  }

  private func redirection() -> ResponseVerdict {
    guard let location, !location.isEmpty else {
      return .fail(.malformedResponse(detail: "status \(status) without a Location"))
    }
    return .redirect(to: location)
  }

  private func refuseEncoding() throws(Failure) {
    guard isEncoded else { return }
    throw .malformedResponse(detail: "Content-Encoding: \(contentEncoding ?? "")")
  }

  private var isEncoded: Bool { !["", "identity"].contains((contentEncoding ?? "").lowercased()) }

  /// True for several parts with headers of their own (RFC 9110 §14.6), which are not plain bytes of the file.
  private var isMultipart: Bool { contentType?.lowercased().hasPrefix("multipart/") ?? false }
}
