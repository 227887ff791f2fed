// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import Synchronization

/// The run's one book of hosts: feeds and media ask the same servers, and what one learns holds for the other.
final class HostWatch: Sendable {
  private let book: Mutex<HostBook>
  private let clock: any WallClock
  private let began = ContinuousClock.now
  private let tell: @Sendable (RunEvent) -> Void

  init(_ policy: DownloadPolicy, clock: any WallClock, tell: @escaping @Sendable (RunEvent) -> Void) {
    book = Mutex(HostBook(policy))
    self.clock = clock
    self.tell = tell
  }

  /// The book as it stands.
  var current: HostBook { book.withLock { $0 } }

  /// The clock of its pauses.
  var time: Duration { ContinuousClock.now - began }

  func note(_ head: ResponseHead, from url: RemoteURL) {
    let failure = Failure.http(status: head.status)
    let wait =
      [429, 503].contains(head.status) ? head["Retry-After"].flatMap { RetryAfter.wait($0, now: clock.now()) } : nil
    if let wait { return note(.asksToWait(failure, wait), of: url) }
    note((500...599).contains(head.status) ? .failed(failure) : .served, of: url)
  }

  func note(_ failure: Failure, from url: RemoteURL) { note(.failed(failure), of: url) }

  private func note(_ answer: HostBook.Answer, of url: RemoteURL) {
    let closure = book.withLock { $0.note(answer, of: url.origin, at: time, now: clock.now()) }
    if case .failing(let failure, let times)? = closure {
      tell(.warned(.hostLeftAlone(url.origin, times: times, failure)))
    }
  }

  /// A server asked for more patience than the run has.
  func close(_ origin: RemoteURL.Origin, _ failure: Failure, until: Timestamp) {
    book.withLock { _ = $0.close(origin, .askedToWait(failure, until: until)) }
  }

  /// Whoever gives up on an origin that wants a pause speaks for all.
  func giveUp(_ origin: RemoteURL.Origin, _ failure: Failure) {
    let time = time
    guard let opening = current.opening(of: origin, at: time) else { return }
    close(origin, failure, until: clock.now() + (opening - time))
  }
}
