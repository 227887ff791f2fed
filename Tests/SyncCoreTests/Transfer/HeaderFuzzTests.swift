// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("no header value, however broken, brings its parser down or leads outside its domain")
struct HeaderFuzzTests {
  private static let now = Timestamp(secondsSince1970: 1_800_000_000)
  private static let inputs = 20_000

  /// Half of them random bytes, half legal values with a few changes.
  private func fuzz(_ seed: Int, _ legal: [String], _ check: (String) throws -> Void) rethrows {
    var random = SeededGenerator(seed)
    for _ in 0..<Self.inputs {
      var bytes: [UInt8]
      if Bool.random(using: &random) {
        bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random)
        }
      } else {
        bytes = Array(legal[Int.random(in: 0..<legal.count, using: &random)].utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) { mutate(&bytes, &random) }
      }
      try check(String(decoding: bytes, as: UTF8.self))
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let tokens = ["-", "0", "9999999999999999999", ",", "/", "*", " ", "\"", "W/", ":", "+", "٣", "\0", "GMT", "bytes"]
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
    case 1 where place < bytes.count: bytes.remove(at: place)
    case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...5, using: &random)))
    default: bytes.insert(contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &random)].utf8, at: place)
    }
  }

  @Test("Content-Range: the first byte is not behind the last, nor the last behind the total")
  func contentRange() {
    var accepted = 0
    fuzz(
      1, ["bytes 0-0/1", "bytes 1000-1999/5000", "bytes 42-1233/*", "bytes */5000", "bytes 0-9223372036854775806/*"]
    ) {
      switch ContentRange($0) {
      case .bytes(let first, let last, let total)?:
        #expect(0 <= first && first <= last && total.map { last < $0 } ?? true, "\($0)")
        accepted += 1
      case .unsatisfied(let total)?: #expect(total >= 0, "\($0)")
      case nil: break
      }
    }
    #expect(accepted > 1000)
  }

  @Test("Content-Range: a legal value is read as it was written")
  func contentRangeRoundTrip() {
    var random = SeededGenerator(2)
    for _ in 0..<Self.inputs {
      let total = Int64.random(in: 1...(.max), using: &random) >> Int64.random(in: 0..<62, using: &random) | 1
      let last = Int64.random(in: 0..<total, using: &random)
      let first = Int64.random(in: 0...last, using: &random)
      #expect(ContentRange("bytes \(first)-\(last)/\(total)") == .bytes(first: first, last: last, total: total))
      #expect(ContentRange("bytes \(first)-\(last)/*") == .bytes(first: first, last: last, total: nil))
      #expect(ContentRange("bytes */\(total)") == .unsatisfied(total: total))
    }
  }

  @Test("Retry-After: nothing, or a wait from none to a year")
  func retryAfter() {
    fuzz(
      3,
      [
        "0", "120", "31536001", "99999999999999999999", "Sun, 06 Nov 1994 08:49:37 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT",
      ]
    ) {
      guard let wait = RetryAfter.wait($0, now: Self.now) else { return }
      #expect(.zero <= wait && wait <= .days(365), "\($0)")
    }
    for seconds in stride(from: Int64(0), through: 31_536_000, by: 1500) {
      #expect(RetryAfter.wait("\(seconds)", now: Self.now) == .seconds(seconds))
    }
  }

  @Test("dates: nothing, or a moment of the years 0 to 9999")
  func dates() {
    let years = Int64(-62_167_219_200)...253_402_300_800
    var accepted = 0
    fuzz(4, ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]) {
      guard let time = Timestamp(httpDate: $0) else { return }
      #expect(years.contains(time.secondsSince1970), "\($0)")
      accepted += 1
    }
    #expect(accepted > 1000)
  }

  @Test("dates: a moment written in each of the three forms is read as that moment")
  func dateRoundTrip() {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    var random = SeededGenerator(5)
    for _ in 0..<Self.inputs {
      // 1970 to 2069, which two digits of a year can tell apart.
      let time = Timestamp(secondsSince1970: Int64.random(in: 0..<3_155_760_000, using: &random))
      let civil = CivilTime(time)
      let (month, clock) = (months[civil.month - 1], "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second))")
      #expect(Timestamp(httpDate: "Sun, \(two(civil.day)) \(month) \(civil.year) \(clock) GMT") == time)
      #expect(Timestamp(httpDate: "Sunday, \(two(civil.day))-\(month)-\(two(civil.year % 100)) \(clock) GMT") == time)
      let day = civil.day < 10 ? " \(civil.day)" : "\(civil.day)"
      #expect(Timestamp(httpDate: "Sun \(month) \(day) \(clock) \(civil.year)") == time)
    }
  }

  @Test("ETag: a strong one is quoted, holds no quote and no control character, and goes out as it came")
  func entityTags() {
    var strong = 0
    fuzz(6, ["\"67-5e1\"", "W/\"67-5e1\"", "\"\"", "\"a,b\"", "67-5e1", "\"ü\""]) { value in
      switch HTTPValidator(anyETag: value) {
      case .strongETag(let tag):
        #expect(tag == value && tag.first == "\"" && tag.last == "\"" && tag.utf8.count >= 2)
        #expect(!tag.dropFirst().dropLast().utf8.contains(0x22) && tag.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        strong += 1
      case .weakETag: #expect(HTTPValidator(anyETag: value).fieldValue == nil)
      case .lastModified: Issue.record("\(value) is no date")
      }
    }
    #expect(strong > 1000)
  }

  @Test("Location: what is followed is http or https, with a host, a port and nothing that could break a line")
  func targets() throws {
    let start = try RemoteURL("http://a.example/")
    var followed = 0
    fuzz(
      8, ["https://b.example/x?y", "http://u:p@b.example:8080/", "https://[::1]:1/", "file:///x", "//b/x", "mailto:x"]
    ) {
      var redirects = Redirects(from: start)
      do throws(Failure) { try redirects.follow($0) } catch {
        #expect(error.kind == .invalidURL)
        return
      }
      let target = redirects.current
      #expect(!target.host.isEmpty && (1...65_535).contains(target.port) && target.path.hasPrefix("/"), "\($0)")
      #expect(target.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } && !target.text.contains("#"), "\($0)")
      followed += 1
    }
    #expect(followed > 1000)
  }

  @Test("a whole response: what is received lies where it was asked for and within what was announced")
  func verdicts() {
    var random = SeededGenerator(7)
    let lengths = [
      "0", "5", "600", "1000", "-1", "600, 600", "1,2", "", "99999999999999999999", " 600 ", "9223372036854775807",
    ]
    let ranges = [
      "bytes 400-999/1000", "bytes 200-999/1000", "bytes 400-998/1000", "bytes */1000", "bytes */400", "items 1-2/3",
      "",
    ]
    let statuses = [200, 206, 206, 206, 416, 301, 302, 429, 503, 204, 304, 404, 500, 999]
    for _ in 0..<Self.inputs {
      var facts = ResponseFacts(status: statuses.randomElement(using: &random) ?? 200)
      facts.contentLengths = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
        lengths.randomElement(using: &random)
      }
      facts.contentRange = Bool.random(using: &random) ? ranges.randomElement(using: &random) : "bytes 200-999/1000"
      facts.etag = [nil, "\"x\"", "\"y\"", "W/\"x\"", "x"].randomElement(using: &random) ?? nil
      facts.contentEncoding = [nil, nil, "", "gzip", "identity"].randomElement(using: &random) ?? nil
      facts.retryAfter = [nil, "5", "-5", "soon"].randomElement(using: &random) ?? nil
      facts.location = [nil, "", "https://b.example/"].randomElement(using: &random) ?? nil
      let comparing = [0, 200].randomElement(using: &random) ?? 0
      let total = [nil, ByteCount(1000), ByteCount(400)].randomElement(using: &random) ?? nil
      let asked =
        Bool.random(using: &random)
        ? nil
        : RangeRequest(
          offset: ByteCount(400), total: total, condition: .strongETag("\"x\""), comparing: ByteCount(Int64(comparing)))
      switch facts.verdict(asked: asked, now: Self.now) {
      case .receive(let offset, let total):
        #expect(
          offset == .zero || (offset == asked?.offset && facts.status == 206 && facts.etag == "\"x\""), "\(facts)")
        #expect(total.map { $0 > offset || ($0 == offset && offset > .zero) } ?? (facts.status == 200), "\(facts)")
      case .alreadyComplete:
        #expect(asked != nil && facts.status == 416 && facts.contentRange == "bytes */400", "\(facts)")
      case .restart: #expect(asked != nil, "\(facts)")
      case .redirect(let target): #expect(!target.isEmpty)
      case .wait(_, let wait): #expect(wait >= .zero)
      case .fail: break
      }
    }
  }
}
