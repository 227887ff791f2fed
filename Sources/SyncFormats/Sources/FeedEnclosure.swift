// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// A file that an entry names.
struct FeedEnclosure {
  /// The text as written.
  var url: String
  /// The base of a relative URL.
  var base: RemoteURL?
  var line = 0
  var mediaType: String?
  var length: ByteCount?
  /// The duration of this file, which RSS gives for the item instead.
  var duration: Duration?

  /// Nil without a URL.
  init?(url: String?, type: String?, length: String?) {
    // A space is not allowed in a URL, but files with spaces in their names are linked this way.
    guard let url = url?.collapsed else { return nil }
    self.url = url.utf8.contains(0x20) ? url.replacing(" ", with: "%20") : url
    mediaType = type.flatMap { $0.prefix { $0 != ";" }.lowercased().collapsed }
    self.length = length?.collapsed.flatMap { Int64($0) }.flatMap { $0 > 0 ? ByteCount($0) : nil }
  }

  var isImage: Bool { mediaType?.hasPrefix("image/") ?? false }

  var isSoundOrVideo: Bool { mediaType.map { $0.hasPrefix("audio/") || $0.hasPrefix("video/") } ?? false }
}

extension FeedEnclosure {
  /// The file that an element of an entry names: `enclosure` of RSS 2.0 and 1.0, or a link of Atom.
  init?(_ name: XMLName, _ attributes: [XMLAttribute], isAtom: Bool) {
    // The local name rules out most elements at once.
    guard name.local == "enclosure" || name.local == "link" else { return nil }
    func value(_ local: String) -> String? { attributes.first { $0.name.local == local }?.value }
    switch (name.local, name.vocabulary(isAtom: isAtom)) {
    case ("enclosure", .rss): self.init(url: value("url"), type: value("type"), length: value("length"))
    case ("enclosure", .enclosures):
      self.init(url: value("resource") ?? value("url"), type: value("type"), length: value("length"))
    case ("link", .atom) where isAtom && value("rel")?.collapsed?.lowercased() == "enclosure":
      self.init(url: value("href"), type: value("type"), length: value("length"))
    default: return nil
    }
  }

  /// The file of `media:content` (https://www.rssboard.org/media-rss). An image illustrates the entry.
  init?(media attributes: [XMLAttribute]) {
    func value(_ local: String) -> String? { attributes.first { $0.name.local == local }?.value }
    self.init(url: value("url"), type: value("type"), length: value("fileSize"))
    if isImage || value("medium") == "image" { return nil }
    duration = value("duration").flatMap { Duration(feedText: $0) }
  }
}
