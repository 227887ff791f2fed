// SPDX-License-Identifier: Apache-2.0

/// Conditions on what a source says of its items. What an item does not say, it does not meet.
package struct ItemFilter: Equatable, Sendable {
  /// The conditions, by their keys.
  package enum Criterion: String, CaseIterable, Sendable {
    case title, duration, size, type, season, explicit
  }

  /// From the least to the most, both of them in.
  package struct Bounds<Value: Comparable & Sendable & Hashable>: Hashable, Sendable {
    package var min: Value?
    package var max: Value?
    package init(min: Value? = nil, max: Value? = nil) {
      self.min = min
      self.max = max
    }

    package var isEmpty: Bool { min == nil && max == nil }

    package func contains(_ value: Value) -> Bool {
      (min.map { value >= $0 } ?? true) && (max.map { value <= $0 } ?? true)
    }
  }

  /// One of them; empty: any title.
  package var titles: [TitlePattern] = []
  package var duration = Bounds<Duration>()
  package var size = Bounds<ByteCount>()
  /// One of them; empty: any type.
  package var types: [ItemType] = []
  package var season = Bounds<Int>()
  package var isExplicit: Bool?
  package init() {}

  package var isEmpty: Bool { criteria.isEmpty }

  /// Those that are declared.
  package var criteria: [Criterion] {
    Criterion.allCases.filter { criterion in
      switch criterion {
      case .title: !titles.isEmpty
      case .duration: !duration.isEmpty
      case .size: !size.isEmpty
      case .type: !types.isEmpty
      case .season: !season.isEmpty
      case .explicit: isExplicit != nil
      }
    }
  }

  /// For many items.
  struct Matcher {
    private let filter: ItemFilter
    private let criteria: [Criterion]

    init(_ filter: ItemFilter) {
      self.filter = filter
      criteria = filter.criteria
    }

    /// The first condition that does not hold; nil when all do, and when there is none.
    func unmet(_ item: Item, _ traits: EpisodeTraits) -> Criterion? { criteria.first { !meets($0, item, traits) } }

    /// The first condition that holds.
    func met(_ item: Item, _ traits: EpisodeTraits) -> Criterion? { criteria.first { meets($0, item, traits) } }

    private func meets(_ criterion: Criterion, _ item: Item, _ traits: EpisodeTraits) -> Bool {
      switch criterion {
      case .title: filter.titles.contains { $0.matches(item.title) }
      case .duration: item.duration.map(filter.duration.contains) ?? false
      case .size: (item.size?.bytes).map(filter.size.contains) ?? false
      case .type: filter.types.contains { $0.matches(traits) }
      case .season: traits.season.map(filter.season.contains) ?? false
      // A feed that says nothing of it is taken for clean.
      case .explicit: (traits.isExplicit ?? false) == filter.isExplicit
      }
    }
  }
}

/// A kind of episode, or a media type.
package enum ItemType: Hashable, Sendable {
  case episode(EpisodeKind)
  /// A pattern such as `audio/*`.
  case media(Glob)

  /// Nil for a text that is neither.
  package init?(_ text: String) {
    if let kind = EpisodeKind(rawValue: text) {
      self = .episode(kind)
    } else if text.contains("/") {
      self = .media(Glob(text, ignoringCase: true))
    } else {
      return nil
    }
  }

  /// As written in a manifest.
  package var text: String {
    switch self {
    case .episode(let kind): kind.rawValue
    case .media(let glob): glob.pattern
    }
  }

  func matches(_ traits: EpisodeTraits) -> Bool {
    switch self {
    case .episode(let kind): traits.kind == kind
    case .media(let glob): traits.mediaType.map(glob.matches) ?? false
    }
  }
}

/// What Apple's `itunes:episodeType` says; a feed that says nothing means `full`.
package enum EpisodeKind: String, CaseIterable, Sendable { case full, trailer, bonus }

/// What a feed says of an episode beside what the job remembers.
package struct EpisodeTraits: Hashable, Sendable {
  package var kind = EpisodeKind.full
  package var season: Int?
  /// Nil where neither the item nor its channel says so.
  package var isExplicit: Bool?
  /// The enclosure's, lower case, without parameters.
  package var mediaType: String?
  package init() {}
}
