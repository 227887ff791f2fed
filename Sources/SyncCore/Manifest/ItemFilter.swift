// SPDX-License-Identifier: Apache-2.0

/// Conditions on a source's data about its items. Missing data does not meet a condition.
package struct ItemFilter: Equatable, Sendable {
  /// The conditions by their keys.
  package enum Criterion: String, CaseIterable, Sendable {
    case title, duration, size, type, season, explicit
  }

  /// A range that includes both bounds.
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

  /// The title must match one of them. Empty matches any title.
  package var titles: [TitlePattern] = []
  package var duration = Bounds<Duration>()
  package var size = Bounds<ByteCount>()
  /// The type must match one of them. Empty matches any type.
  package var types: [ItemType] = []
  package var season = Bounds<Int>()
  package var isExplicit: Bool?
  package init() {}

  package var isEmpty: Bool { criteria.isEmpty }

  /// The declared conditions.
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

  /// Applies the filter to many items.
  struct Matcher {
    private let filter: ItemFilter
    private let criteria: [Criterion]

    init(_ filter: ItemFilter) {
      self.filter = filter
      criteria = filter.criteria
    }

    /// The first condition that is not met. Nil if all are met or there is none.
    func unmet(_ item: Item, _ traits: EntryTraits) -> Criterion? { criteria.first { !meets($0, item, traits) } }

    /// The first condition that is met.
    func met(_ item: Item, _ traits: EntryTraits) -> Criterion? { criteria.first { meets($0, item, traits) } }

    private func meets(_ criterion: Criterion, _ item: Item, _ traits: EntryTraits) -> Bool {
      switch criterion {
      case .title: filter.titles.contains { $0.matches(item.title) }
      case .duration: item.duration.map(filter.duration.contains) ?? false
      case .size: (item.size?.bytes).map(filter.size.contains) ?? false
      case .type: filter.types.contains { $0.matches(traits) }
      case .season: traits.season.map(filter.season.contains) ?? false
      // A feed without this information counts as clean.
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

  /// Returns nil for a text that is neither.
  package init?(_ text: String) {
    if let kind = EpisodeKind(rawValue: text) {
      self = .episode(kind)
    } else if text.contains("/") {
      self = .media(Glob(text, ignoringCase: true))
    } else {
      return nil
    }
  }

  /// The text as written in a manifest.
  package var text: String {
    switch self {
    case .episode(let kind): kind.rawValue
    case .media(let glob): glob.pattern
    }
  }

  func matches(_ traits: EntryTraits) -> Bool {
    switch self {
    case .episode(let kind): traits.kind == kind
    case .media(let glob): traits.mediaType.map(glob.matches) ?? false
    }
  }
}

/// The value of Apple's `itunes:episodeType`. A feed without it means `full`.
package enum EpisodeKind: String, CaseIterable, Sendable { case full, trailer, bonus }

/// Facts about an episode that a feed states and the state does not keep.
package struct EntryTraits: Hashable, Sendable {
  package var kind = EpisodeKind.full
  package var season: Int?
  /// Nil if neither the item nor its channel says so.
  package var isExplicit: Bool?
  /// The media type of the enclosure, in lower case, without parameters.
  package var mediaType: String?
  package init() {}
}
