// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("what is known of hosts")
struct HostBookTests {
  private let now = Timestamp(secondsSince1970: 1_800_000_000)
  private let busy = Failure.http(status: 429)
  private let broken = Failure.http(status: 500)

  private func origin(_ url: String = "http://a.example") throws -> RemoteURL.Origin { try RemoteURL(url).origin }

  private func book(_ change: (inout DownloadPolicy) -> Void = { _ in }) -> HostBook {
    var policy = DownloadPolicy()
    change(&policy)
    return HostBook(policy)
  }

  @Test("a pause lasts as long as the longest that was asked for, and no other origin has it")
  func pause() throws {
    var book = book()
    book.note(.asksToWait(busy, .seconds(60)), of: try origin(), at: .seconds(10), now: now)
    book.note(.asksToWait(busy, .seconds(5)), of: try origin(), at: .seconds(11), now: now)
    #expect(book.opening(of: try origin(), at: .seconds(69)) == .seconds(70))
    #expect(try !book.isOpen(origin(), at: .seconds(69)) && book.isOpen(origin(), at: .seconds(70)))
    #expect(try book.isOpen(origin("http://a.example:81"), at: .seconds(11)))
    #expect(book.closures.isEmpty)
  }

  @Test("a longer pause than a run makes closes the origin until then")
  func longPause() throws {
    var book = book { $0.retryAfterMax = .seconds(60) }
    #expect(book.note(.asksToWait(busy, .seconds(60)), of: try origin(), at: .zero, now: now) == nil)
    let closure = book.note(.asksToWait(busy, .seconds(61)), of: try origin(), at: .zero, now: now)
    #expect(closure == .askedToWait(busy, until: now + .seconds(61)))
    #expect(try !book.isOpen(origin(), at: .seconds(9999)))
  }

  @Test("ten failures in a row close it, and one answer in between begins the count anew")
  func breaker() throws {
    var book = book()
    for _ in 1...9 { #expect(book.note(.failed(broken), of: try origin(), at: .zero, now: now) == nil) }
    book.note(.served, of: try origin(), at: .zero, now: now)
    for _ in 1...9 { #expect(book.note(.failed(broken), of: try origin(), at: .zero, now: now) == nil) }
    #expect(book.note(.failed(broken), of: try origin(), at: .zero, now: now) == .failing(broken, times: 10))
    #expect(book.note(.failed(broken), of: try origin(), at: .zero, now: now) == nil, "it is told once")
    #expect(try book.isOpen(origin("http://b.example"), at: .zero))
  }

  @Test("a pause is no failure and no success")
  func pauseIsNeither() throws {
    var book = book()
    for _ in 1...9 { book.note(.failed(broken), of: try origin(), at: .zero, now: now) }
    book.note(.asksToWait(busy, .seconds(1)), of: try origin(), at: .zero, now: now)
    #expect(book.note(.failed(broken), of: try origin(), at: .zero, now: now) != nil)
  }

  @Test("who is being tried gets all of its retries first, however many there are")
  func patience() throws {
    var book = book {
      $0.retries = 9
      $0.perHost = 2
    }
    for _ in 1...19 { #expect(book.note(.failed(broken), of: try origin(), at: .zero, now: now) == nil) }
    #expect(book.note(.failed(broken), of: try origin(), at: .zero, now: now) == .failing(broken, times: 20))
  }

  @Test("the first reason to leave an origin alone counts")
  func first() throws {
    var book = book()
    #expect(book.close(try origin(), .askedToWait(busy, until: now)) != nil)
    #expect(book.close(try origin(), .failing(broken, times: 10)) == nil)
    #expect(book.closures[try origin()]?.failure == busy)
  }
}
