// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

private typealias Script = TransferScript

@Suite("a transfer that goes well")
struct TransferMachineTests {
  @Test("asks, receives, checks, publishes, ends")
  func happyPath() throws {
    var script = try Script()
    let url = try RemoteURL(Script.main)
    #expect(script.on(.started) == [.record(Attempt(candidate: 0, attempts: 1)), .send(url, range: nil)])
    let begun = try Script.partial(0)
    #expect(
      script.on(Script.good) == [
        .receive(begun, offset: .zero, limit: ByteCount(1000)),
        .record(Attempt(candidate: 0, attempts: 1, partial: begun)),
      ])
    let whole = try Script.partial(1000)
    #expect(script.on(.bodyEnded(received: ByteCount(1000))) == [.check(whole)])
    let checked = try Script.checked()
    #expect(script.on(.checked(checked)) == [.publish(whole, checked, candidate: 0, confidence: .normal)])
    let file = try Script.file()
    #expect(script.on(.published(file)) == [.finish(.completed(file, requests: 1))])
  }

  @Test("follows redirects with its range, and asks the first place again after a failure")
  func redirects() throws {
    var script = try Script(partial: Script.partial(400))
    #expect(script.on(.started).contains(.send(try RemoteURL(Script.main), range: Script.range(400))))
    let hop = try RemoteURL("https://cdn.example/1?token=x")
    #expect(script.on(Script.head(302) { $0.location = hop.text }) == [.abandon, .send(hop, range: Script.range(400))])
    let actions = script.on([.failed(.network(detail: "reset"), received: ByteCount(400)), .waited])
    #expect(actions.last == .send(try RemoteURL(Script.main), range: Script.range(400)))
  }

  @Test(
    "further requests are allowed where ranges are proved, of an entity with a strong tag, if there is enough to fetch")
  func segments() throws {
    let enough = Segments.minimum.bytes * 2
    let rows: [(segments: Int, length: Int64, etag: String?, ranges: String?, isAllowed: Bool)] = [
      (4, enough, "\"x\"", "bytes", true), (4, enough, "\"x\"", "Bytes , other", true),
      (1, enough, "\"x\"", "bytes", false),
      (4, enough - 1, "\"x\"", "bytes", false), (4, enough, "W/\"x\"", "bytes", false),
      (4, enough, nil, "bytes", false),
      (4, enough, "\"x\"", nil, false), (4, enough, "\"x\"", "none", false),
    ]
    for row in rows {
      var script = try Script(segments: row.segments, maximum: enough)
      _ = script.on(.started)
      let actions = script.on(
        Script.head(200) {
          ($0.contentLengths, $0.etag, $0.acceptRanges) = (["\(row.length)"], row.etag, row.ranges)
        })
      guard case .receive(let partial, _, _, _)? = actions.first else {
        Issue.record("nothing is received: \(row)")
        continue
      }
      #expect(partial.extents == (row.isAllowed ? [] : nil), "\(row)")
    }
  }

  @Test("what is here behind the beginning is kept with the beginning, and goes with it")
  func extents() throws {
    let extent = try #require(Extent(from: ByteCount(600), to: ByteCount(700)))
    var partial = try Script.partial(400)
    partial.extents = [extent]
    for (answer, extents) in [(Script.rest(of: 400), [extent]), (Script.good, nil)] {
      var script = try Script(partial: partial, segments: 2)
      _ = script.on(.started)
      guard case .receive(let begun, _, _, _)? = script.on(answer).first else {
        Issue.record("nothing is received")
        continue
      }
      #expect(begun.extents == extents)
    }
  }

  @Test("the eleventh redirect is a failure for good")
  func tooManyRedirects() throws {
    var script = try Script()
    _ = script.on(.started)
    for hop in 1...10 {
      #expect(
        script.on(Script.head(302) { $0.location = "https://a.example/\(hop)" }).sent == "https://a.example/\(hop)")
    }
    let actions = script.on(Script.head(302) { $0.location = "https://a.example/11" })
    #expect(actions.first == .abandon)
    #expect(actions.failure?.failure == .redirectRefused(to: "https://a.example/11", .tooMany(limit: 10)))
    #expect(actions.failure?.isTemporary == false)
  }

  @Test("a size is announced as the body's limit, else declared, else the largest allowed")
  func limits() throws {
    let rows: [(DeclaredSize?, String?, Int64)] = [
      (nil, "1000", 1000), (nil, nil, 1_000_000), (.exact(ByteCount(700)), nil, 700),
      (.about(ByteCount(700)), nil, 1_000_000),
      (.about(ByteCount(700)), "1000", 1000),
    ]
    for (declared, announced, limit) in rows {
      var script = try Script(size: declared)
      let actions = script.on([.started, Script.head(200) { $0.contentLengths = announced.map { [$0] } ?? [] }])
      guard case .receive(_, _, let found, .zero)? = actions.dropLast().last, found == ByteCount(limit) else {
        Issue.record("\(actions)")
        continue
      }
    }
  }

  @Test("without a length nothing proves the end, unless size or checksum are declared")
  func confidence() throws {
    let checksum = try #require(Checksum(.md5, hex: String(repeating: "0", count: 32)))
    let rows: [(DeclaredSize?, Checksum?, StoredFile.Confidence)] = [
      (nil, nil, .low), (.about(ByteCount(1000)), nil, .low), (.exact(ByteCount(1000)), nil, .normal),
      (nil, checksum, .normal),
    ]
    for (size, checksum, expected) in rows {
      var script = try Script(size: size, checksum: checksum)
      let actions = script.on([
        .started, Script.head(200), .bodyEnded(received: ByteCount(1000)), .checked(try Script.checked()),
      ])
      guard case .publish(_, _, 0, expected)? = actions.last else {
        Issue.record("\(actions)")
        continue
      }
    }
  }

  @Test("a distant alternative stays of low confidence")
  func distantAlternative() throws {
    var script = try Script(urls: [Script.main, Script.second, Script.third])
    _ = script.on([.started, Script.head(404)])
    #expect(script.on(Script.head(410)).sent == Script.third)
    let actions = script.on([Script.good, .bodyEnded(received: ByteCount(1000)), .checked(try Script.checked())])
    guard case .publish(_, _, candidate: 2, confidence: .low)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    let file = try Script.file()
    #expect(script.on(.published(file)) == [.finish(.completed(file, requests: 3))])
  }
}

@Suite("a transfer that was begun before")
struct TransferResumeTests {
  @Test("206 goes on from what is here, and keeps the validator that the response leaves out")
  func resumed() throws {
    var script = try Script(partial: Script.partial(400))
    #expect(script.on(.started).last == .send(try RemoteURL(Script.main), range: Script.range(400)))
    let actions = script.on(Script.rest(of: 400))
    #expect(
      actions.dropLast().last
        == .receive(try Script.partial(400), offset: ByteCount(400), limit: ByteCount(1000), comparing: ByteCount(200)))
  }

  @Test("bytes that come again otherwise mean another file: it is asked for in one piece, and no range is sent again")
  func overlapDiffers() throws {
    var script = try Script(partial: Script.partial(400))
    _ = script.on([.started, Script.rest(of: 400)])
    let actions = script.on(.overlapDiffered)
    #expect(actions.first == .abandon)
    #expect(actions.last == .send(try RemoteURL(Script.main), range: nil))
  }

  @Test("answers that break off inside what they only repeat are followed at once by one that has less to repeat")
  func overlapTooLong() throws {
    var script = try Script(partial: Script.partial(400), retries: 0)
    _ = script.on([.started, Script.rest(of: 400)])
    script.context.repeated = ByteCount(120)
    let cut = TransferEvent.failed(.network(detail: "reset"), received: ByteCount(400))
    var range = Script.range(400)
    range.comparing = ByteCount(60)
    let actions = script.on(cut)
    #expect(actions.last == .send(try RemoteURL(Script.main), range: range))
    guard case .record(let attempt)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(attempt.attempts == 1, "it is no retry")
    _ = script.on(
      Script.head(206) {
        $0.contentRange = "bytes 340-999/1000"
        $0.etag = "\"x\""
      })
    script.context.repeated = .zero
    #expect(script.on(cut).failure != nil, "an answer without a byte is one that failed")
  }

  @Test("a host that answers a range in a way that cannot be used is not asked for one again")
  func distrusted() throws {
    var script = try Script(partial: Script.partial(400))
    let actions = script.on([.started, Script.head(206) { $0.contentRange = "bytes 0-999/1000" }])
    #expect(actions.contains(.distrustRanges(host: "a.example")))
    var other = try Script(partial: Script.partial(400))
    other.context.distrustedHosts = ["a.example"]
    #expect(other.on(.started).last == .send(try RemoteURL(Script.main), range: nil))
  }

  @Test("the partial keeps its name")
  func name() throws {
    let old = try Script.partial(400, name: "by another version")
    var script = try Script(partial: old)
    let actions = script.on([.started, Script.rest(of: 400)])
    #expect(
      actions.dropLast().last
        == .receive(old, offset: ByteCount(400), limit: ByteCount(1000), comparing: ByteCount(200)))
  }

  @Test("200 in place of 206 starts over in place, with the new validator alone")
  func restartedInPlace() throws {
    var script = try Script(partial: Script.partial(400))
    _ = script.on(.started)
    let actions = script.on(Script.head(200) { $0.contentLengths = ["900"] })
    let begun = try Script.partial(0, of: 900, etag: nil)
    #expect(
      actions.last == .record(Attempt(candidate: 0, attempts: 1, partial: begun)), "cut off before it is recorded")
    #expect(actions.dropLast().last == .receive(begun, offset: .zero, limit: ByteCount(900)))
    #expect(!actions.contains { if case .discard = $0 { true } else { false } })
  }

  @Test("416 with all here is checked when only what is not here was asked for")
  func complete() throws {
    let whole = try Script.partial(1000)
    let complete = Script.head(416) { $0.contentRange = "bytes */1000" }
    let checksum = try #require(Checksum(.md5, hex: String(repeating: "0", count: 32)))
    var script = try Script(checksum: checksum, partial: whole)
    #expect(script.on([.started, complete]) == [.abandon, .check(whole)])
    script = try Script(partial: whole)
    #expect(script.on([.started, complete]).last == .send(try RemoteURL(Script.main), range: nil))
  }

  @Test("416 with another size asks once more for everything, and never a third time")
  func shrunk() throws {
    var script = try Script(partial: Script.partial(1000), retries: 0)
    let shrunk = Script.head(416) { $0.contentRange = "bytes */900" }
    let actions = script.on([.started, shrunk])
    #expect(actions.first == .abandon)
    #expect(actions.last == .send(try RemoteURL(Script.main), range: nil))
    #expect(script.on(shrunk).failure?.failure == .http(status: 416))
  }

  @Test("after a refused range no other is sent to this candidate")
  func refusedRange() throws {
    var script = try Script(partial: Script.partial(400))
    _ = script.on([.started, Script.head(206) { $0.contentRange = "bytes 0-999/1000" }])
    let actions = script.on([Script.good, .failed(.network(detail: ""), received: ByteCount(500)), .waited])
    #expect(actions.last == .send(try RemoteURL(Script.main), range: nil))
  }

  @Test("the partial of an alternative is continued first, and then the others are tried from the first on")
  func alternativeFirst() throws {
    let partial = try Script.partial(400, url: Script.second, name: "of b.example")
    var script = try Script(urls: [Script.main, Script.second, Script.third], partial: partial)
    #expect(
      script.on(.started) == [
        .record(Attempt(candidate: 1, attempts: 1, partial: partial)),
        .send(try RemoteURL(Script.second), range: Script.range(400)),
      ])
    #expect(script.on(Script.head(404)).sent == Script.main)
    #expect(script.on(Script.head(404)).sent == Script.third)
    let failure = try #require(script.on(Script.head(410)).failure)
    #expect(failure.failure == .http(status: 404))
    #expect(failure.candidate == 0)
    #expect(failure.requests == 3)
  }

  @Test("the bytes of one candidate go when another sends its own")
  func otherCandidate() throws {
    let partial = try Script.partial(400)
    var script = try Script(urls: [Script.main, Script.second], partial: partial)
    #expect(script.on([.started, Script.head(404)]).last == .send(try RemoteURL(Script.second), range: nil))
    let actions = script.on(Script.good)
    #expect(actions.first == .discard(partial))
    let begun = try Script.partial(0, url: Script.second, name: "of b.example")
    #expect(actions.dropLast().last == .receive(begun, offset: .zero, limit: ByteCount(1000)))
  }

  @Test("a partial that no candidate explains is discarded")
  func unknownPartial() throws {
    let partial = try Script.partial(400, url: "https://gone.example/x")
    var script = try Script(partial: partial)
    #expect(
      script.on(.started) == [
        .discard(partial), .record(Attempt(candidate: 0, attempts: 1)), .send(try RemoteURL(Script.main), range: nil),
      ])
  }

  @Test("bytes without a validator are not continued, nor is their candidate preferred")
  func noValidator() throws {
    let partial = try Script.partial(400, url: Script.second, etag: nil)
    var script = try Script(urls: [Script.main, Script.second], partial: partial)
    #expect(script.on(.started).last == .send(try RemoteURL(Script.main), range: nil))
    #expect(script.on(Script.good).first == .discard(partial))
  }

  @Test("features.resume off asks for everything")
  func resumeOff() throws {
    var features = Features()
    features.resume = false
    var script = try Script(partial: Script.partial(400), features: features)
    #expect(script.on(.started).last == .send(try RemoteURL(Script.main), range: nil))
  }
}
