// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// One `item` while it is read.
struct FeedItem {
  struct Enclosure {
    /// The text as written.
    var url: String
    /// The base of a relative URL.
    var base: RemoteURL?
    var line = 0
    var mediaType: String?
    var length: ByteCount?
    /// The duration of this file, which RSS gives for the item instead.
    var duration: Duration?
  }

  /// The place where the item begins: its number and its line in the document, both from 1.
  let place: (entry: Int, line: Int)
  var texts: [FeedField: String] = [:]
  /// The line of the date.
  var dateLine: Int?
  var enclosures: [Enclosure] = []

  /// The episode of this item. The first of several equal texts counts. The first enclosure with audio or video counts,
  /// otherwise the first.
  func episode(_ flaws: inout ListingFlaws) -> ListingEntry? {
    guard let (enclosure, url) = fetchable(&flaws) else { return nil }
    var episode = ListingEntry(url: url)
    episode.guid = texts[.guid]
    episode.title = title
    episode.author = texts[.itunesAuthor]
    episode.traits = traits(enclosure)
    episode.length = enclosure.length
    episode.published = published
    if let text = texts[.published], episode.published == nil {
      flaws.append(.badDate(text), line: dateLine, entry: place.entry)
    }
    episode.duration = duration ?? enclosure.duration
    return episode
  }

  /// The entry of an item that has nothing to fetch.
  var unusable: UnusableEntry {
    var entry = UnusableEntry()
    (entry.guid, entry.title, entry.published, entry.duration) = (texts[.guid], title, published, duration)
    return entry
  }

  private var published: Timestamp? { texts[.published].flatMap { Timestamp(feedText: $0) } }
  private var duration: Duration? { texts[.itunesDuration].flatMap { Duration(feedText: $0) } }

  private func traits(_ enclosure: Enclosure) -> EntryTraits {
    var traits = EntryTraits()
    traits.mediaType = enclosure.mediaType
    traits.kind = texts[.itunesEpisodeType].flatMap { EpisodeKind(rawValue: $0.lowercased()) } ?? .full
    traits.season = texts[.itunesSeason].flatMap { Int($0) }
    // Older feeds write "explicit".
    traits.isExplicit = texts[.itunesExplicit].map(Self.isExplicit)
    return traits
  }

  /// Older feeds write "explicit".
  static func isExplicit(_ text: String) -> Bool { ["true", "yes", "explicit"].contains(text.lowercased()) }

  private var title: String? { texts[.title] ?? texts[.itunesTitle] }

  private func fetchable(_ flaws: inout ListingFlaws) -> (Enclosure, RemoteURL)? {
    var candidates: [(Enclosure, RemoteURL)] = []
    for enclosure in enclosures {
      do throws(RemoteURL.Problem) {
        candidates.append((enclosure, try RemoteURL(reference: enclosure.url, base: enclosure.base)))
      } catch {
        flaws.append(.badURL(enclosure.url), line: enclosure.line, entry: place.entry)
      }
    }
    if enclosures.isEmpty {
      flaws.append(.withoutEnclosure(title: title ?? texts[.guid] ?? ""), line: place.line, entry: place.entry)
    }
    return candidates.first { $0.0.isSoundOrVideo } ?? candidates.first { !$0.0.isImage } ?? candidates.first
  }
}

extension FeedItem.Enclosure {
  fileprivate var isImage: Bool { mediaType?.hasPrefix("image/") ?? false }

  fileprivate var isSoundOrVideo: Bool {
    mediaType.map { $0.hasPrefix("audio/") || $0.hasPrefix("video/") } ?? false
  }

  /// Nil without a URL.
  init?(url: String?, type: String?, length: String?) {
    // A space is not allowed in a URL, but files with spaces in their names are linked this way.
    guard let url = url?.collapsed else { return nil }
    self.url = url.utf8.contains(0x20) ? url.replacing(" ", with: "%20") : url
    mediaType = type.flatMap { $0.prefix { $0 != ";" }.lowercased().collapsed }
    self.length = length?.collapsed.flatMap { Int64($0) }.flatMap { $0 > 0 ? ByteCount($0) : nil }
  }
}
