// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk
import Synchronization

/// The run's single book of hosts: feeds and media use the same servers, so what one learns holds for the other.
final class HostWatch: Sendable {
  private let book: Mutex<HostHealth>
  private let told = Mutex<Set<RemoteURL.Origin>>([])
  private let clock: any WallClock
  private let random: SeededRandom
  private let began = ContinuousClock.now
  private let emit: @Sendable (RunEvent) -> Void

  init(
    _ policy: DownloadPolicy, clock: any WallClock, random: SeededRandom, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    book = Mutex(HostHealth(policy))
    self.clock = clock
    self.random = random
    self.emit = emit
  }

  /// A copy of the book in its present state.
  var current: HostHealth { book.withLock { $0 } }

  /// The present time on the clock of the pauses.
  var time: Duration { ContinuousClock.now - began }

  /// - Parameter asked: when the request went out, on the clock of `time`.
  func note(_ head: ResponseHead, from url: RemoteURL, asked: Duration) {
    let failure = Failure.http(status: head.status)
    let wait =
      [429, 503].contains(head.status) ? head["Retry-After"].flatMap { RetryAfter.wait($0, now: clock.now()) } : nil
    if let wait { return note(.asksToWait(failure, wait), of: url, asked: asked) }
    let isFailure = head.status == 429 || (500...599).contains(head.status)
    note(isFailure ? .failed(failure) : .served, of: url, asked: asked)
  }

  func note(_ failure: Failure, from url: RemoteURL, asked: Duration) { note(.failed(failure), of: url, asked: asked) }

  private func note(_ answer: HostHealth.Answer, of url: RemoteURL, asked: Duration) {
    book.withLock {
      _ = $0.note(answer, of: url.origin, asked: asked, at: time, now: clock.now(), chance: random.next())
    }
  }

  /// Reports once that an origin is blocked. That is news only when some request has to be skipped: a request that
  /// failed reports itself.
  func announceBreaker(of origin: RemoteURL.Origin) {
    guard case .failing(let failure, let times)? = current.breakers[origin],
      told.withLock({ $0.insert(origin).inserted })
    else { return }
    emit(.warned(.hostLeftAlone(origin, times: times, failure)))
  }

  /// Blocks an origin because its server asked for a longer pause than the run can wait.
  func trip(_ origin: RemoteURL.Origin, _ failure: Failure, until: Timestamp) {
    book.withLock { _ = $0.trip(origin, .askedToWait(failure, until: until)) }
  }

  /// Blocks an origin that asked for a pause, on behalf of all its requests, when one of them gives up.
  func giveUp(_ origin: RemoteURL.Origin, _ failure: Failure) {
    let time = time
    guard let opening = current.requestedOpening(of: origin, at: time) else { return }
    trip(origin, failure, until: clock.now() + (opening - time))
  }
}
