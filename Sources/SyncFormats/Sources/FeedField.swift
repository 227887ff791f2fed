// SPDX-License-Identifier: Apache-2.0
internal import XML

/// The elements of a channel or an item whose text the job uses.
enum FeedField: Hashable {
  case title, guid, published
  case itunesTitle, itunesAuthor, itunesDuration, itunesEpisodeType, itunesSeason, itunesExplicit

  init?(_ name: XMLName) {
    // The local name is checked first: it rules out most elements at once.
    guard let meanings = Self.meanings[name.local], let field = meanings[name.vocabulary] else { return nil }
    self = field
  }

  /// True for a text that people read, and that feeds write as HTML.
  var isShown: Bool {
    switch self {
    case .title, .itunesTitle, .itunesAuthor: true
    default: false
    }
  }

  private static let meanings: [String: [XMLName.Vocabulary: FeedField]] = [
    "title": [.rss: .title, .itunes: .itunesTitle], "guid": [.rss: .guid], "pubDate": [.rss: .published],
    "author": [.itunes: .itunesAuthor], "duration": [.itunes: .itunesDuration],
    "episodeType": [.itunes: .itunesEpisodeType], "season": [.itunes: .itunesSeason],
    "explicit": [.itunes: .itunesExplicit],
  ]
}

extension XMLName {
  enum Vocabulary { case rss, itunes, other }

  /// The vocabulary of a name. RSS 2.0 has no namespace, but some feeds give it one. A prefix counts when its
  /// declaration is missing, and the address of iTunes occurs in other spellings than Apple's.
  var vocabulary: Vocabulary {
    if let namespace {
      if namespace == "http://www.itunes.com/dtds/podcast-1.0.dtd" { return .itunes }
      let lowercase = namespace.lowercased()
      if lowercase.contains("itunes.com/dtds/podcast") { return .itunes }
      // Early feeds put RSS itself into a namespace, whatever the prefix.
      if lowercase.contains("backend.userland.com/rss") { return .rss }
      return prefix == nil && !namespace.contains("Atom") ? .rss : .other
    }
    switch prefix {
    case nil: return .rss
    case "itunes": return .itunes
    default: return .other
    }
  }
}
