// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension PlanStaleness {
  /// The difference, to follow a colon.
  package var words: String {
    switch self {
    case .manifest: "the manifest was changed"
    case .variables:
      "a variable that the manifest names has another value, or a manifest from a pipe is in another folder"
    case .program: "it was made by another build of this program"
    case .fromTheFuture(let time): "it was made for \(time.rfc3339), which has not come yet"
    case .anotherLibrary: "the library is another one"
    case .queue: "the state was changed by an earlier `apply` of it, a run, a command or a history file"
    case .library: "files in the library, partial downloads or the trash have changed"
    case .difference(let difference): difference.words
    case .unread(let sources, let difference): "\(Self.words(sources)); and \(difference.words)"
    }
  }

  /// The first sources, as many as fit into one sentence.
  private static func words(_ sources: [UnreadSource]) -> String {
    let told = sources.prefix(3).map { "\($0.playlist): \($0.problem.words)" }
    let rest = sources.count - told.count
    return (told + (rest > 0 ? ["\(rest.counted("more source")) could not be read"] : [])).joined(separator: "; ")
  }
}

extension PlanDifference {
  /// The item that differs, and the difference.
  package var words: String {
    switch self {
    case .added(let step): "\(step.subject) would be \(step.action.participle) now, which was not planned"
    case .dropped(let step): "\(step.subject) would not be \(step.action.participle) now"
    case .changed(let before, let after) where before.action != after.action:
      "\(after.subject) would be \(after.action.participle) now, not \(before.action.participle)"
    case .changed(let before, let after) where before.path != after.path:
      "\(after.id.text.quoted) would be \(after.action.participle) as \(after.place) now, not as \(before.place)"
    case .changed(let before, let after) where before.quality != after.quality:
      "\(after.subject) would be \(after.action.participle) in \(after.quality?.words ?? "another quality") now, not in "
        + (before.quality?.words ?? "another one")
    case .changed(let before, let after):
      "\(after.subject) would be \(after.action.participle) with \(after.size(besides: before)) now, "
        + "not with \(before.size(besides: after))"
    case .trash(.kept): "the trash would be kept now"
    case .trash(.expired): "old trash would be removed now"
    case .trash(.emptied): "the trash would be emptied now"
    }
  }
}

extension OutlinedStep {
  fileprivate var subject: String { path.map { "\(id.text.quoted) (\($0.text.printable))" } ?? id.text.quoted }
  fileprivate var place: String { path?.text.quoted ?? "nothing" }

  /// The size to the byte if the two sizes look the same in larger units.
  fileprivate func size(besides other: Self) -> String {
    guard let bytes else { return "an unknown size" }
    return bytes.words == other.bytes?.words ? "\(bytes.bytes) bytes" : bytes.words
  }
}

extension Step.Action {
  fileprivate var participle: String {
    switch self {
    case .download: "downloaded"
    case .resume: "resumed"
    case .adopt: "adopted"
    case .upgrade: "replaced"
    case .move: "moved"
    case .remove: "removed"
    case .evict: "evicted"
    case .push: "pushed"
    case .defer: "deferred"
    case .keep: "kept"
    }
  }
}

package enum PlanWords {
  /// The message about a saved plan and a manifest that is named with it but is not the plan's.
  package static func ofAnotherManifest(plan: String, _ manifest: String, named: String) -> String {
    "the plan \(plan.quoted) is for \(manifest.quoted), not for \(named.quoted); leave -m out, or make a plan for that"
      + " manifest"
  }

  /// The message about a plan that cannot be written to the given path.
  /// - Parameter flag: `--output`, or the variable that set it.
  package static func overManifest(_ path: String, flag: String) -> String {
    "\(flag) names the manifest itself, \(path.quoted); name another file for the plan"
  }

  /// The message that a plan was saved, and how to use it.
  package static func saved(_ path: String, _ plan: Plan) -> String {
    guard plan.safetyStop == nil else { return "Saved as \(path.quoted), which `syncjob apply` refuses." }
    return "Saved as \(path.quoted). Carry it out with: syncjob apply \(path.operandWord)"
  }
}
