// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("what is known of hosts")
struct HostHealthTests {
  private let now = Timestamp(secondsSince1970: 1_800_000_000)
  private let busy = Failure.http(status: 429)
  private let broken = Failure.http(status: 500)
  private let silent = Failure.network(detail: "no answer")

  private func origin(_ url: String = "http://a.example") throws -> RemoteURL.Origin { try RemoteURL(url).origin }

  private func health(_ change: (inout DownloadPolicy) -> Void = { _ in }) -> Notes {
    var policy = DownloadPolicy()
    change(&policy)
    return Notes(health: HostHealth(policy), now: now)
  }

  /// Notes answers to requests that are answered at once, with the longest draw of each wait.
  private struct Notes {
    var health: HostHealth
    let now: Timestamp

    @discardableResult
    mutating func note(
      _ answer: HostHealth.Answer, of origin: RemoteURL.Origin, at time: Duration, asked: Duration? = nil
    ) -> CircuitBreaker? {
      health.note(answer, of: origin, asked: asked ?? time, at: time, now: now, chance: 1)
    }
  }

  @Test("a pause lasts as long as the longest that was asked for, and no other origin has it")
  func pause() throws {
    var notes = health()
    notes.note(.asksToWait(busy, .seconds(60)), of: try origin(), at: .seconds(10))
    notes.note(.asksToWait(busy, .seconds(5)), of: try origin(), at: .seconds(11))
    let health = notes.health
    #expect(health.requestedOpening(of: try origin(), at: .seconds(69)) == .seconds(70))
    #expect(try !health.admits(origin(), at: .seconds(69)) && health.admits(origin(), at: .seconds(70)))
    #expect(try health.admits(origin("http://a.example:81"), at: .seconds(11)))
    #expect(health.breakers.isEmpty)
  }

  @Test("a longer pause than a run makes closes the origin until then")
  func longPause() throws {
    var notes = health { $0.retryAfterMax = .seconds(60) }
    #expect(notes.note(.asksToWait(busy, .seconds(60)), of: try origin(), at: .zero) == nil)
    let closure = notes.note(.asksToWait(busy, .seconds(61)), of: try origin(), at: .zero)
    #expect(closure == .askedToWait(busy, until: now + .seconds(61)))
    #expect(try !notes.health.admits(origin(), at: .seconds(9999)))
  }

  @Test("an origin that does not answer, or refuses, rests at once, longer with each probe that fails, then is closed")
  func probes() throws {
    for failure in [silent, busy, .http(status: 503)] {
      var notes = health()
      #expect(notes.note(.failed(failure), of: try origin(), at: .zero) == nil)
      var time = Duration.zero
      for wait in [2, 4, 8, 16] {
        #expect(notes.health.opening(of: try origin(), at: time) == time + .seconds(wait), "\(failure)")
        time += .seconds(wait)
        let closure = notes.note(.failed(failure), of: try origin(), at: time)
        #expect(closure == (wait == 16 ? .failing(failure, times: 5) : nil))
      }
      #expect(notes.note(.failed(failure), of: try origin(), at: time) == nil, "it is told once")
      #expect(try notes.health.admits(origin("http://b.example"), at: .zero))
    }
  }

  @Test("an error that the server itself answers makes it rest only as the fourth in a row")
  func errors() throws {
    var notes = health()
    for _ in 1...3 { notes.note(.failed(broken), of: try origin(), at: .zero) }
    #expect(try notes.health.admits(origin(), at: .zero))
    notes.note(.served, of: try origin(), at: .zero)
    for _ in 1...3 { notes.note(.failed(broken), of: try origin(), at: .zero) }
    #expect(try notes.health.admits(origin(), at: .zero))
    notes.note(.failed(broken), of: try origin(), at: .zero)
    #expect(notes.health.opening(of: try origin(), at: .zero) == .seconds(2))
  }

  @Test("what went out before the trouble began neither ends it nor makes it worse")
  func stragglers() throws {
    var notes = health()
    notes.note(.failed(silent), of: try origin(), at: .seconds(1))
    notes.note(.failed(silent), of: try origin(), at: .seconds(2), asked: .zero)
    notes.note(.served, of: try origin(), at: .seconds(2), asked: .zero)
    #expect(notes.health.opening(of: try origin(), at: .seconds(2)) == .seconds(3))
    notes.note(.served, of: try origin(), at: .seconds(3))
    #expect(notes.health.opening(of: try origin(), at: .seconds(3)) == nil)
  }

  @Test("an origin that refused and serves again is asked at a pace, which quickens until it refuses again")
  func pace() throws {
    var notes = health()
    notes.note(.failed(busy), of: try origin(), at: .zero)
    notes.note(.served, of: try origin(), at: .seconds(2))
    #expect(notes.health.opening(of: try origin(), at: .seconds(2)) == .seconds(3))
    notes.note(.served, of: try origin(), at: .seconds(3))
    #expect(notes.health.opening(of: try origin(), at: .seconds(3)) == .seconds(3.5))
    notes.note(.failed(busy), of: try origin(), at: .seconds(3.5))
    let opening = try #require(notes.health.opening(of: try origin(), at: .seconds(3.5)))
    #expect(abs((opening - .seconds(3.6)).inSeconds) < 0.001, "six tenths after the last one that was served")
    notes.note(.served, of: try origin(), at: .seconds(3.6))
    let next = try #require(notes.health.opening(of: try origin(), at: .seconds(3.6)))
    #expect(abs((next - .seconds(4.2)).inSeconds) < 0.001)
  }

  @Test("failures that no retry can help make nobody wait; ten in a row close the origin")
  func hopeless() throws {
    let untrusted = Failure.tls(.verification, detail: "expired")
    var notes = health()
    for _ in 1...9 { #expect(notes.note(.failed(untrusted), of: try origin(), at: .zero) == nil) }
    #expect(try notes.health.admits(origin(), at: .zero))
    #expect(notes.note(.failed(untrusted), of: try origin(), at: .zero) == .failing(untrusted, times: 10))
  }

  @Test("probes may fail as often as an item may be asked for, and three times at least")
  func patience() throws {
    for (retries, probes) in [(0, 3), (2, 3), (3, 4), (9, 10)] {
      var notes = health { $0.retries = retries }
      notes.note(.failed(silent), of: try origin(), at: .zero)
      for number in 1...probes {
        let closure = notes.note(.failed(silent), of: try origin(), at: .seconds(number))
        #expect((closure != nil) == (number == probes), "\(retries) retries, probe \(number)")
      }
    }
  }

  @Test("the first probe and the last one are preferably for an item that has not failed")
  func freshProbes() throws {
    var notes = health { $0.retries = 3 }
    var preferences: [Bool] = []
    for number in 0..<4 {
      notes.note(.failed(silent), of: try origin(), at: .seconds(number * 60))
      preferences.append(try notes.health.prefersFresh(origin()))
    }
    #expect(preferences == [true, false, false, true])
  }

  @Test("the first reason to leave an origin alone counts")
  func first() throws {
    var notes = health()
    #expect(notes.health.trip(try origin(), .askedToWait(busy, until: now)) != nil)
    #expect(notes.health.trip(try origin(), .failing(broken, times: 10)) == nil)
    #expect(notes.health.breakers[try origin()]?.failure == busy)
  }
}
