// SPDX-License-Identifier: Apache-2.0

extension Feed {
  /// The feed as a playlist can use it. An episode that is only an image is an unusable entry, unless `match` asks for its
  /// type. A feed without anything to fetch is not a whole one, unless it is simply empty and never had anything.
  /// - Parameter before: how many items it had when it was last read whole; nil: it never was.
  package consuming func used(by select: Selection, before: Int?) -> Feed {
    setImagesAside(unless: select.match.types)
    guard completeness == .whole, episodes.isEmpty else { return self }
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
    for episode in episodes where isImage(episode) {
      flaws.append(.onlyImage(title: episode.title ?? episode.guid ?? ""))
      unusable.append(UnusableEntry(episode))
    }
    episodes.removeAll(where: isImage)
  }

  /// It was read whole, and says nothing at all.
  package var isBare: Bool { completeness == .whole && episodes.isEmpty }
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
