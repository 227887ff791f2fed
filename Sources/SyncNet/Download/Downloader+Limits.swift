// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore

// MARK: - Limits of a run

extension Downloader {
  /// The limit that forbids any further byte of a body that is coming in.
  var exceededLimit: RunLimit? {
    if let limit { return limit }
    return client.state.budget.isExceeded ? client.state.reachedLimit : nil
  }

  func watchTime() {
    guard let left = client.state.budget.timeLeft(after: client.state.time) else { return }
    loop.after(left) { [weak self] in self?.assumeIsolated { $0.pump() } }
  }

  /// Ends the run's requests once a limit is reached: no new one is sent, and running transfers are deferred to a later
  /// run.
  func keepLimits() {
    guard limit == nil, let reached = client.state.reachedLimit else { return }
    limit = reached
    queue.removeWaiting()
    // The last bytes that came in are handled first: they may have completed a file.
    loop.after(.zero) { [weak self] in self?.assumeIsolated { $0.putDown(reached) } }
  }

  private func putDown(_ limit: RunLimit) {
    for transfer in Array(transfers.values) { transfer.handle(.limitReached(limit), self) }
    dismissWaiting(.limitReached(limit))
    judgeUndecided()
  }
}
