// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ItemSelector.Problem {
  package func words(_ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .unknown(let text, nil): "no item is called \(text.quoted); see them with: \(invocation.command("list"))"
    case .unknown(let text, let near?): "no item is called \(text.quoted); did you mean \(near.text.quoted)?"
    case .ambiguous(let text, let ids):
      "\(text.quoted) matches several items: \(ids.map(\.text.quoted).joined(separator: ", ")); name one by its id"
    }
  }
}

extension QueueEdit.Refusal {
  /// - Parameter time: `--at`, or the variable that set it.
  package func words(id: ItemID, time: String = "--at", _ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .nothingToRetry:
      "\(id.text.quoted) is in the library; there is nothing to try again. If its file is missing or damaged:"
        + " \(invocation.command("verify --repair"))"
    case .isPaused: "\(id.text.quoted) is paused; fetch it with: \(invocation.item("resume", id))"
    case .nothingToPause(let state):
      "\(id.text.quoted) is \(state.rawValue), so no run would fetch it and there is nothing to pause"
    case .isReplaced(.candidate):
      "\(id.text.quoted) has its file, so there is nothing to pause or cancel; to keep that file instead of the chosen"
        + " candidate: \(invocation.item("choose", id)) auto"
    case .isReplaced(.quality), .isReplaced(.protection):
      "\(id.text.quoted) has its file, so there is nothing to pause or cancel; the quality of its playlist asks for"
        + " another file in its place"
    case .alreadyRemoved:
      "\(id.text.quoted) is removed; there is nothing to cancel until it is put back with: \(invocation.item("retry", id))"
    case .alreadyFinished: "\(id.text.quoted) is finished; take it out with: \(invocation.item("remove", id))"
    case .timeInFuture(let at): "\(at.rfc3339) lies in the future; check \(time) and the clock"
    case .timeTooEarly(let at): "\(at.rfc3339) is too long ago to be a play; check \(time) and the player's clock"
    }
  }
}

extension FetchRefusal {
  /// The reason why an item is not put back into the queue, and how to change that.
  package func words(retrying id: ItemID, _ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .unnamed:
      "no playlist names \(id.text.quoted) any more, so no run would fetch it; name it in the manifest again"
    case .unwanted(.wouldBeDropped(let rule), let playlist):
      "retain would drop \(id.text.quoted) again at once: \(rule.words) (playlists.\(playlist).retain); change the rule,"
        + " or have the item all the same with: \(invocation.item("pin", id))"
    case .unwanted(let reason, let playlist):
      "\(id.text.quoted) is skipped, so no run would fetch it: \(reason.words); \(reason.advice(playlist))"
    case .skipped(let reason): reason.words(id: id, invocation)
    }
  }

  /// The reason why an item is not fetched although it is pinned, and how to change that.
  package func words(pinning id: ItemID, _ invocation: Invocation = Invocation()) -> String {
    let subject = "\(id.text.quoted) is pinned, but has no file, and no run fetches it"
    return switch self {
    case .unnamed: "\(subject): no playlist names it any more; name it in the manifest again"
    case .unwanted(let reason, let playlist): "\(subject): \(reason.words); \(reason.advice(playlist))"
    case .skipped(let reason): "\(subject): \(reason.words(id: id, invocation))"
    }
  }
}

extension Unselected {
  /// The way to get the item in spite of that.
  fileprivate func advice(_ playlist: PlaylistName) -> String {
    switch self {
    // `initial` counts at the first reading only: a later change has no effect.
    case .beforeFirstReading:
      "that does not change any more; to have it, list it under `items` of a playlist of its own"
    default: "change that in playlists.\(playlist)"
    }
  }
}

extension CandidateChoice.Problem {
  package func words(_ number: Int, of id: ItemID, _ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .absent(let count):
      "\(id.text.quoted) has \(count.counted("candidate")) and none with the number \(number);"
        + " see them with: \(invocation.item("explain", id))"
    case .search:
      "candidate \(number) of \(id.text.quoted) is a search, which is tried after all others and cannot be chosen"
    }
  }
}

package enum EditWords {
  /// The consequence of a choice for the file of a finished item. Nil if the item has none.
  /// - Parameter item: The item as it is declared.
  package static func note(
    _ choice: CandidateChoice, _ item: Item, _ queued: QueueItem?, now: Timestamp
  ) -> String? {
    guard let queued else { return nil }
    do throws(QueueEdit.Refusal) {
      let edited = try QueueEdit.choose(choice).applied(to: queued, now: now) ?? queued
      return edited.state.storedFile.map { file in
        choice.candidate.isSource(of: file, item)
          ? "its file came from it" : "the next run fetches it, and replaces the file when the new one is whole"
      }
    } catch { return nil }
  }

  /// The warning about a priority that has no effect.
  package static func priorityWithoutEffect(_ order: DownloadPolicy.Order) -> String {
    "downloads.order is \(order.rawValue.quoted), so no priority counts; set it to \"priority\""
  }

  /// The words in front of an item in a rehearsal.
  package static let wouldRemove = "would remove"
  package static let nothingToRetryNamed = "name the items to retry, or use --all"

  /// - Parameter flag: `--all`, or the variable that set it.
  package static func allAndItems(_ flag: String) -> String { "\(flag) means every item; name no item beside it" }

  package static let nothingToPauseNamed = "name the items to pause, or use --all"
  package static let nothingToResumeNamed = "name the items to resume, or use --all"
  package static let nothingToRemoveNamed = "name the items to remove, or one of --playlist and --all"
  package static let playlistAndAll = "name only one of --playlist and --all"
  package static let removeAllNeedsYes = "--all removes every finished item; confirm it with --yes"

  package static func pinned(_ id: ItemID, wayOut: String) -> String {
    "\(id.text.quoted) is pinned; nothing was removed. First: \(wayOut)"
  }

  /// The way to take back a pin that the manifest declares.
  package static let unpinInManifest = "remove its `pin` from the manifest"

  package static func notInLibrary(_ id: ItemID, _ state: ItemState.Name) -> String {
    "\(id.text.quoted) has no file in the library (it is \(state.rawValue))"
  }

  /// The message about an item that a playlist names and the queue file does not know.
  package static func notKnown(
    _ id: ItemID, _ objection: FetchRefusal?, _ invocation: Invocation = Invocation()
  ) -> String {
    guard case .unwanted(let reason, let playlist)? = objection else {
      return "\(id.text.quoted) is not in the queue file yet; the next run adds it. Try again after that"
    }
    let wayOut =
      switch reason {
      case .beforeFirstReading: reason.advice(playlist)
      case .wouldBeDropped:
        "\(reason.advice(playlist)), or have it all the same with: \(invocation.item("pin", id))"
      default: "\(reason.advice(playlist)), and the next run takes it up unless another rule forbids it"
      }
    return "\(id.text.quoted) is skipped, so the queue file does not know it: \(reason.words); \(wayOut)"
  }

  package static let nothingToDo = "nothing to do"

  /// The message of `retry --all` if no item has failed.
  /// - Parameter removed: The number of removed items that were not evicted.
  package static func nothingToRetry(removed: Int, _ invocation: Invocation) -> String {
    guard removed > 0 else { return nothingToDo }
    return
      "nothing to do: no item has failed; \(removed.counted("removed item")) \(removed == 1 ? "comes" : "come") back only"
      + " if named; see \(removed == 1 ? "it" : "them") with: \(invocation.command("list --state removed"))"
  }

  /// The message about an item that a command for all items leaves out.
  package static func leftOut(_ id: ItemID, _ objection: FetchRefusal, _ invocation: Invocation) -> String {
    "left out: \(objection.words(retrying: id, invocation)); or give it up with: \(invocation.item("cancel", id))"
  }

  /// The message about an item that an edit leaves as it is.
  package static func unaffected(_ id: ItemID, by edit: QueueEdit) -> String {
    let done = edit == .unpin ? "pinned" : "paused"
    return "\(id.text.quoted) is not \(done); nothing to do"
  }

  /// The message about an item that was to be unpinned.
  package static func pinnedByManifest(_ id: ItemID) -> String {
    "\(id.text.quoted) is pinned by the manifest; remove its `pin` there"
  }

  /// The message about a file that was to be removed.
  package static func keptFile(_ id: ItemID, _ kept: KeptFile) -> String {
    switch kept {
    case .notOurs(let path):
      "\(path.text.quoted) stays: it is not the file that was fetched for \(id.text.quoted); move it away yourself"
    case .refused(let path, let error): error.wordsOfRemoval(of: path)
    }
  }
}

extension DisplacedFile {
  /// The place of the file, as an addition to the line about the removal of its item.
  package var words: String {
    switch self {
    case .found(let file): "its file was found at \(file.path.text.quoted), where it was moved by hand"
    case .absent: "its file was not in the library"
    }
  }
}

extension ItemChoice {
  /// A person's decisions about how an item is fetched.
  package var words: [String] {
    (priority.map { ["\($0.rawValue) priority"] } ?? []) + (candidate == nil ? [] : ["with a chosen candidate"])
  }
}

extension QueueEdit {
  /// The action that was done, for the line that a command prints: `pinned "night-drive"`.
  package var pastTense: String {
    switch self {
    case .retry: "queued again"
    case .cancel: "cancelled"
    case .pause: "paused"
    case .resume: "resumed"
    case .prioritize(let priority?): "gave \(priority.rawValue) priority to"
    case .prioritize(nil): "left the priority to the manifest for"
    case .choose(let choice?): "chose candidate \(choice.number) for"
    case .choose(nil): "left the candidate to the rules for"
    case .pin: "pinned"
    case .unpin: "unpinned"
    case .played: "recorded as played"
    }
  }

  /// The action that would be done, in a rehearsal.
  package var conditional: String {
    switch self {
    case .retry: "would queue again"
    case .cancel: "would cancel"
    case .pause: "would pause"
    case .resume: "would resume"
    case .prioritize(let priority?): "would give \(priority.rawValue) priority to"
    case .prioritize(nil): "would leave the priority to the manifest for"
    case .choose(let choice?): "would choose candidate \(choice.number) for"
    case .choose(nil): "would leave the candidate to the rules for"
    case .pin: "would pin"
    case .unpin: "would unpin"
    case .played: "would record as played"
    }
  }
}
