// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

/// The commands that show a plan.
extension Session {
  func showPlan(asJSON: Bool, detailedExitCode: Bool) async throws {
    let plan = try await stopping { () async throws(JobError) in try await RunPreview(context).plan() }
    emit(plan, asJSON: asJSON)
    try end(plan, detailedExitCode: detailedExitCode)
  }

  /// Shows the plan that `apply` would carry out.
  func showPlanOfSavedPlan(asJSON: Bool) async throws {
    let plan = try await stopping { () async throws(JobError) in try await RunPreview(context).planOfSavedPlan() }
    emit(plan, asJSON: asJSON)
    try end(plan, detailedExitCode: false)
  }

  /// - Parameter inputs: the inputs of the plan.
  func savePlan(to path: String, _ inputs: PlanInputs, asJSON: Bool, detailedExitCode: Bool) async throws {
    let file = path == "-" ? nil : try outputFile(path, of: .plan)
    let (plan, record) = try await stopping { () async throws(JobError) in
      try await RunPreview(context).plan(recording: inputs)
    }
    let bytes = plan.json(with: record, invocation)
    if let file {
      do throws(FileError) { try file.write(bytes) } catch {
        throw CommandExit(error.words, JobError.file(error).status)
      }
      emit(plan, asJSON: asJSON)
      if !isQuiet, !asJSON { Terminal.standardOutput.write(PlanWords.saved(path, plan) + "\n") }
    } else {
      Terminal.standardOutput.write(bytes)
    }
    try end(plan, detailedExitCode: detailedExitCode)
  }

  private func emit(_ plan: Plan, asJSON: Bool) {
    if asJSON {
      Terminal.standardOutput.write(plan.json(with: nil, invocation))
    } else if !(isQuiet && !plan.hasPendingChanges) {
      Terminal.standardOutput.write(PlanText(plan, style: style).text)
    }
  }

  private func end(_ plan: Plan, detailedExitCode: Bool) throws {
    var statuses = plan.sources.map(\.status)
    // A run ends with the failure that weighs most; by itself an old one does not make a plan a failure.
    if statuses.contains(where: { $0 != .ok }), plan.skipped.contains(where: \.reason.isFailure) {
      statuses.append(.partial)
    }
    if plan.safetyStop != nil { statuses.append(.safety) }
    if detailedExitCode, plan.hasPendingChanges { statuses.append(.changesPending) }
    let status = ExitStatus.decisive(of: statuses)
    if status != .ok { throw CommandExit.silent(status) }
  }
}
