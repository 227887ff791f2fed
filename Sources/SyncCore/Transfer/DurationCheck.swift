// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// True if a file of this playing time is not the one that was declared: they differ by more than five seconds and by
  /// more than two percent. Feeds round to minutes, and hosts put advertisements into their files.
  package func isFar(fromDeclared declared: Duration) -> Bool {
    let difference = (self - declared).magnitude
    return difference > .seconds(5) && difference > declared / 50
  }
}

/// The judgement of a checked file's duration.
extension TransferMachine {
  /// The declared duration of the candidate's file, if it is to be compared with the real one.
  func expectedDuration(_ trial: Trial) -> Duration? {
    rules.durations == .off ? nil : declaredDuration(trial)
  }

  func declaredDuration(_ trial: Trial) -> Duration? {
    task.candidates[trial.candidate].candidate.duration ?? task.duration
  }

  mutating func judgeDuration(
    of file: CheckedFile, _ trial: Trial, _ context: TransferContext
  ) -> [TransferAction] {
    guard let declared = expectedDuration(trial), let actual = file.duration, actual.isFar(fromDeclared: declared)
    else { return prepare(file, task.preparations[...], trial) }
    guard rules.durations == .reject else {
      return [.warnOfDuration(declared: declared, actual: actual)] + prepare(file, task.preparations[...], trial)
    }
    return setback(.duration(declared: declared, actual: actual), trial, context)
  }
}
