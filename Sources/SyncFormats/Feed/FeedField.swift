// SPDX-License-Identifier: Apache-2.0
internal import XML

/// The elements of a channel or an item that hold a text the job wants.
enum FeedField: Hashable {
  case title, guid, published
  case itunesTitle, itunesAuthor, itunesDuration, itunesEpisodeType, itunesSeason, itunesExplicit

  init?(_ name: XMLName) {
    // The local name first: it rules out most elements at once.
    guard let meanings = Self.meanings[name.local], let field = meanings[name.vocabulary] else { return nil }
    self = field
  }

  /// A text that people read, and that feeds write as HTML.
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

  /// RSS 2.0 has no namespace; some feeds give it one all the same. A prefix counts where its declaration is missing,
  /// and iTunes' address is seen in other spellings than Apple's.
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
