// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// The largest difference between a declared duration and the sum of all frames of a whole file: declared durations are
  /// whole seconds, and encoders add a fraction of one.
  private static let roundingOfDurations = Duration.seconds(2)

  /// True if a file whose frames play this long has not lost its end.
  fileprivate func provesWhole(_ declared: Duration) -> Bool {
    (self - declared).magnitude <= Self.roundingOfDurations
  }
}

/// The proofs that no byte of a fetched file is missing. A file without one is published, but replaces no other
/// (docs/decisions/0088).
extension TransferMachine {
  /// True if neither the server nor the manifest announced what the whole file is.
  var isUnannounced: Bool { partial?.total == nil && task.checksum == nil && exactSize == nil }

  /// True if only the playing time can prove that the file may replace another one.
  func needsCount(_ trial: Trial) -> Bool {
    task.replacesFile && isUnannounced && !trial.marksEnd && declaredDuration(trial) != nil
  }

  func isProvenWhole(_ file: CheckedFile, _ trial: Trial) -> Bool {
    if !isUnannounced || trial.marksEnd { return true }
    guard file.isCounted, let declared = declaredDuration(trial), let actual = file.duration else { return false }
    return actual.provesWhole(declared)
  }
}
