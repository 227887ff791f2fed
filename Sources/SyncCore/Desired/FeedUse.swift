// SPDX-License-Identifier: Apache-2.0

extension Feed {
  /// The feed in the form in which a playlist uses it. An episode that is only an image becomes an unusable entry,
  /// unless `match` asks for its type. A feed with nothing to fetch does not count as whole, unless it is empty and
  /// never had items.
  /// - Parameter before: The number of items at the last whole reading. Nil if there was none.
  package consuming func used(by select: Selection, before: Int?) -> Feed {
    setImagesAside(unless: select.match.types)
    guard completeness.hasEnd, episodes.isEmpty else { return self }
    if !unusable.isEmpty {
      completeness = .partial(.nothingUsable(entries: unusable.count))
    } else if let before, before > 0 {
      completeness = .partial(.suddenlyEmpty(before: before))
    }
    return self
  }

  private mutating func setImagesAside(unless types: [ItemType]) {
    let isImage = { (episode: Episode) in
      episode.traits.mediaType?.hasPrefix("image/") ?? false
        && !types.contains { $0.isMedia && $0.matches(episode.traits) }
    }
    // Few feeds have any, and a large feed is not copied for them.
    guard episodes.contains(where: isImage) else { return }
    for episode in episodes where isImage(episode) {
      flaws.append(.onlyImage(title: episode.title ?? episode.guid ?? ""))
      unusable.append(UnusableEntry(episode))
    }
    episodes = EpisodeList(episodes.lazy.filter { !isImage($0) })
  }

  /// True if the feed was read to its end and has no episodes.
  package var isBare: Bool { completeness.hasEnd && episodes.isEmpty }
}

extension UnusableEntry {
  fileprivate init(_ episode: Episode) {
    (guid, title) = (episode.guid, episode.title)
    (published, duration) = (episode.published, episode.duration)
  }
}

extension ItemType {
  fileprivate var isMedia: Bool { if case .media = self { true } else { false } }
}
