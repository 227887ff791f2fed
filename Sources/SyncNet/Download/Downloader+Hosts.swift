// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore

// MARK: - Blocked hosts

extension Downloader {
  /// Refuses every request that waits for a blocked host, so that its transfer goes on without it.
  func refuse() {
    // Each transfer that ends calls `refuse` again: many that wait for one host would recurse too deeply.
    guard !isRefusing else { return }
    isRefusing = true
    defer { isRefusing = false }
    let hosts = client.state.hosts
    while let (key, origin) = queue.nextRefused(by: hosts) {
      client.state.announceBreaker(of: origin)
      guard case .item(let id) = key else {
        transfer(of: key)?.refusedFurther(self)
        continue
      }
      let beginner = takeWaiting(id)
      beginner?.start(self)
      (beginner ?? transfers[id])?.handle(.refused, self)
    }
    guard hosts.breakers.count > knownBreakers else { return }
    knownBreakers = hosts.breakers.count
    let between = transfers.values.filter { $0.waitsFor.map { hosts.breakers[$0] != nil } ?? false }
    for transfer in between {
      if let origin = transfer.waitsFor { client.state.announceBreaker(of: origin) }
      transfer.handle(.refused, self)
    }
  }

  /// Looks at the queue again: a response may show that a host serves again. Its body may take long, and others need
  /// not wait for that.
  func lookAgain() {
    guard queue.isProbing else { return }
    // Not inside the callback that delivered the response.
    loop.after(.zero) { [weak self] in self?.assumeIsolated { $0.pump() } }
  }

  /// Schedules another look for the time when the pause that a host asked for is over.
  func awaitOpening(_ time: Duration, _ hosts: HostHealth) {
    guard let opening = queue.nextOpening(after: time, hosts), opening != nextOpening else { return }
    nextOpening = opening
    loop.after(opening - time) { [weak self] in
      self?.assumeIsolated { downloader in
        downloader.nextOpening = nil
        downloader.pump()
      }
    }
  }
}
