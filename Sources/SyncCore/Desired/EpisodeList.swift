// SPDX-License-Identifier: Apache-2.0

/// The episodes of a feed in the order of the document. A feed may have half a million, so that their texts share one
/// buffer, and an `Episode` is created when it is asked for.
package struct EpisodeList: Sendable {
  private var rows: [Row] = []
  /// All texts as UTF-8, one after another.
  private var bytes: [UInt8] = []
  /// The logins of the few URLs that contain one, by position.
  private var logins: [Int: Secret] = [:]
  private var lastAuthor: Text?
  private var lastMediaType: Text?

  /// A text in `bytes`.
  private struct Text {
    var start: UInt32
    var count: UInt32
  }

  private struct Row {
    var url: Text
    var shape: RemoteURL.Shape
    var guid: Text?
    var title: Text?
    var author: Text?
    var mediaType: Text?
    var season: Int32?
    var kind: EpisodeKind
    var isExplicit: Bool?
    var published: Timestamp?
    var length: ByteCount?
    var duration: Duration?
  }

  package init() {}

  package init(_ episodes: some Sequence<Episode>) {
    for episode in episodes { append(episode) }
  }

  package mutating func append(_ episode: Episode) {
    if let login = episode.url.login { logins[rows.count] = login }
    lastAuthor = store(episode.author, after: lastAuthor)
    lastMediaType = store(episode.traits.mediaType, after: lastMediaType)
    rows.append(
      Row(
        url: store(episode.url.text), shape: episode.url.shape, guid: episode.guid.map { store($0) },
        title: episode.title.map { store($0) },
        author: lastAuthor, mediaType: lastMediaType, season: episode.traits.season.flatMap { Int32(exactly: $0) },
        kind: episode.traits.kind, isExplicit: episode.traits.isExplicit, published: episode.published,
        length: episode.length, duration: episode.duration))
  }

  /// Gives the episodes without an author, or without a word about their language, those of their channel.
  package mutating func complete(author: String?, isExplicit: Bool?) {
    let author = author.map { store($0) }
    for index in rows.indices {
      rows[index].author = rows[index].author ?? author
      rows[index].isExplicit = rows[index].isExplicit ?? isExplicit
    }
  }

  package func guid(at index: Int) -> String? { rows[index].guid.map(text) }
  package func url(at index: Int) -> RemoteURL {
    RemoteURL(text: text(rows[index].url), login: logins[index], shape: rows[index].shape)
  }
  package func published(at index: Int) -> Timestamp? { rows[index].published }

  private mutating func store(_ text: String) -> Text {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return Text(start: UInt32(start), count: UInt32(bytes.count - start))
  }

  /// Stores a text that consecutive episodes often share.
  private mutating func store(_ text: String?, after last: Text?) -> Text? {
    guard let text else { return nil }
    if let last, self[last].elementsEqual(text.utf8) { return last }
    return store(text)
  }

  private subscript(text: Text) -> ArraySlice<UInt8> { bytes[Int(text.start)..<Int(text.start + text.count)] }

  private func text(_ text: Text) -> String { String(decoding: self[text], as: UTF8.self) }
}

extension EpisodeList: RandomAccessCollection, ExpressibleByArrayLiteral, Equatable {
  package init(arrayLiteral elements: Episode...) { self.init(elements) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package subscript(index: Int) -> Episode {
    let row = rows[index]
    var episode = Episode(url: url(at: index))
    (episode.guid, episode.title, episode.author) = (row.guid.map(text), row.title.map(text), row.author.map(text))
    (episode.published, episode.length, episode.duration) = (row.published, row.length, row.duration)
    episode.traits.kind = row.kind
    episode.traits.season = row.season.map { Int($0) }
    episode.traits.isExplicit = row.isExplicit
    episode.traits.mediaType = row.mediaType.map(text)
    return episode
  }

  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}
