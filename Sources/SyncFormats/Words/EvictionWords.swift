// SPDX-License-Identifier: Apache-2.0
import SyncCore

package enum EvictionWords {
  /// - Parameter flag: `--to`, or the variable that set it.
  package static func noBudget(_ flag: String) -> String {
    "\(flag) is a share of storage.budget, and the manifest has none; say how much to free with --bytes"
  }
  package static let noBudgetAndNoGoal =
    "without storage.budget there is no target to go down to; say how much to free with --bytes"
  /// - Parameters:
  ///   - bytes: `--bytes`, or the variable that set it.
  ///   - share: `--to`, or the variable that set it.
  package static func twoGoals(_ bytes: String, _ share: String) -> String {
    "\(bytes) and \(share) are two goals; give one of them"
  }
  package static let switchedOff =
    "the manifest has features.eviction: false, so nothing is evicted; remove that, or take items out with"
    + " `syncjob remove`"
  package static let forbidden = "$SYNCJOB_NO_EVICT forbids what evict does; unset it for this command"
}

extension EvictResult {
  /// The evictions and the failures; one sentence a line, without a full stop.
  func summary(_ evict: StoragePolicy.Eviction) -> [String] {
    guard eviction.needed > .zero else { return ["nothing to evict: the library holds \(holding)"] }
    let items = lines.isEmpty ? nil : lines.count.counted("item")
    let done = [items, trash > .zero ? "the trash" : nil].compactMap(\.self).joined(separator: " and ")
    var sentences = [
      done.isEmpty
        ? "nothing can be evicted" : "\(isDryRun ? "would evict" : "evicted") \(done), freeing \(freed.words)"
    ]
    if lacking > .zero { sentences.append("\(lacking.words) could not be freed: \(protections(evict))") }
    return sentences
  }

  private var holding: String {
    let used = eviction.plan.storage.before
    guard let usage = eviction.plan.storage.usage else { return used.words }
    return "\(used.words), \(usage.percentWords) of its budget"
  }

  private func protections(_ evict: StoragePolicy.Eviction) -> String {
    var parts = EvictionProtection.Kind.allCases.compactMap { kind in
      eviction.protected[kind].map { files in
        let size = files.bytes > .zero ? " (\(files.bytes.words))" : ""
        return "\(files.items.counted("item"))\(size) \(kind.words(files.items, evict))"
      }
    }
    let partial = eviction.plan.storage.partial
    if partial > .zero { parts.append("\(partial.words) are unfinished, for runs to go on with") }
    return parts.isEmpty ? "there is nothing else in the library" : parts.joined(separator: ", ")
  }
}

extension EvictionProtection {
  /// The protection of one file.
  package var words: String {
    switch self {
    case .changedByOthers: "changed by others, so it is never removed"
    case .unreachable: "in a folder that cannot be searched"
    case .pinnedByManifest: "pinned by the manifest"
    case .pinnedByCommand: "pinned by command"
    case .inProgress(let position):
      "half played: playback stopped at \(position.offset.clockWords) on \(position.at.rfc3339)"
    case .kept(let playlist, let rule): "held by \(rule.words) (playlists.\(playlist).retain)"
    case .tooYoung(let until): "too young to be evicted until \(until.rfc3339) (storage.evict.min_age)"
    }
  }
}

extension EvictionProtection.Kind {
  /// The protection of several files, after their number.
  fileprivate func words(_ count: Int, _ evict: StoragePolicy.Eviction) -> String {
    let verb = count == 1 ? "is" : "are"
    return switch self {
    case .pinned: "\(verb) pinned"
    case .inProgress: "\(verb) in progress"
    case .kept: "\(verb) kept by retain"
    case .unreachable: "\(count == 1 ? "is" : "are") in a folder that cannot be searched"
    case .changedByOthers: "\(count == 1 ? "was" : "were") changed by others and not removed"
    case .tooYoung: "\(verb) younger than storage.evict.min_age (\(evict.minAge.spanWords))"
    }
  }
}
