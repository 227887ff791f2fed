// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

/// One row of head and request, and the expected verdict.
struct VerdictRow: Sendable, CustomTestStringConvertible {
  var name: String
  var facts: ResponseFacts
  var asked: RangeRequest?
  var verdict: ResponseVerdict
  var testDescription: String { name }

  init(
    _ name: String, _ status: Int, asked: RangeRequest? = nil, _ verdict: ResponseVerdict,
    with change: (inout ResponseFacts) -> Void = { _ in }
  ) {
    self.name = name
    facts = ResponseFacts(status: status)
    change(&facts)
    self.asked = asked
    self.verdict = verdict
  }

  /// Bytes 400 to the end of 1000, of the entity "x".
  static let tail = RangeRequest(offset: ByteCount(400), total: ByteCount(1000), condition: .strongETag("\"x\""))
  /// The same for an entity of unknown size.
  static let openTail = RangeRequest(offset: ByteCount(400), total: nil, condition: .strongETag("\"x\""))
  /// Bytes 400 to 699 of the same.
  static let middle = RangeRequest(
    offset: ByteCount(400), total: ByteCount(1000), condition: .strongETag("\"x\""), end: ByteCount(700))
  static let dated = RangeRequest(
    offset: ByteCount(400), total: nil, condition: .lastModified("Sun, 06 Nov 1994 08:49:37 GMT"))
  static let complete = RangeRequest(offset: ByteCount(1000), total: ByteCount(1000), condition: .strongETag("\"x\""))

  static func malformed(_ detail: String) -> ResponseVerdict { .fail(.malformedResponse(detail: detail)) }
}

@Suite("the verdict on a response")
struct ResponseVerdictTests {
  private static let now = Timestamp(secondsSince1970: 784_111_777 - 90)

  private func check(_ row: VerdictRow) { #expect(row.facts.verdict(asked: row.asked, now: Self.now) == row.verdict) }

  @Test(
    "200 is the whole body",
    arguments: [
      VerdictRow("no length", 200, .receive(offset: .zero, total: nil)),
      VerdictRow("a length", 200, .receive(offset: .zero, total: ByteCount(7))) { $0.contentLengths = ["7"] },
      VerdictRow("the same length twice", 200, .receive(offset: .zero, total: ByteCount(7))) {
        $0.contentLengths = ["7", "7, 7"]
      },
      VerdictRow("two lengths", 200, VerdictRow.malformed("Content-Length: 7, 8")) { $0.contentLengths = ["7", "8"] },
      VerdictRow("two lengths in one", 200, VerdictRow.malformed("Content-Length: 7, 8")) {
        $0.contentLengths = ["7, 8"]
      },
      VerdictRow("a negative length", 200, VerdictRow.malformed("Content-Length: -7")) { $0.contentLengths = ["-7"] },
      VerdictRow("a length beyond 64 bits", 200, VerdictRow.malformed("Content-Length: 99999999999999999999")) {
        $0.contentLengths = ["99999999999999999999"]
      },
      VerdictRow("a length of two words", 200, VerdictRow.malformed("Content-Length: 1 2")) {
        $0.contentLengths = ["1 2"]
      },
      VerdictRow("an empty length", 200, VerdictRow.malformed("Content-Length: ")) { $0.contentLengths = [""] },
      VerdictRow("a length of commas", 200, VerdictRow.malformed("Content-Length: ,")) { $0.contentLengths = [","] },
      VerdictRow("nothing", 200, .fail(.emptyBody)) { $0.contentLengths = ["0"] },
      VerdictRow("compressed", 200, VerdictRow.malformed("Content-Encoding: gzip")) { $0.contentEncoding = "gzip" },
      VerdictRow("identity", 200, .receive(offset: .zero, total: nil)) { $0.contentEncoding = "Identity" },
      VerdictRow("in place of a range", 200, asked: VerdictRow.tail, .receive(offset: .zero, total: ByteCount(7))) {
        $0.contentLengths = ["7"]
      },
    ])
  func whole(row: VerdictRow) { check(row) }

  @Test(
    "206 counts only as the very range that was asked for",
    arguments: [
      VerdictRow("the range", 206, asked: VerdictRow.tail, .receive(offset: ByteCount(400), total: ByteCount(1000))) {
        $0.contentRange = "bytes 400-999/1000"
        $0.contentLengths = ["600"]
        $0.etag = "\"x\""
      },
      VerdictRow("no length", 206, asked: VerdictRow.tail, .receive(offset: ByteCount(400), total: ByteCount(1000))) {
        $0.contentRange = "bytes 400-999/1000"
        $0.etag = "\"x\""
      },
      VerdictRow(
        "a part in the middle", 206, asked: VerdictRow.middle, .receive(offset: ByteCount(400), total: ByteCount(1000))
      ) {
        $0.contentRange = "bytes 400-699/1000"
        $0.etag = "\"x\""
      },
      VerdictRow("more than that part", 206, asked: VerdictRow.middle, .restart) {
        $0.contentRange = "bytes 400-999/1000"
        $0.etag = "\"x\""
      },
      VerdictRow("no entity tag", 206, asked: VerdictRow.tail, .restart) { $0.contentRange = "bytes 400-999/1000" },
      VerdictRow("a tag where there was a date alone", 206, asked: VerdictRow.dated, .restart) {
        $0.contentRange = "bytes 400-999/1000"
        $0.etag = "\"x\""
      },
      VerdictRow(
        "from where it is compared", 206,
        asked: RangeRequest(
          offset: ByteCount(400), total: nil, condition: .strongETag("\"x\""), comparing: ByteCount(100)),
        .receive(offset: ByteCount(400), total: ByteCount(1000))
      ) {
        $0.contentRange = "bytes 300-999/1000"
        $0.etag = "\"x\""
      },
      VerdictRow(
        "a total told now", 206, asked: VerdictRow.openTail, .receive(offset: ByteCount(400), total: ByteCount(900))
      ) {
        $0.contentRange = "bytes 400-899/900"
        $0.etag = "\"x\""
      },
      VerdictRow("no total, but the known end", 206, asked: VerdictRow.tail, .restart) {
        $0.contentRange = "bytes 400-999/*"
        $0.etag = "\"x\""
      },
      VerdictRow("no total, and too short", 206, asked: VerdictRow.tail, .restart) {
        $0.contentRange = "bytes 400-799/*"
      },
      VerdictRow("no total at all", 206, asked: VerdictRow.openTail, .restart) { $0.contentRange = "bytes 400-799/*" },
      VerdictRow("no total and the last byte there is", 206, asked: VerdictRow.openTail, .restart) {
        $0.contentRange = "bytes 400-9223372036854775807/*"
      },
      VerdictRow("from the start", 206, asked: VerdictRow.tail, .restart) { $0.contentRange = "bytes 0-999/1000" },
      VerdictRow("from elsewhere", 206, asked: VerdictRow.tail, .restart) { $0.contentRange = "bytes 401-999/1000" },
      VerdictRow("not to the end", 206, asked: VerdictRow.tail, .restart) { $0.contentRange = "bytes 400-998/1000" },
      VerdictRow("another total", 206, asked: VerdictRow.tail, .restart) { $0.contentRange = "bytes 400-1000/1001" },
      VerdictRow("no range", 206, asked: VerdictRow.tail, .restart),
      VerdictRow("an unsatisfied range", 206, asked: VerdictRow.tail, .restart) { $0.contentRange = "bytes */1000" },
      VerdictRow("multipart", 206, asked: VerdictRow.tail, .restart) {
        $0.contentType = "Multipart/byteranges; boundary=x"
        $0.contentRange = "bytes 400-999/1000"
      },
      VerdictRow("compressed", 206, asked: VerdictRow.tail, .restart) {
        $0.contentRange = "bytes 400-999/1000"
        $0.contentEncoding = "br"
      },
      VerdictRow("another entity tag", 206, asked: VerdictRow.tail, .restart) {
        $0.contentRange = "bytes 400-999/1000"
        $0.etag = "\"y\""
      },
      VerdictRow("a weak entity tag", 206, asked: VerdictRow.tail, .restart) {
        $0.contentRange = "bytes 400-999/1000"
        $0.etag = "W/\"x\""
      },
      VerdictRow("another date", 206, asked: VerdictRow.dated, .restart) {
        $0.contentRange = "bytes 400-999/1000"
        $0.lastModified = "Sun, 06 Nov 1994 08:49:38 GMT"
      },
      VerdictRow(
        "the same date", 206, asked: VerdictRow.dated, .receive(offset: ByteCount(400), total: ByteCount(1000))
      ) {
        $0.contentRange = "bytes 400-999/1000"
        $0.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
      },
      VerdictRow("another length", 206, asked: VerdictRow.tail, .restart) {
        $0.contentRange = "bytes 400-999/1000"
        $0.contentLengths = ["1000"]
        $0.etag = "\"x\""
      },
      VerdictRow("two lengths", 206, asked: VerdictRow.tail, VerdictRow.malformed("Content-Length: 600, 5")) {
        $0.contentRange = "bytes 400-999/1000"
        $0.contentLengths = ["600", "5"]
        $0.etag = "\"x\""
      },
      VerdictRow("unasked", 206, VerdictRow.malformed("status 206 without a range asked for")) {
        $0.contentRange = "bytes 0-999/1000"
      },
    ])
  func part(row: VerdictRow) { check(row) }

  @Test(
    "416 says that all is here, or that it is another thing",
    arguments: [
      VerdictRow("complete", 416, asked: VerdictRow.complete, .alreadyComplete) { $0.contentRange = "bytes */1000" },
      VerdictRow("complete, same tag", 416, asked: VerdictRow.complete, .alreadyComplete) {
        $0.contentRange = "bytes */1000"
        $0.etag = "\"x\""
      },
      VerdictRow("complete, total not known before", 416, asked: VerdictRow.openTail, .alreadyComplete) {
        $0.contentRange = "bytes */400"
      },
      VerdictRow(
        "all here, though what comes again was asked for",
        416, asked: RangeRequest(offset: ByteCount(400), total: nil, condition: nil, comparing: ByteCount(200)),
        .restart
      ) { $0.contentRange = "bytes */400" },
      VerdictRow("another tag", 416, asked: VerdictRow.complete, .restart) {
        $0.contentRange = "bytes */1000"
        $0.etag = "\"y\""
      },
      VerdictRow("shrunk", 416, asked: VerdictRow.complete, .restart) { $0.contentRange = "bytes */900" },
      VerdictRow("grown", 416, asked: VerdictRow.complete, .restart) { $0.contentRange = "bytes */1001" },
      VerdictRow("not all here", 416, asked: VerdictRow.tail, .restart) { $0.contentRange = "bytes */400" },
      VerdictRow("bare", 416, asked: VerdictRow.complete, .restart),
      VerdictRow("garbled", 416, asked: VerdictRow.complete, .restart) { $0.contentRange = "bytes 0-1/1000" },
      VerdictRow("unasked", 416, .fail(.http(status: 416))) { $0.contentRange = "bytes */1000" },
    ])
  func unsatisfiable(row: VerdictRow) { check(row) }

  @Test("redirects go where Location says", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) {
    check(VerdictRow("there", status, .redirect(to: "https://b.example/")) { $0.location = "https://b.example/" })
    check(VerdictRow("nowhere", status, VerdictRow.malformed("status \(status) without a Location")))
    check(VerdictRow("empty", status, VerdictRow.malformed("status \(status) without a Location")) { $0.location = "" })
  }

  @Test("a success without a body of ours is no success", arguments: [201, 202, 203, 204, 205, 226, 304])
  func noBody(status: Int) {
    check(VerdictRow("plain", status, VerdictRow.malformed("status \(status) to a plain GET")))
    check(VerdictRow("ranged", status, asked: VerdictRow.tail, VerdictRow.malformed("status \(status) to a plain GET")))
  }

  @Test(
    "any other status is a failure of that name",
    arguments: [100, 300, 305, 400, 401, 403, 404, 410, 451, 500, 502, 599, 999])
  func failure(status: Int) {
    check(VerdictRow("plain", status, .fail(.http(status: status))) { $0.retryAfter = "5" })
    check(VerdictRow("ranged", status, asked: VerdictRow.tail, .fail(.http(status: status))))
  }

  @Test("429 and 503 may ask for patience", arguments: [429, 503])
  func patience(status: Int) {
    check(VerdictRow("seconds", status, .wait(.http(status: status), .seconds(7))) { $0.retryAfter = "7" })
    check(
      VerdictRow("date", status, .wait(.http(status: status), .seconds(90))) {
        $0.retryAfter = "Sun, 06 Nov 1994 08:49:37 GMT"
      })
    check(VerdictRow("garbage", status, .fail(.http(status: status))) { $0.retryAfter = "-7" })
    check(VerdictRow("none", status, .fail(.http(status: status))))
  }
}

@Suite("the validator of a response")
struct ResponseValidatorTests {
  struct Row: Sendable {
    var etag: String?
    var lastModified: String?
    var date: String?
    var expected: HTTPValidator?
  }

  private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let aMinuteLater = "Sun, 06 Nov 1994 08:50:37 GMT"

  @Test(
    "is the strong tag, else a date at least a minute old",
    arguments: [
      Row(etag: "\"x\"", lastModified: modified, date: aMinuteLater, expected: .strongETag("\"x\"")),
      Row(lastModified: modified, date: aMinuteLater, expected: .lastModified(modified)),
      Row(lastModified: modified, date: "Sun, 06 Nov 1994 08:50:36 GMT"),
      Row(lastModified: modified, date: "Sun, 06 Nov 1993 08:50:37 GMT"), Row(lastModified: modified),
      Row(date: aMinuteLater),
      Row(lastModified: "yesterday", date: aMinuteLater), Row(lastModified: modified, date: "now"),
      // A weak tag means that the bytes may change without it. The same applies to a date within a second.
      Row(etag: "W/\"x\"", lastModified: modified, date: aMinuteLater, expected: .weakETag("W/\"x\"")),
      Row(etag: "x", expected: .weakETag("x")), Row(),
    ])
  func table(row: Row) {
    var facts = ResponseFacts(status: 200)
    (facts.etag, facts.lastModified, facts.date) = (row.etag, row.lastModified, row.date)
    #expect(facts.validator == row.expected)
  }
}
