// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore

// MARK: - What a run may use up

extension Downloader {
  /// Why no byte more is taken, from a body that is coming in.
  var exceededLimit: RunLimit? {
    if let limit { return limit }
    return settings.allowance.isExceeded ? settings.allowance.reached : nil
  }

  func watchTime() {
    guard let left = settings.allowance.timeLeft else { return }
    loop.after(left) { [weak self] in self?.assumeIsolated { $0.pump() } }
  }

  /// Once a limit is reached, nothing more is asked for, and what is on its way is put down for a later run.
  func keepLimits() {
    guard limit == nil, let reached = settings.allowance.reached else { return }
    limit = reached
    queue.removeWaiting()
    // What came in with the last bytes is heard out first: it may be whole.
    loop.after(.zero) { [weak self] in self?.assumeIsolated { $0.putDown(reached) } }
  }

  private func putDown(_ limit: RunLimit) {
    for transfer in Array(transfers.values) { transfer.handle(.limitReached(limit), self) }
    dismissWaiting(.limitReached(limit))
    judgeUndecided()
  }
}
