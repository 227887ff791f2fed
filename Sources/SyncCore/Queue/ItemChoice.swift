// SPDX-License-Identifier: Apache-2.0

/// The decisions of a person about how an item is fetched. They take the place of what the manifest declares.
package struct ItemChoice: Hashable, Sendable {
  package var priority: Priority?
  package var candidate: ChosenCandidate?

  package init(priority: Priority? = nil, candidate: ChosenCandidate? = nil) {
    self.priority = priority
    self.candidate = candidate
  }

  /// Nil if nothing is decided.
  var unlessEmpty: ItemChoice? { priority == nil && candidate == nil ? nil : self }
}

/// The candidate that is tried alone, because a person chose it.
package enum ChosenCandidate: Hashable, Sendable {
  /// The item's own URL, whatever it is at the time.
  case main
  case alternative(RemoteURL)

  package init(_ candidate: Candidate, of item: Item) {
    self = candidate == item.main ? .main : .alternative(candidate.url)
  }

  /// Returns nil if the item does not have the candidate any more. The choice then has no effect.
  package func candidate(of item: Item) -> Candidate? {
    switch self {
    case .main: item.main
    case .alternative(let url): item.alternatives.first { $0.url.identity == url.identity }
    }
  }

  func isMet(by candidate: Candidate) -> Bool {
    if case .alternative(let url) = self { candidate.url.identity == url.identity } else { false }
  }

  /// True if the file came from this candidate.
  package func isSource(of file: StoredFile, _ item: Item) -> Bool {
    func came(from url: RemoteURL) -> Bool { file.origin?.identity == url.identity }
    return switch self {
    // A file that came from an earlier URL of the item is not fetched again.
    case .main: file.candidate == 0 && !item.alternatives.contains { came(from: $0.url) }
    case .alternative(let url): came(from: url)
    }
  }
}
