// SPDX-License-Identifier: Apache-2.0

/// A server that the manifest declares under `servers`, for the playlists and histories that name it.
package struct MediaServer: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// A server with the Subsonic or OpenSubsonic API.
    case subsonic
    /// A server with the gpodder.net API, version 2, or the one of Nextcloud's GPodder Sync.
    case gpodder
    /// A server to which listens are submitted, with the ListenBrainz API.
    case listenbrainz
  }

  package var name: PlaylistName
  package var kind: Kind
  /// The address under which the server's API begins, without query.
  package var url: RemoteURL
  /// The credentials of all requests to the server.
  package var auth: AuthSettings
  /// This device at a server of kind `gpodder`.
  package var device: GpodderDevice

  package init(
    name: PlaylistName, kind: Kind, url: RemoteURL, auth: AuthSettings, device: GpodderDevice = .default
  ) {
    self.name = name
    self.kind = kind
    self.url = url
    self.auth = auth
    self.device = device
  }

  /// The address without what every address of its kind may end with.
  package var base: Substring {
    var base = url.text[...]
    for ending in ["/", "/api/2"] where base.hasSuffix(ending) { base = base.dropLast(ending.count) }
    return base
  }

  /// True for Nextcloud's GPodder Sync, which has the documents of the gpodder.net API at other addresses, and knows
  /// neither devices nor favourites (https://github.com/thrillfall/nextcloud-gpodder).
  package var isNextcloud: Bool { kind == .gpodder && base.hasSuffix("/apps/gpoddersync") }

  /// False for a server that keeps one action of each episode. Any other would replace the position there.
  package var keepsAllActions: Bool { kind == .gpodder && !isNextcloud }
}

/// The songs that a playlist takes from a server with the Subsonic API.
package struct SubsonicQuery: Hashable, Sendable {
  package enum Songs: Hashable, Sendable {
    /// The playlist with this name.
    case playlist(String)
    /// No songs, but playlists, of which each is one here.
    case playlists(ServerPlaylists)
    /// The playlist with this id, which the server lists under this name.
    case listed(id: String, name: String)
    case starredSongs
    /// The songs of the starred albums.
    case starredAlbums
    /// The songs of the first albums of a list.
    case albums(AlbumOrder, latest: Int)
    /// The songs of the artist with this name.
    case artist(String)
    case genre(String)
    /// The songs that the server's search finds.
    case search(String)
  }

  /// The lists of albums that a server offers.
  package enum AlbumOrder: String, CaseIterable, Sendable {
    case newest, frequent, recent, random
  }

  /// The name of the server in the manifest.
  package var server: PlaylistName
  package var url: RemoteURL
  package var songs: Songs

  package init(_ songs: Songs, of server: MediaServer) {
    (self.songs, self.server, url) = (songs, server.name, server.url)
  }

  /// The number of albums unless the manifest declares another.
  package static let usualAlbums = 20

  /// The query for display, without credentials.
  package var shown: String { "\(url.redacted), \(songs.shown)" }
}

extension SubsonicQuery.Songs {
  fileprivate var shown: String {
    switch self {
    case .playlist(let name), .listed(_, let name): "playlist \"\(name)\""
    case .playlists(let choice): "playlists " + choice.texts.map { "\"\($0)\"" }.joined(separator: ", ")
    case .starredSongs: "starred songs"
    case .starredAlbums: "starred albums"
    case .albums(let order, let count): "\(count) \(order.rawValue) albums"
    case .artist(let name): "artist \"\(name)\""
    case .genre(let name): "genre \"\(name)\""
    case .search(let text): "search \"\(text)\""
    }
  }
}

/// The URLs of the Subsonic API, version 1.16.1 (http://www.subsonic.org/pages/api.jsp), without credentials.
package enum SubsonicURL {
  private static let (download, stream) = ("/rest/download.view?", "/rest/stream.view?")
  /// The end of the URL of a transcoded song.
  private static let format = "&format=mp3"

  /// - Parameter parameters: Percent-encoded here.
  /// - Returns: Nil if the URL would be too long.
  package static func request(
    _ method: String, _ parameters: [(String, String)] = [], of server: RemoteURL
  ) -> RemoteURL? {
    let base = server.text.hasSuffix("/") ? String(server.text.dropLast()) : server.text
    let query = parameters.map { "\($0)=\(RemoteURL.encoded($1))" }.joined(separator: "&")
    do throws(RemoteURL.Problem) { return try RemoteURL("\(base)/rest/\(method).view?\(query)") } catch { return nil }
  }

  /// The request for the songs of a playlist, which stands for the playlist in a listing.
  package static func playlist(_ id: String, of server: RemoteURL) -> RemoteURL? {
    request("getPlaylist", [("id", id)], of: server)
  }

  /// The id in a URL of `playlist`. Nil for other URLs.
  package static func playlistID(of url: RemoteURL) -> String? { id(in: url.text, after: "/rest/getPlaylist.view?id=") }

  private static func id(in text: String, after start: String) -> String? {
    guard let place = text.firstRange(of: start) else { return nil }
    return String(decoding: RemoteURL.decoded(text[place.upperBound...].prefix { $0 != "&" }.utf8), as: UTF8.self)
  }

  /// The original file of a song. A download does not count as a play, and at some servers a stream does.
  package static func download(_ id: String, of server: RemoteURL) -> RemoteURL? {
    request("download", [("id", id)], of: server)
  }

  /// The picture of a song or an album.
  package static func cover(_ id: String, of server: RemoteURL) -> RemoteURL? {
    request("getCoverArt", [("id", id)], of: server)
  }

  /// The id of the song at a URL of any quality. Nil for other URLs.
  package static func songID(of url: RemoteURL) -> String? {
    url.hasQuery ? id(in: original(of: url).text, after: "\(download)id=") : nil
  }

  /// The id of the song at a URL of any quality, if the URL is one of this server. Nil for other URLs.
  package static func songID(of url: RemoteURL, at server: RemoteURL) -> String? {
    guard let id = songID(of: url), original(of: url) == download(id, of: server) else { return nil }
    return id
  }

  /// The song of a download URL in each quality. The others are MP3 of at most their bit rate. No request asks for an
  /// estimated length, because some servers cut the song there.
  package static func qualities(of song: RemoteURL, wanted: Quality) -> QualityURLs? {
    guard let place = song.text.firstRange(of: download) else { return nil }
    let (start, end) = (song.text[..<place.lowerBound], song.text[place.upperBound...])
    func transcoded(_ quality: Quality) -> RemoteURL? {
      guard let rate = quality.bitRate else { return nil }
      do throws(RemoteURL.Problem) {
        return try RemoteURL("\(start)\(stream)\(end)&maxBitRate=\(rate / 1000)\(format)")
      } catch { return nil }
    }
    var urls = QualityURLs()
    (urls.low, urls.normal, urls.high) = (transcoded(.low), transcoded(.normal), transcoded(.high))
    (urls.source, urls.wanted) = (song, wanted)
    return urls
  }

  /// The download URL of a song in any quality, which identifies it. Other URLs stay as they are.
  package static func original(of url: RemoteURL) -> RemoteURL {
    let text = url.text
    guard text.hasSuffix(format), let place = text.firstRange(of: stream),
      let end = text.ranges(of: "&maxBitRate=").last
    else { return url }
    let original = text[..<place.lowerBound] + download + text[place.upperBound..<end.lowerBound]
    do throws(RemoteURL.Problem) { return try RemoteURL(original) } catch { return url }
  }
}
