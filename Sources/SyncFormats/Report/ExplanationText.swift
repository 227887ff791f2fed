// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// An explanation for people: what a run would do with an item, then everything that decided it.
package struct ExplanationText: Sendable {
  private let explanation: Explanation
  private let style: TextStyle
  private let now: Timestamp

  package init(_ explanation: Explanation, style: TextStyle, now: Timestamp) {
    self.explanation = explanation
    self.style = style
    self.now = now
  }

  /// Ends with a newline.
  package var text: String { style.text { lines } }

  private var lines: [String] {
    let item = explanation.item
    var lines = ["\(style.tinted(item.shownTitle, .strong)) (\(item.id.text.printable))", "  \(verdict)"]
    if let stop = explanation.safetyStop {
      lines.append("  But the run would be refused: \(stop.words(style.invocation))".sentence)
    }
    for (heading, body) in sections where !body.isEmpty {
      lines += ["", style.tinted(heading, .strong)] + body.map { "  \($0)" }
    }
    return lines
  }

  private var sections: [(String, [String])] {
    [
      ("Identity", identity), ("State", state), ("Selection", selection), ("Retention", retention),
      ("Protection", explanation.protections.map(\.words)), ("Score", score), ("Room", room),
      ("Candidates", candidates), ("Last failure", failure),
    ]
  }

  private var verdict: String {
    switch explanation.verdict {
    case .step(let action, let reason): "The next run would \(action.sentence): \(reason.words)".sentence
    case .passedOver(let reason): "The next run would skip it: \(reason.words)".sentence
    case .left(let reason):
      "The next run would not change it: \(reason.words(id: explanation.item.id, style.invocation))".sentence
    case .nothing where !explanation.isNamed: "The next run would do nothing about it: no playlist names it."
    case .nothing: "The next run would do nothing about it."
    }
  }

  private var identity: [String] {
    let item = explanation.item
    // An episode gets its number when it is taken.
    let isNumbered = explanation.known != nil || !explanation.isFromSource
    let names = item.memberships.map { isNumbered ? "\($0.playlist) (place \($0.position))" : $0.playlist.text }
      .joined(separator: ", ")
    var lines = [
      explanation.isNamed
        ? "named by \(names)"
        : explanation.isOrphan ? "named by no playlist any more; last by \(names)" : "last named by \(names)"
    ]
    if let rule = item.matchedBy { lines.append("recognised by its \(rule.words(from: explanation.sourceKind))") }
    if let codes = item.item.recordings.joined { lines.append("recording \(codes)") }
    if let artist = item.item.artist { lines.append("artist: \(artist.printable)") }
    if let album = item.item.album { lines.append("album: \(album.printable)") }
    if let published = item.item.published { lines.append("published \(published.rfc3339)") }
    return lines
  }

  private var state: [String] {
    guard let item = explanation.known else { return ["not known to the queue file yet"] }
    var lines: [String] = []
    switch item.state {
    case .completed(let file) where explanation.item.state.storedFile == nil:
      lines.append("was in the library: \(file.path.text.printable), \(file.size.words); its file is gone")
    case .completed(let file):
      lines.append("in the library: \(file.path.text.printable), \(file.size.words), since \(file.completedAt.rfc3339)")
      if file.confidence == .low {
        lines.append("confidence low: nothing proved that these are all the bytes, or that they are the item")
      }
    case .removed(let removal):
      lines.append("removed (\(removal.cause.rawValue)) \(removal.at.rfc3339)")
    default: lines.append(item.state.name.rawValue)
    }
    if let priority = item.choice?.priority { lines.append("\(priority.rawValue) priority by your choice") }
    if let quality = explanation.quality?.words(id: item.id, style.invocation) { lines.append(quality) }
    if let partial = item.partial, partial.received > .zero {
      lines.append("\(partial.received.words) of it are here as a partial")
    }
    lines.append(item.plays.words)
    return lines
  }

  private var selection: [String] {
    if let reason = explanation.unselected { return ["not selected: \(reason.words)"] }
    guard explanation.isNamed else { return [] }
    return [explanation.isFromSource ? "selected" : "selected: the manifest itself lists it"]
  }

  private var retention: [String] {
    let ahead = explanation.drops.map { drop in
      "\(drop.playlist) lets it go at \(drop.at.rfc3339) if nothing holds it then: \(drop.rule.words)"
    }
    switch explanation.retained {
    case .kept(let playlist, let rule): return ["kept by \(playlist): \(rule.words)"] + ahead
    case .dropped(let playlist, let rule): return ["let go by \(playlist): \(rule.words)"]
    case nil: return ahead.isEmpty ? ["no retain rule applies"] : ahead
    }
  }

  private var score: [String] {
    guard let score = explanation.score else { return [] }
    var lines: [String] = []
    if let recency = score.recency, let plays = score.plays {
      let terms = "0.7 × \(recency.fixed(3)) + 0.3 × \(plays.fixed(3))"
      let use =
        explanation.item.plays.count == 0 && score.score == .classic
        ? "never played" : "\(score.days.fixed(1)) days since its last use"
      lines.append(
        "\(score.value.fixed(3)) = \(terms) (\(score.score.rawValue): \(use), \(explanation.item.plays.count.counted("play")))"
      )
    } else {
      lines.append("oldest: \(score.days.fixed(1)) days since the download")
    }
    if let rank = explanation.rank {
      lines.append(
        "number \(rank.place) of the \(rank.count) that may go for room; \(rank.before.words) would go before it")
    }
    return lines
  }

  private var room: [String] {
    var lines: [String] = []
    let storage = explanation.storage
    if let budget = storage.budget, let marks = explanation.marks, let usage = storage.usage {
      lines.append(
        "\(storage.after.words) of \(budget.words) in use after the next run (\(usage.percentWords)); above \(marks.trigger.words) files go, down to \(marks.target.words)"
      )
    } else {
      lines.append("no budget; \(storage.free.words) free on the file system")
    }
    if let share = explanation.share {
      lines.append("\(share.playlist) has \(share.used.words) in use, and may have \(share.ceiling.words)")
    }
    return lines
  }

  private var candidates: [String] {
    let tried = explanation.candidates.map { ranked in
      let difference = ranked.difference.map { ", \($0.differenceWords)" } ?? ""
      let confidence = ranked.confidence == .low ? ", confidence low" : ""
      if let words = ranked.candidate.url.searched {
        let isLast = explanation.candidates.count > 1
        return "\(number(ranked.candidate)) a search\(isLast ? ", if all else fails" : ""): \(words.printable)"
      }
      let mark = mark(ranked.candidate)
      let chosen = explanation.isChosen ? "; you chose it" : ""
      return
        "\(number(ranked.candidate)) \(ranked.candidate.url.redacted.printable)\(difference)\(confidence)\(chosen)\(mark)"
    }
    let refused = explanation.refused.map {
      "\(number($0.candidate)) \($0.candidate.url.redacted.printable): \($0.why.words)\(mark($0.candidate))"
    }
    let lines = tried + refused + (explanation.isChoiceGone ? ["the chosen candidate is not declared any more"] : [])
    guard explanation.isSourceGone, let source = explanation.source else { return lines }
    let place = explanation.sourceQuality?.words ?? explanation.words(ofOrigin: source)
    return lines + ["-  \(source.named.printable): \(place); the file here came from it"]
  }

  private func number(_ candidate: Candidate) -> String { explanation.number(of: candidate).map { "\($0)." } ?? "- " }

  private func mark(_ candidate: Candidate) -> String {
    explanation.isSource(candidate) ? "; the file here came from it" : ""
  }

  private func isTriedAgain(_ record: FailureRecord) -> Bool {
    explanation.known?.state.name == .failed ? record.isTriedAgain : record.isTemporary
  }

  private var failure: [String] {
    switch explanation.known?.transfer {
    case .failed(let record):
      [
        "\(record.error.message.printable) (\(record.error.kind.rawValue), \(record.error.at.rfc3339))",
        "\(isTriedAgain(record) ? "tried again by the next run" : "not tried again by itself"); \(record.attempts.counted("request")) to candidate \(record.candidate + 1)",
      ]
    case .queued(let pending):
      [pending.lastError.map { "\($0.message.printable) (\($0.kind.rawValue), \($0.at.rfc3339))" }].compactMap(\.self)
        + [pending.nextAttemptAt.map { "not before \($0.rfc3339)" }].compactMap(\.self)
    default: []
    }
  }
}

extension Step.Action {
  /// Behind "the next run would".
  fileprivate var sentence: String {
    switch self {
    case .download: "fetch it"
    case .resume: "resume it"
    case .adopt: "take its file over"
    case .upgrade: "replace its file"
    case .move: "move it"
    case .remove: "remove it"
    case .evict: "evict it"
    case .push: "tell its server of a change"
    case .defer: "put it off"
    case .keep: "keep it"
    }
  }
}

extension IdentityRule {
  /// - Parameter kind: The kind of the source that names the item. Nil for none.
  fileprivate func words(from kind: SourceKind?) -> String {
    switch self {
    case .id: "id"
    case .guid where kind == .subsonic: "id on the server"
    case .guid where kind == .ytdlp: "id on its site"
    case .guid where kind == .list: "identifier in the list"
    case .guid: "guid"
    case .musicBrainz: "MusicBrainz id"
    case .isrc: "ISRC"
    case .url: "URL"
    case .titleDateDuration: "title, day and duration"
    case .titleAlbumDuration: "title, artist, album and duration"
    }
  }
}

extension PlayHistory {
  fileprivate var words: String {
    guard count > 0 else { return "never played" }
    let last = lastPlayedAt.map { ", last \($0.rfc3339)" } ?? ""
    return "played \(count == 1 ? "once" : "\(count) times")\(last)"
  }
}

extension CandidateRefusal {
  package var words: String {
    switch self {
    case .otherVersion(let marker): "not tried: another version (\"\(marker)\")"
    case .outsideTolerance(let difference): "not tried: \(difference.differenceWords), more than alternatives.tolerance"
    case .beyondMax(let max): "not tried: alternatives.max is \(max)"
    case .qualityUnknown: "not tried for another quality: nobody says which quality it has"
    case .switchedOff: "not tried: features.alternatives is off"
    case .notChosen: "not tried: you chose another one"
    }
  }
}

extension Explanation {
  /// A place of the file here that the item does not name.
  func words(ofOrigin source: RemoteURL) -> String {
    let file = item.state.storedFile
    if file?.origin == nil || file?.candidate == 0 { return "not named any more" }
    return source.isFile ? "imported" : "found by a search"
  }
}
