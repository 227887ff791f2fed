// SPDX-License-Identifier: Apache-2.0

/// A candidate with its position in the order of trial.
package struct RankedCandidate: Hashable, Sendable {
  package var candidate: Candidate
  package var confidence: StoredFile.Confidence
  /// The candidate's duration minus the item's. Nil for the main candidate, or if either duration is unknown.
  package var difference: Duration?
  /// True if the URL of the file has to be found anew for each request, because the candidate's own leads to a page.
  package var needsResolving = false
  package init(candidate: Candidate, confidence: StoredFile.Confidence, difference: Duration? = nil) {
    self.candidate = candidate
    self.confidence = confidence
    self.difference = difference
  }
}

/// The reason why an alternative is not tried.
package enum CandidateRefusal: Hashable, Sendable {
  /// Its title contains a word that the item's title lacks.
  case otherVersion(String)
  /// Its duration differs from the item's by more than `alternatives.tolerance`.
  case outsideTolerance(Duration)
  /// There are this many closer candidates already.
  case beyondMax(Int)
  /// The item's file is to be replaced by one of another quality, and the quality of an alternative is unknown.
  case qualityUnknown
  /// `features.alternatives` is off.
  case switchedOff
  /// A person chose another candidate.
  case notChosen
}

extension AlternativePolicy {
  /// The alternatives that are not tried, in manifest order.
  package func refused(of item: Item) -> [(candidate: Candidate, why: CandidateRefusal)] {
    let tried = Set(order(of: item).map(\.candidate))
    return item.alternatives.compactMap { candidate in
      guard !tried.contains(candidate) else { return nil }
      if avoidOtherVersions, let title = candidate.title,
        let marker = OtherVersion.marker(in: title, against: item.title)
      {
        return (candidate, .otherVersion(marker))
      }
      if let wanted = item.duration, let offered = candidate.duration, (offered - wanted).magnitude > tolerance {
        return (candidate, .outsideTolerance(offered - wanted))
      }
      return (candidate, .beyondMax(max))
    }
  }

  /// The main candidate, followed by at most `max` alternatives within `tolerance` of the item's duration: nearest
  /// first, ties in manifest order, unknown durations last. If the item has no duration, manifest order applies. A
  /// search comes last. It is the main candidate of an item without a URL.
  package func order(of item: Item) -> [RankedCandidate] {
    let place = search(for: item).map { RankedCandidate(candidate: Candidate(url: $0), confidence: .low) }
    let alternatives = ranked(item.alternatives, for: item)
    let main = RankedCandidate(candidate: item.main, confidence: .normal)
    if item.main.url.isSearch { return [place ?? main] + alternatives }
    return [main] + alternatives + (place.map { [$0] } ?? [])
  }

  /// The search for an item. Nil if no other file can have the declared bytes, or none may be tried.
  package func search(for item: Item) -> RemoteURL? {
    guard max > 0 else { return nil }
    if case .exact? = item.size { return nil }
    return item.checksum == nil ? search?.place(of: item) : nil
  }

  /// The candidates beside the main one that are tried, in the order of trial.
  func ranked(_ candidates: [Candidate], for item: Item) -> [RankedCandidate] {
    let fitting = candidates.enumerated().compactMap { offset, candidate in
      rank(candidate, for: item).map { (offset, $0) }
    }
    let nearestFirst = fitting.sorted { a, b in
      let (x, y) = (a.1.difference?.magnitude, b.1.difference?.magnitude)
      if let x, let y, x != y { return x < y }
      if (x == nil) != (y == nil) { return x != nil }
      return a.0 < b.0
    }
    return nearestFirst.prefix(max).map(\.1)
  }

  private func rank(_ candidate: Candidate, for item: Item) -> RankedCandidate? {
    if avoidOtherVersions, let title = candidate.title, OtherVersion.marker(in: title, against: item.title) != nil {
      return nil
    }
    guard let wanted = item.duration, let offered = candidate.duration else {
      return RankedCandidate(candidate: candidate, confidence: .low)
    }
    let difference = offered - wanted
    guard difference.magnitude <= tolerance else { return nil }
    return RankedCandidate(
      candidate: candidate, confidence: difference.magnitude <= confidentWithin ? .normal : .low,
      difference: difference)
  }
}

extension AlternativePolicy {
  /// The candidates by which a person chooses, in the order of their numbers: those that are tried, then the others.
  package func numbered(of item: Item) -> [Candidate] {
    order(of: item).map(\.candidate) + refused(of: item).map(\.candidate)
  }

  /// The candidates in the order of trial: the chosen one alone, even if its duration is outside of `tolerance`, or
  /// those of the rules.
  package func order(of item: Item, chosen: ChosenCandidate?) -> [RankedCandidate] {
    guard let candidate = chosen?.candidate(of: item) else { return order(of: item) }
    let difference = candidate.duration.flatMap { offered in item.duration.map { offered - $0 } }
    return [
      RankedCandidate(candidate: candidate, confidence: .normal, difference: chosen == .main ? nil : difference)
    ]
  }
}

/// Detects titles that name another version of a recording.
package enum OtherVersion {
  static let markers: [[String]] = [
    ["live"], ["remix"], ["karaoke"], ["cover"], ["instrumental"], ["acoustic"], ["sped", "up"], ["nightcore"], ["8d"],
    ["reverb"], ["extended"], ["radio", "edit"],
  ]

  /// The marker that `title` contains and `original` lacks, for example `radio edit`.
  package static func marker(in title: String, against original: String) -> String? {
    let (words, originalWords) = (words(title), words(original))
    let added = markers.first { occurs($0, in: words) && !occurs($0, in: originalWords) }
    return added?.joined(separator: " ")
  }

  private static func words(_ title: String) -> [String] {
    title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func occurs(_ marker: [String], in words: [String]) -> Bool {
    guard words.count >= marker.count else { return false }
    return (0...(words.count - marker.count)).contains { words[$0..<($0 + marker.count)].elementsEqual(marker) }
  }
}
