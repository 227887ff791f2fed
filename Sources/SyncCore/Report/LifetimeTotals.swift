// SPDX-License-Identifier: Apache-2.0

/// Totals over all runs of a library that came to their report.
package struct LifetimeTotals: Equatable, Sendable {
  /// Files that were fetched, those of another quality included.
  package var downloaded = 0
  package var bytesDownloaded: ByteCount = .zero
  package var evicted = 0
  package var failed = 0
  package var retries = 0
  /// The end of the last run without a failure. Nil before the first.
  package var succeededAt: Timestamp?
  package init() {}

  /// - Parameter keepsTime: False to leave the time as it is, so that a run that does nothing changes nothing.
  package mutating func add(_ report: RunReport, keepsTime: Bool) {
    let totals = report.totals
    downloaded += totals.downloaded + totals.upgraded
    bytesDownloaded += totals.bytesDownloaded
    evicted += totals.evicted
    failed += totals.failed
    retries += totals.retries
    if keepsTime, report.status.isSuccess { succeededAt = report.finishedAt }
  }
}
