// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// One `item` while it is read.
struct FeedItem {
  /// The dates that an entry may have, the best first.
  enum DateKind: Int {
    case published, atomPublished, dublinCore, issued, created, updated, modified
  }

  private struct Date {
    let kind: DateKind
    let text: String
    let line: Int
  }

  /// The place where the item begins: its number and its line in the document, both from 1.
  let place: (entry: Int, line: Int)
  var texts: [FeedField: String] = [:]
  private var dates: [Date] = []
  private var enclosures: [FeedEnclosure] = []
  /// Files of Media RSS, which count if there is no enclosure.
  private var media: [FeedEnclosure] = []
  /// One entry may be a whole document of them.
  private static let maximumEnclosures = 1000
  var references = FeedReferences()
  var marks: [ChapterMark] = []
  var alternates: [AlternateEnclosure] = []

  /// The episode of this item. The first of several equal texts counts. The first enclosure with audio or video counts,
  /// otherwise the first.
  func episode(_ flaws: inout ListingFlaws) -> ListingEntry? {
    guard let (enclosure, url) = fetchable(&flaws) else { return nil }
    var episode = ListingEntry(url: url)
    episode.guid = texts[.guid]
    episode.title = title
    episode.author = texts[.itunesAuthor] ?? texts[.dublinCoreCreator] ?? texts[.personName]
    episode.traits = traits(enclosure)
    episode.length = enclosure.length
    episode.published = published
    if episode.published == nil, let date = dates.min(by: { $0.kind.rawValue < $1.kind.rawValue }) {
      flaws.append(.badDate(date.text), line: date.line, entry: place.entry)
    }
    episode.duration = duration ?? enclosure.duration
    episode.number = number(in: [.itunesEpisode, .podcastEpisode])
    episode.image = references.image
    episode.chapters = references[.chapters] ?? references[.podloveChapters]
    episode.transcript = references[.transcript]
    episode.marks = marks
    episode.files = alternates.prefix(AlternateEnclosure.maximumCount).flatMap { $0.files(beside: enclosure, at: url) }
    return episode
  }

  /// The entry of an item that has nothing to fetch.
  var unusable: UnusableEntry {
    var entry = UnusableEntry()
    (entry.guid, entry.title, entry.published, entry.duration) = (texts[.guid], title, published, duration)
    return entry
  }

  init(place: (entry: Int, line: Int)) { self.place = place }

  mutating func addEnclosure(_ file: FeedEnclosure) {
    if enclosures.count < Self.maximumEnclosures { enclosures.append(file) }
  }

  mutating func addMedia(_ file: FeedEnclosure) {
    if media.count < Self.maximumEnclosures { media.append(file) }
  }

  /// Adds a date, unless there is one of its kind.
  mutating func add(_ kind: DateKind, _ text: String, line: Int) {
    if !dates.contains(where: { $0.kind == kind }) { dates.append(Date(kind: kind, text: text, line: line)) }
  }

  /// The best of the dates that can be read.
  private var published: Timestamp? {
    var best: (kind: DateKind, time: Timestamp)?
    for date in dates where date.kind.rawValue < best?.kind.rawValue ?? .max {
      if let time = Timestamp(feedText: date.text) { best = (date.kind, time) }
    }
    return best?.time
  }

  private var duration: Duration? { texts[.itunesDuration].flatMap { Duration(feedText: $0) } }

  /// The first that is a number, as a season or an episode has.
  private func number(in fields: [FeedField]) -> Int? {
    fields.lazy.compactMap { texts[$0].flatMap { Int($0) } }.first { $0 >= 0 }
  }

  private func traits(_ enclosure: FeedEnclosure) -> EntryTraits {
    var traits = EntryTraits()
    traits.mediaType = enclosure.mediaType
    traits.kind = texts[.itunesEpisodeType].flatMap { EpisodeKind(rawValue: $0.lowercased()) } ?? .full
    traits.season = number(in: [.itunesSeason, .podcastSeason])
    // Older feeds write "explicit".
    traits.isExplicit = texts[.itunesExplicit].map(Self.isExplicit)
    return traits
  }

  /// Older feeds write "explicit".
  static func isExplicit(_ text: String) -> Bool { ["true", "yes", "explicit"].contains(text.lowercased()) }

  private var title: String? {
    texts[.title] ?? texts[.itunesTitle] ?? texts[.mediaTitle] ?? texts[.dublinCoreTitle]
  }

  /// Some feeds have nothing but alternate enclosures.
  private var bestAlternate: (FeedEnclosure, RemoteURL)? {
    let usable = alternates.prefix(AlternateEnclosure.maximumCount).filter { $0.asEnclosure != nil }
    return usable.enumerated().min {
      ($0.element.rankAsEnclosure, $0.offset) < ($1.element.rankAsEnclosure, $1.offset)
    }?
    .element.asEnclosure
  }

  private func fetchable(_ flaws: inout ListingFlaws) -> (FeedEnclosure, RemoteURL)? {
    var candidates: [(FeedEnclosure, RemoteURL)] = []
    let files = enclosures.isEmpty ? media : enclosures
    if files.isEmpty, let alternate = bestAlternate { return alternate }
    for enclosure in files {
      do throws(RemoteURL.Problem) {
        candidates.append((enclosure, try RemoteURL(reference: enclosure.url, base: enclosure.base)))
      } catch {
        flaws.append(.badURL(enclosure.url), line: enclosure.line, entry: place.entry)
      }
    }
    if files.isEmpty {
      flaws.append(.withoutEnclosure(title: title ?? texts[.guid] ?? ""), line: place.line, entry: place.entry)
    }
    return candidates.first { $0.0.isSoundOrVideo } ?? candidates.first { !$0.0.isImage } ?? candidates.first
  }
}
