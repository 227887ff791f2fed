// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// An address in a feed beside those of the files.
struct FeedReference {
  /// The element with the address. Of the pictures, the first that is present counts.
  enum Kind: Hashable {
    case itunesImage, podcastImage, playImage, mediaThumbnail, mediaImage
    /// The picture of a feed.
    case rssImage, atomLogo, atomIcon
    case chapters, podloveChapters, transcript
    /// The page with older entries (RFC 5005 §3), and the archive of older entries (§4).
    case next, previousArchive

    static let images: [Kind] = [
      .itunesImage, .podcastImage, .playImage, .rssImage, .atomLogo, .mediaThumbnail, .mediaImage, .atomIcon,
    ]
  }

  let kind: Kind
  /// The text as written.
  let url: String

  /// The address in the attributes of an element. Nil for other elements, and without an address.
  init?(_ name: XMLName, _ attributes: [XMLAttribute], isAtom: Bool) {
    // The local name rules out most elements at once.
    switch name.local {
    case "image", "thumbnail", "content", "chapters", "transcript", "link": break
    default: return nil
    }
    func value(_ local: String) -> String? { attributes.first { $0.name.local == local }?.value.collapsed }
    func isImage() -> Bool { value("medium") == "image" || value("type")?.lowercased().hasPrefix("image/") ?? false }
    let found: (kind: Kind, url: String?)
    switch (name.local, name.vocabulary(isAtom: isAtom)) {
    case ("image", .itunes): found = (.itunesImage, value("href"))
    case ("image", .podcast): found = (.podcastImage, value("href"))
    case ("image", .googlePlay): found = (.playImage, value("href"))
    case ("thumbnail", .media): found = (.mediaThumbnail, value("url"))
    case ("content", .media) where isImage(): found = (.mediaImage, value("url"))
    case ("chapters", .podcast): found = (.chapters, value("url"))
    case ("transcript", .podcast): found = (.transcript, value("url"))
    // https://podlove.org/simple-chapters, "External Reference".
    case ("link", .atom) where value("rel") == "http://podlove.org/simple-chapters":
      found = (.podloveChapters, value("href"))
    case ("link", .atom):
      guard let kind = value("rel").flatMap({ Kind(page: $0) }) else { return nil }
      found = (kind, value("href"))
    default: return nil
    }
    guard let url = found.url else { return nil }
    (kind, self.url) = (found.kind, url)
  }
}

extension FeedReference.Kind {
  /// - Parameter relation: A registered relation, as a name or as its whole IRI (RFC 4287 §4.2.7.2).
  fileprivate init?(page relation: String) {
    let registry = "http://www.iana.org/assignments/relation/"
    switch relation.hasPrefix(registry) ? String(relation.dropFirst(registry.count)) : relation.lowercased() {
    case "next": self = .next
    case "prev-archive": self = .previousArchive
    default: return nil
    }
  }
}

/// The addresses of a feed or an entry, the first of each kind.
struct FeedReferences {
  private var urls: [FeedReference.Kind: RemoteURL] = [:]
  /// True if a page is named whose address cannot be requested.
  private var hasBadPage = false

  /// An address that cannot be one is left out: nothing is lost that would be fetched.
  mutating func add(_ kind: FeedReference.Kind, _ text: String, base: RemoteURL?) {
    guard urls[kind] == nil else { return }
    do throws(RemoteURL.Problem) {
      urls[kind] = try RemoteURL(reference: text.withSpacesEncoded, base: base)
    } catch {
      hasBadPage = hasBadPage || kind == .next || kind == .previousArchive
    }
  }

  /// The page with older entries. A login in its address would be one that the feed chooses.
  var next: NextPage? {
    guard let url = urls[.next] ?? urls[.previousArchive] else { return hasBadPage ? .unusable : nil }
    return url.hasCredentials ? .unusable : .at(url)
  }

  subscript(kind: FeedReference.Kind) -> RemoteURL? { urls[kind] }

  var image: RemoteURL? { urls.isEmpty ? nil : FeedReference.Kind.images.lazy.compactMap { urls[$0] }.first }
}

extension ChapterMark {
  /// The largest number of chapters of an entry that are read.
  static let maximumCount = 1000

  /// A chapter of Podlove Simple Chapters 1.2 in its attributes. Nil without a start or a title.
  init?(_ name: XMLName, _ attributes: [XMLAttribute]) {
    func value(_ local: String) -> String? { attributes.first { $0.name.local == local }?.value }
    guard name.local == "chapter", name.vocabulary == .podlove, let start = value("start"),
      let title = value("title"), let place = Duration(clockText: start)
    else { return nil }
    var text = FeedText()
    text.append(Array(title.utf8).span)
    guard let shown = text.shown else { return nil }
    self.init(start: place, title: shown)
  }
}
