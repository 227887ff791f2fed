// SPDX-License-Identifier: Apache-2.0

extension Listing {
  /// The listing in the form in which a playlist uses it. An entry that is only an image becomes an unusable entry,
  /// unless `match` asks for its type. A listing with nothing to fetch does not count as whole, unless it is empty and
  /// never had items.
  /// - Parameter before: The number of items at the last whole reading. Nil if there was none.
  package consuming func used(by select: Selection, before: Int?) -> Listing {
    setImagesAside(unless: select.match.types)
    guard completeness.hasEnd, entries.isEmpty else { return self }
    if !unusable.isEmpty {
      let entries = unusable.count
      completeness = .partial(isOutsideRoots ? .outsideRoots(entries: entries) : .nothingUsable(entries: entries))
    } else if let before, before > 0 {
      completeness = .partial(.suddenlyEmpty(before: before))
    }
    return self
  }

  /// True if no entry has another flaw than the place of its file.
  private var isOutsideRoots: Bool {
    let ofEntries = flaws.listed.filter { $0.entry != nil }
    return !ofEntries.isEmpty && ofEntries.allSatisfy { if case .outsideRoots = $0.note { true } else { false } }
  }

  private mutating func setImagesAside(unless types: [ItemType]) {
    let isImage = { (entry: ListingEntry) in
      entry.traits.mediaType?.hasPrefix("image/") ?? false
        && !types.contains { $0.isMedia && $0.matches(entry.traits) }
    }
    // Few sources have any, so that nearly all listings are neither decoded nor copied here.
    guard entries.contains(mediaTypeBeginning: "image/"), entries.contains(where: isImage) else { return }
    for entry in entries where isImage(entry) {
      flaws.append(.onlyImage(title: entry.title ?? entry.guid ?? ""))
      unusable.append(UnusableEntry(entry))
    }
    entries = ListingEntries(entries.lazy.filter { !isImage($0) })
  }

  /// True if the source was read to its end and has no entries.
  package var isBare: Bool { completeness.hasEnd && entries.isEmpty }
}

extension UnusableEntry {
  init(_ entry: ListingEntry) {
    (guid, title) = (entry.guid, entry.title)
    (published, duration) = (entry.published, entry.duration)
  }
}

extension ItemType {
  fileprivate var isMedia: Bool { if case .media = self { true } else { false } }
}
