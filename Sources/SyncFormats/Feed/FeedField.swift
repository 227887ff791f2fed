// SPDX-License-Identifier: Apache-2.0
internal import XML

/// The elements of a channel or an item that hold a text the job wants.
enum FeedField: Hashable {
  case title, guid, published
  case itunesTitle, itunesAuthor, itunesDuration

  init?(_ name: XMLName) {
    switch (name.vocabulary, name.local) {
    case (.rss, "title"): self = .title
    case (.rss, "guid"): self = .guid
    case (.rss, "pubDate"): self = .published
    case (.itunes, "title"): self = .itunesTitle
    case (.itunes, "author"): self = .itunesAuthor
    case (.itunes, "duration"): self = .itunesDuration
    default: return nil
    }
  }
}

extension XMLName {
  enum Vocabulary { case rss, itunes, other }

  /// RSS 2.0 has no namespace; some feeds give it one all the same. A prefix counts where its declaration is missing,
  /// and iTunes' address is seen in other spellings than Apple's.
  var vocabulary: Vocabulary {
    if let namespace {
      if namespace.lowercased().contains("itunes.com/dtds/podcast") { return .itunes }
      return prefix == nil && !namespace.contains("Atom") ? .rss : .other
    }
    switch prefix {
    case nil: return .rss
    case "itunes": return .itunes
    default: return .other
    }
  }
}
