// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension UndoResult.Obstacle {
  package var words: String {
    switch self {
    case .taken: "another file is in its place"
    case .takenBy(let id): "\(id.text.quoted) has its file in this place now"
    case .obstructed: "something that is not a folder is in the way of its folder"
    case .changed(let id): "it is not what \(id.text.quoted) had here when it was removed"
    case .hasItAgain(let id, let path): "\(id.text.quoted) has the same file already: \(path.text.printable)"
    case .unknown: "no item that is marked as removed has this path and these contents (after retry an item is not)"
    case .missing: "it is not in the trash any more: that was emptied, or somebody took it"
    case .expired(let keep): "it is not in the trash any more: storage.trash.keep is \(keep.spanWords)"
    case .refused: "it may not be moved; check who owns the folders and who may write there"
    case .otherFileSystem:
      "its folder is on another file system than the trash; copy it yourself, or unmount the folder"
    }
  }

  /// The name in JSON.
  package var name: String {
    switch self {
    case .taken: "taken"
    case .takenBy: "taken_by_item"
    case .obstructed: "obstructed"
    case .changed: "changed"
    case .hasItAgain: "has_it_again"
    case .unknown: "unknown"
    case .missing: "missing"
    case .expired: "expired"
    case .refused: "refused"
    case .otherFileSystem: "other_file_system"
    }
  }

  /// The item that the reason concerns.
  package var item: ItemID? {
    switch self {
    case .takenBy(let id), .changed(let id), .hasItAgain(let id, _): id
    case .taken, .obstructed, .unknown, .missing, .expired, .refused, .otherFileSystem: nil
    }
  }
}

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
    "\(bytes) and \(share) exclude each other; give only one"
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
