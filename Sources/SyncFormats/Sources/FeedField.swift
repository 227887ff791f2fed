// SPDX-License-Identifier: Apache-2.0
internal import XML

/// The elements of a feed or an entry whose text the job uses.
enum FeedField: Hashable {
  case title, guid
  case itunesTitle, itunesAuthor, itunesDuration, itunesEpisodeType, itunesSeason, itunesEpisode, itunesExplicit
  case podcastSeason, podcastEpisode, language
  case itunesNewFeedURL
  case mediaTitle, dublinCoreTitle, dublinCoreCreator
  /// The name of an author in Atom.
  case personName
  case date(FeedItem.DateKind)
  /// An address that is the text of its element.
  case address(FeedReference.Kind)

  /// - Parameter isAtom: True in an Atom document, whose own elements have the namespace that is an extension in RSS.
  init?(_ name: XMLName, isAtom: Bool) {
    // The local name is checked first: it rules out most elements at once.
    guard let meanings = Self.meanings[name.local] else { return nil }
    let vocabulary = name.vocabulary(isAtom: isAtom)
    guard let field = meanings[vocabulary], vocabulary != .atom || isAtom || field.isDate else { return nil }
    self = field
  }

  /// True for a text that people read, and that feeds write as HTML.
  var isShown: Bool {
    switch self {
    case .title, .itunesTitle, .itunesAuthor, .mediaTitle, .dublinCoreTitle, .dublinCoreCreator, .personName: true
    default: false
    }
  }

  /// The element in which alone the field counts.
  var container: FeedContainer? {
    switch self {
    case .personName: .person
    case .address(.rssImage): .image
    default: nil
    }
  }

  private var isDate: Bool { if case .date = self { true } else { false } }

  private static let meanings: [String: [XMLName.Vocabulary: FeedField]] = [
    "title": [
      .rss: .title, .atom: .title, .itunes: .itunesTitle, .media: .mediaTitle, .dublinCore: .dublinCoreTitle,
    ],
    "guid": [.rss: .guid], "id": [.atom: .guid], "pubDate": [.rss: .date(.published)],
    "published": [.atom: .date(.atomPublished)], "updated": [.atom: .date(.updated)],
    "date": [.dublinCore: .date(.dublinCore)], "issued": [.atom: .date(.issued), .dublinCore: .date(.issued)],
    "created": [.atom: .date(.created), .dublinCore: .date(.created)],
    "modified": [.atom: .date(.modified), .dublinCore: .date(.modified)],
    "author": [.itunes: .itunesAuthor], "creator": [.dublinCore: .dublinCoreCreator], "name": [.atom: .personName],
    "duration": [.itunes: .itunesDuration], "episodeType": [.itunes: .itunesEpisodeType],
    "new-feed-url": [.itunes: .itunesNewFeedURL], "explicit": [.itunes: .itunesExplicit],
    "season": [.itunes: .itunesSeason, .podcast: .podcastSeason],
    "episode": [.itunes: .itunesEpisode, .podcast: .podcastEpisode],
    "language": [.rss: .language, .dublinCore: .language],
    "image": [.itunes: .address(.itunesImage)], "url": [.rss: .address(.rssImage)],
    "logo": [.atom: .address(.atomLogo)], "icon": [.atom: .address(.atomIcon)],
  ]
}

/// An element whose children are read.
enum FeedContainer {
  /// An author in Atom.
  case person
  case mediaGroup
  /// The picture of a channel in RSS.
  case image
  /// The chapters of an entry.
  case chapters
  /// A further file of an entry.
  case alternateEnclosure

  init?(_ name: XMLName, isAtom: Bool) {
    switch name.local {
    case "author" where isAtom && name.vocabulary(isAtom: true) == .atom: self = .person
    case "group" where name.vocabulary == .media: self = .mediaGroup
    case "image" where !isAtom && name.vocabulary == .rss: self = .image
    case "chapters" where name.vocabulary == .podlove: self = .chapters
    case "alternateEnclosure" where name.vocabulary == .podcast: self = .alternateEnclosure
    default: return nil
    }
  }
}

extension XMLName {
  enum Vocabulary {
    case rss, atom, itunes, media, dublinCore, podcast, podlove, googlePlay
    /// The enclosures of RSS 1.0.
    case enclosures
    case other
  }

  /// The vocabulary of a name. RSS 2.0 has no namespace, but some feeds give it one. A prefix counts when its
  /// declaration is missing, and some addresses occur in other spellings than that of their specification.
  var vocabulary: Vocabulary {
    guard let namespace else { return prefix.map { Self.prefixes[$0] ?? .other } ?? .rss }
    if let known = Self.namespaces[namespace] { return known }
    let lowercase = namespace.lowercased()
    if lowercase.contains("itunes.com/dtds/podcast") { return .itunes }
    // Early feeds put RSS itself into a namespace, whatever the prefix.
    if lowercase.contains("backend.userland.com/rss") || lowercase.contains("netscape.com/rdf/simple/") { return .rss }
    if lowercase.contains("w3.org/2005/atom") { return .atom }
    if lowercase.contains("search.yahoo.com/mrss") { return .media }
    return prefix == nil ? .rss : .other
  }

  /// The vocabulary in an Atom document, of which some have no namespace.
  func vocabulary(isAtom: Bool) -> Vocabulary {
    let vocabulary = vocabulary
    return isAtom && vocabulary == .rss ? .atom : vocabulary
  }

  private static let namespaces: [String: Vocabulary] = [
    "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes, "http://www.w3.org/2005/Atom": .atom,
    // Atom 0.3.
    "http://purl.org/atom/ns#": .atom, "http://search.yahoo.com/mrss/": .media,
    "http://purl.org/dc/elements/1.1/": .dublinCore, "http://purl.org/dc/terms/": .dublinCore,
    "http://purl.org/rss/1.0/": .rss, "http://purl.oclc.org/net/rss_2.0/enc#": .enclosures,
    "https://podcastindex.org/namespace/1.0": .podcast,
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": .podcast,
    "http://podlove.org/simple-chapters": .podlove, "http://podlove.org/simple-chapters/": .podlove,
    "http://www.google.com/schemas/play-podcasts/1.0": .googlePlay,
  ]

  private static let prefixes: [String: Vocabulary] = [
    "itunes": .itunes, "atom": .atom, "media": .media, "dc": .dublinCore, "dcterms": .dublinCore, "enc": .enclosures,
    "podcast": .podcast, "psc": .podlove, "googleplay": .googlePlay,
  ]
}
