// SPDX-License-Identifier: Apache-2.0
import SyncCore

@testable import Curl

private let now = Timestamp(secondsSince1970: 1_800_000_000)

/// The values of single fields: none, or one inside the documented range.
@Sendable func fuzzFields(_ bytes: [UInt8]) {
  let text = bytes.text
  switch ContentRange(text) {
  case .bytes(let first, let last, let total)?:
    must(0 <= first && first <= last && total.map { last < $0 } ?? true, "Content-Range \(first)-\(last)")
  case .unsatisfied(let total)?: must(total >= 0, "Content-Range of \(total)")
  case nil: break
  }
  if let wait = RetryAfter.wait(text, now: now) { must(.zero <= wait && wait <= .days(365), "Retry-After \(wait)") }
  if let time = Timestamp(httpDate: text) {
    must((-62_167_219_200...253_402_300_800).contains(time.secondsSince1970), "a date out of range")
  }
  if let time = Timestamp(rfc3339: text) { must(Timestamp(rfc3339: time.rfc3339) == time, "RFC 3339 \(time)") }
  if let validator = HTTPValidator(etag: text), let value = validator.fieldValue {
    must(HTTPValidator(etag: value) == validator, "an ETag is read as it was written")
  }
  checkVerdicts(bytes.pieces())
}

/// The meaning of all fields of a response together: never a range that was not requested.
private func checkVerdicts(_ pieces: [String]) {
  let range = RangeRequest(offset: ByteCount(1000), total: nil, condition: .strongETag("\"x\""))
  for status in [200, 206, 416, 429, 301] {
    var facts = ResponseFacts(status: status)
    facts.contentRange = pieces[0]
    facts.contentLengths = Array(pieces.dropFirst().prefix(1))
    facts.etag = pieces.dropFirst(2).first
    facts.retryAfter = pieces[0]
    for asked in [nil, range] {
      guard case .receive(let offset, let total) = facts.verdict(asked: asked, now: now) else { continue }
      must(offset == .zero || asked != nil && offset == range.offset, "an answer for \(offset)")
      must(total.map { offset <= $0 } ?? true, "\(offset) of \(String(describing: total))")
    }
  }
}

/// The lines of a head, one after the other: the head of a final response, or the reason why it is refused.
@Sendable func fuzzHead(_ bytes: [UInt8]) {
  var collector = HeadCollector()
  for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
    var result: Result<HeadCollector.RawHead?, HeadCollector.Problem> = .success(nil)
    (Array(line) + [UInt8(ascii: "\n")]).withUnsafeBytes { raw in
      result = Result { () throws(HeadCollector.Problem) in try collector.take(raw) }
    }
    guard case .success(let found) = result else { return }
    guard let head = found else { continue }
    must((200...999).contains(head.status) && collector.isComplete, "a final status")
    checkFraming(head)
    return
  }
}

private func checkFraming(_ head: HeadCollector.RawHead) {
  do throws(BodyFraming.Contradiction) {
    let framing = try BodyFraming(
      version: .http11, status: head.status, isReplyToHead: false, fields: head.fields)
    must(framing.length.map { $0 >= 0 } ?? true, "a length is not negative")
  } catch { must(!error.detail.isEmpty, "a contradiction is named") }
}

/// A Location leads to an absolute URL, or nowhere.
@Sendable func fuzzLocation(_ bytes: [UInt8]) {
  let pieces = bytes.pieces()
  let base = pieces.dropFirst().first.flatMap(url)?.text ?? "https://h.example/dir/a"
  if let target = RedirectTarget.resolve(Array(pieces[0].utf8), against: base) {
    // Compared by bytes, because the next character may combine with a slash.
    let isWeb = ["http://", "https://"].contains { target.utf8.starts(with: $0.utf8) }
    must(isWeb || !target.utf8.starts(with: "http:".utf8), "\(target) is not absolute")
    must(target.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in a target")
    if isWeb {
      let again = RedirectTarget.resolve(Array(target.utf8), against: "http://elsewhere.example/")
      must(again == target, "\(target) stays where it is")
    }
  }
  guard let parsed = url(pieces[0]) else { return }
  must(url(parsed.text)?.text == parsed.text, "a URL is read as it was written")
  must((1...65_535).contains(parsed.port), "port \(parsed.port)")
  // Compared by bytes again.
  must(!parsed.host.isEmpty && parsed.path.utf8.first == UInt8(ascii: "/"), "a host and a path")
}
