// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import Synchronization

/// Songs of a server with the Subsonic API. The API has no conditional requests, so the last listing is kept and compared.
struct SubsonicSource: Source {
  let playlist: Playlist
  let query: SubsonicQuery
  let library: Library

  func read(_ past: SourcePast, _ access: SourceAccess) async -> SourceReading {
    if playlist.isSynced, !playlist.source.listsPlaylists { return await readSynced(access) }
    let last = lastListing()
    var listing = Listing(completeness: .whole)
    var plays: [SongPlays] = []
    do throws(SourceProblem) {
      (listing, plays) = try await SubsonicRequests(query: query, playlist: playlist, access: access).listing()
      listing = listing.used(by: playlist.select, before: past.state?.itemCount)
    } catch { listing.completeness = .partial(error) }
    guard listing.completeness.hasEnd else {
      // The playlists that were found are read although one is missing.
      let found = playlist.source.listsPlaylists ? listing.entries : []
      let entries = found.isEmpty ? last?.used(by: playlist.select, before: past.state?.itemCount).entries ?? [] : found
      return SourceReading(
        playlist: playlist.name, listing: Listing(entries: entries, completeness: listing.completeness),
        isUnchanged: true)
    }
    let isUnchanged = listing.entries == last?.entries
    // A run that is being stopped did not get all answers.
    if !isUnchanged, !Task.isCancelled { kept?.keep(listing, of: seal, access) }
    var reading = SourceReading(playlist: playlist.name, listing: listing, isUnchanged: isUnchanged)
    reading.songPlays = plays
    return reading
  }

  func lastListing() -> Listing? { kept?.listing(of: seal) }

  var kept: KeptListing? {
    library.cache(playlist.listingName).map {
      KeptListing(files: library.files, place: $0, revision: SubsonicAnswer.revision)
    }
  }

  /// Names the query in place of a document: the listing of another query is not this one's.
  var seal: SourceSeal {
    var digest = RunningDigest()
    Array(query.shown.utf8).withUnsafeBytes { digest.update($0) }
    return SourceSeal(digest, SourceOrigin(source: query.url, answeredBy: query.url))
  }
}

extension SubsonicAnswer.Song {
  /// Nil for an id that makes the URL too long.
  func entry(of server: RemoteURL) -> ListingEntry? {
    guard let url = SubsonicURL.download(id, of: server) else { return nil }
    var entry = ListingEntry(url: url)
    (entry.guid, entry.title, entry.author, entry.album) = (id, title, artist, album)
    (entry.duration, entry.length, entry.traits.mediaType) = (duration, size, mediaType)
    entry.recordings = recordings
    entry.image = cover.flatMap { SubsonicURL.cover($0, of: server) }
    return entry
  }

  /// The plays of this user. Nil if there were none, or if the server tells no time of the last one.
  func plays(at url: RemoteURL) -> SongPlays? {
    guard let playCount, playCount > 0, let playedAt else { return nil }
    return SongPlays(url: url, count: playCount, lastAt: playedAt, duration: duration)
  }
}

/// The requests of one query. They are made one after another: a small server at home answers all of them.
struct SubsonicRequests {
  let query: SubsonicQuery
  let playlist: Playlist
  let access: SourceAccess

  /// The largest number of results that a server gives at once, for those requests that are made in pages.
  private static let pageSize = 500
  /// The largest number of songs of one playlist.
  private static let maximumSongs = 100_000
  /// The largest number of playlists of one pattern. Each of them becomes a playlist and a request.
  private static let maximumPlaylists = 10_000
  /// The largest number of albums of one playlist, each of which is a request.
  private static let maximumAlbums = 10_000

  /// The songs of the query with the plays that the server counted, or its playlists.
  func listing() async throws(SourceProblem) -> (Listing, [SongPlays]) {
    if case .playlists(let choice) = query.songs { return (try await playlists(choice), []) }
    var listing = Listing(completeness: .whole)
    var plays: [SongPlays] = []
    // A playlist may name a song twice. Its file is one.
    var ids: Set<String> = []
    for song in try await songs() {
      guard ids.insert(song.id).inserted, let entry = song.entry(of: query.url) else { continue }
      listing.entries.append(entry)
      if let counted = song.plays(at: entry.url) { plays.append(counted) }
    }
    return (listing, plays)
  }

  /// Not whole if a name is missing.
  private func playlists(_ choice: ServerPlaylists) async throws(SourceProblem) -> Listing {
    let all = try await ask("getPlaylists").playlists
    var (places, missing) = choice.choose(among: all.map(\.name))
    if playlist.isSynced { missing.removeAll { access.lists.accounts(for: $0, below: playlist.name) } }
    guard places.count <= Self.maximumPlaylists else { throw .excessive("\(Self.maximumPlaylists) playlists") }
    var listing = Listing(completeness: missing.first.map { .partial(.unknownName($0)) } ?? .whole)
    var ids: Set<String> = []
    for place in places where ids.insert(all[place].id).inserted {
      guard let url = SubsonicURL.playlist(all[place].id, of: query.url) else { continue }
      var entry = ListingEntry(url: url)
      (entry.guid, entry.title) = (all[place].id, all[place].name)
      listing.entries.append(entry)
    }
    return listing
  }

  private func songs() async throws(SourceProblem) -> [SubsonicAnswer.Song] {
    switch query.songs {
    // They are read one by one.
    case .playlists: return []
    case .listed(let id, _): return try await ask("getPlaylist", [("id", id)]).songs
    case .playlist(let name):
      let id = try Self.id(named: name, among: try await ask("getPlaylists").playlists)
      return try await ask("getPlaylist", [("id", id)]).songs
    case .starredSongs: return try await ask("getStarred2").songs
    case .starredAlbums: return try await songs(of: try await ask("getStarred2").albums)
    case .albums(let order, let count): return try await songs(of: try await albums(order, count))
    case .artist(let name):
      let id = try await artistID(name)
      return try await songs(of: try await ask("getArtist", [("id", id)]).albums)
    case .genre(let name):
      return try await pages { count, offset throws(SourceProblem) in
        try await ask("getSongsByGenre", [("genre", name), ("count", count), ("offset", offset)]).songs
      }
    case .search(let text):
      return try await pages { count, offset throws(SourceProblem) in
        let counts = [("artistCount", "0"), ("albumCount", "0"), ("songCount", count), ("songOffset", offset)]
        return try await ask("search3", [("query", text)] + counts).songs
      }
    }
  }

  /// A search by words may leave out a name that has none, such as "!!!", so that the whole index is asked for then.
  private func artistID(_ name: String) async throws(SourceProblem) -> String {
    let search = [("query", name), ("artistCount", "\(Self.pageSize)"), ("albumCount", "0"), ("songCount", "0")]
    let found = try await ask("search3", search).artists
    if let place = ServerPlaylists.place(of: name, among: found.map(\.name)) { return found[place].id }
    return try Self.id(named: name, among: try await ask("getArtists").artists)
  }

  private func songs(of albums: [SubsonicAnswer.Entry]) async throws(SourceProblem) -> [SubsonicAnswer.Song] {
    guard albums.count <= Self.maximumAlbums else { throw .excessive("\(Self.maximumAlbums) albums") }
    var (songs, ids): ([SubsonicAnswer.Song], Set<String>) = ([], [])
    for album in albums where ids.insert(album.id).inserted {
      songs += try await ask("getAlbum", [("id", album.id)]).songs
      try Self.checkCount(songs.count)
    }
    return songs
  }

  private func albums(
    _ order: SubsonicQuery.AlbumOrder, _ wanted: Int
  ) async throws(SourceProblem) -> [SubsonicAnswer.Entry] {
    var albums: [SubsonicAnswer.Entry] = []
    while albums.count < wanted {
      let count = min(Self.pageSize, wanted - albums.count)
      let page = try await ask(
        "getAlbumList2", [("type", order.rawValue), ("size", "\(count)"), ("offset", "\(albums.count)")]
      ).albums
      // Some servers know no sizes.
      albums += page.prefix(count)
      // Each page of a random order is drawn anew.
      if page.count < count || order == .random { break }
    }
    return albums
  }

  /// Asks for pages until one is not full, or has only songs of earlier ones.
  private func pages(
    _ page: (_ count: String, _ offset: String) async throws(SourceProblem) -> [SubsonicAnswer.Song]
  ) async throws(SourceProblem) -> [SubsonicAnswer.Song] {
    var (songs, ids): ([SubsonicAnswer.Song], Set<String>) = ([], [])
    while true {
      let answer = try await page("\(Self.pageSize)", "\(songs.count)")
      let new = answer.filter { ids.insert($0.id).inserted }
      songs += new
      try Self.checkCount(songs.count)
      if answer.count < Self.pageSize || new.isEmpty { return songs }
    }
  }

  static func checkCount(_ count: Int) throws(SourceProblem) {
    if count > maximumSongs { throw .excessive("\(maximumSongs) songs") }
  }

  /// The one with exactly this name, otherwise the one whose name differs only in the case of letters.
  private static func id(
    named name: String, among entries: [SubsonicAnswer.Entry]
  ) throws(SourceProblem) -> String {
    guard let place = ServerPlaylists.place(of: name, among: entries.map(\.name)) else { throw .unknownName(name) }
    return entries[place].id
  }

  func ask(
    _ method: String, _ parameters: [(String, String)] = []
  ) async throws(SourceProblem) -> SubsonicAnswer {
    try await access.servers.begin(query.server)
    do throws(SourceProblem) {
      let answer = try await askWithLogin(method, parameters)
      _ = await access.servers.end(query.server, nil)
      return answer
    } catch { throw await access.servers.end(query.server, error) ?? error }
  }

  private func askWithLogin(
    _ method: String, _ parameters: [(String, String)]
  ) async throws(SourceProblem) -> SubsonicAnswer {
    do throws(SourceProblem) { return try await askOnce(method, parameters) } catch {
      guard case .refused(let code, _) = error, SubsonicAnswer.refusesToken(code) else { throw error }
      await access.fetcher?.usePlainLogin(at: query.url.origin)
      return try await askOnce(method, parameters)
    }
  }

  private func askOnce(
    _ method: String, _ parameters: [(String, String)]
  ) async throws(SourceProblem) -> SubsonicAnswer {
    guard let fetcher = access.fetcher else { preconditionFailure("a source with a URL needs a fetcher") }
    guard let url = SubsonicURL.request(method, [("f", "json")] + parameters, of: query.url) else {
      throw .unreachable(.invalidURL(query.shown))
    }
    let intake = AnswerIntake()
    switch await fetcher.fetch(SourceRequest(url: url, playlist: playlist.name), into: intake) {
    case .success: return try SubsonicAnswer(intake.bytes)
    case .failure(.tooLarge(let limit)): throw .excessive(limit.words)
    case .failure(let failure): throw .unreachable(failure)
    }
  }
}

/// Collects the bytes of one answer.
private final class AnswerIntake: SourceIntake {
  private let state = Mutex<[UInt8]>([])

  var bytes: [UInt8] { state.withLock { $0 } }

  func begin(_ head: FetchedDocument) { state.withLock { $0 = [] } }

  func take(_ bytes: [UInt8]) throws(Failure) {
    let limit = SubsonicAnswer.maximumSize
    let isTooLarge = state.withLock { collected in
      guard collected.count + bytes.count <= limit.bytes else { return true }
      collected += bytes
      return false
    }
    if isTooLarge { throw .tooLarge(limit: limit) }
  }
}
