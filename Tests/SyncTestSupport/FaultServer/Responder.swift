// SPDX-License-Identifier: Apache-2.0

/// Turns a request, a resource and a behaviour into a reply. It does not use a socket.
struct Responder {
  let request: RequestHead
  /// Nil when nothing is served at the path.
  let resource: Resource?
  var behaviour: Behaviour

  /// True if the behaviour leaves the answer to the path.
  var servesResource: Bool {
    if case .resource = behaviour.answer { behaviour.entity == nil } else { false }
  }

  /// The reply; nil for a behaviour that sends raw bytes in its place.
  func reply() -> Reply? {
    switch behaviour.answer {
    case .raw: nil
    case .status(let code, let headers, let body):
      finished(Reply(status: code, headers: headers, body: .bytes(body), framing: behaviour.framing))
    case .resource: finished(resourceReply())
    }
  }

  private func finished(_ reply: Reply) -> Reply {
    var reply = reply
    reply.headers = reply.headers.replacing(behaviour.headers)
    return reply
  }

  private func resourceReply() -> Reply {
    guard let resource = behaviour.entity ?? resource else {
      return Reply(status: 404, headers: [HTTPHeader("Content-Type", "text/plain")], body: .bytes(Array("gone\n".utf8)))
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      return Reply(status: 405, headers: [HTTPHeader("Allow", "GET, HEAD")])
    }
    if Conditions(headers: request.headers).notModified(resource) {
      return Reply(status: 304, headers: validators(of: resource))
    }
    return entityReply(resource)
  }

  private func entityReply(_ resource: Resource) -> Reply {
    let total = resource.body.count
    if case .unsatisfiable(let claimed) = behaviour.ranges { return unsatisfiable(total: claimed ?? total) }
    switch asked(of: resource) {
    case .whole: return whole(resource)
    case .unsatisfiable: return unsatisfiable(total: total)
    case .part(let range): return partial(resource, range)
    }
  }

  private func asked(of resource: Resource) -> RangeRequest {
    if case .ignored = behaviour.ranges { return .whole }
    guard behaviour.ignoresIfRange || Conditions(headers: request.headers).rangeApplies(to: resource) else {
      return .whole
    }
    return RangeRequest(request.headers["Range"], total: resource.body.count)
  }

  private func whole(_ resource: Resource) -> Reply {
    var headers = description(of: resource)
    if case .ignored = behaviour.ranges {} else { headers.append(HTTPHeader("Accept-Ranges", "bytes")) }
    return Reply(status: 200, headers: headers, body: resource.body, framing: behaviour.framing)
  }

  private func unsatisfiable(total: Int) -> Reply {
    Reply(status: 416, headers: [HTTPHeader("Content-Range", "bytes */\(total)")])
  }

  private func partial(_ resource: Resource, _ range: Range<Int>) -> Reply {
    let headers = description(of: resource)
    let total = resource.body.count
    let label = { (start: Int, end: Int, total: String) in
      HTTPHeader("Content-Range", "bytes \(start)-\(end - 1)/\(total)")
    }
    let part = { (headers: [HTTPHeader], range: Range<Int>) in
      Reply(status: 206, headers: headers, body: resource.body, range: range, framing: behaviour.framing)
    }
    switch behaviour.ranges {
    case .honest, .ignored, .unsatisfiable:
      return part(headers + [label(range.lowerBound, range.upperBound, "\(total)")], range)
    case .lying(let start, let claimed):
      let start = start ?? range.lowerBound
      return part(headers + [label(start, start + range.count, claimed ?? "\(total)")], range)
    case .unlabelled: return part(headers, range)
    case .shifted:
      return part(headers + [label(range.lowerBound, range.upperBound, "\(total)")], 0..<range.count)
    case .fromZero: return part(headers + [label(0, total, "\(total)")], 0..<total)
    case .multipart: return multipart(resource, range, label(range.lowerBound, range.upperBound, "\(total)"))
    }
  }

  private func multipart(_ resource: Resource, _ range: Range<Int>, _ label: HTTPHeader) -> Reply {
    let start = "--part\r\nContent-Type: \(resource.contentType)\r\n\(label.name): \(label.value)\r\n\r\n"
    let bytes = Array(start.utf8) + resource.body.bytes(in: range) + Array("\r\n--part--\r\n".utf8)
    let type = HTTPHeader("Content-Type", "multipart/byteranges; boundary=part")
    return Reply(
      status: 206, headers: description(of: resource).replacing([type]), body: .bytes(bytes),
      framing: behaviour.framing)
  }

  private func description(of resource: Resource) -> [HTTPHeader] {
    [HTTPHeader("Content-Type", resource.contentType)] + validators(of: resource) + resource.headers
  }

  private func validators(of resource: Resource) -> [HTTPHeader] {
    let etag = resource.etag.map { HTTPHeader("ETag", $0) }
    let lastModified = resource.lastModified.map { HTTPHeader("Last-Modified", $0) }
    return [etag, lastModified].compactMap { $0 }
  }
}
