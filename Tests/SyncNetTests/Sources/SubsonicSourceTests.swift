// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import SyncFormats
import Testing

@testable import SyncDisk
@testable import SyncNet

@Suite("songs of a server with the Subsonic API")
struct SubsonicSourceTests {
  private static let now = Timestamp(secondsSince1970: 1_800_000_000)
  private static let base = "https://m.example/music/rest/"

  private let scratch: ScratchDirectory
  private let server: MediaServer

  init() throws {
    scratch = try ScratchDirectory()
    server = MediaServer(
      name: try #require(PlaylistName("home")), kind: .subsonic, url: try RemoteURL("https://m.example/music/"),
      auth: AuthSettings())
  }

  /// Reads the songs from a server that answers these requests, without the ends of their methods, with these elements.
  private func read(
    _ songs: SubsonicQuery.Songs, _ answers: [String: String], before: SourceState? = nil
  ) async throws -> SourceReading {
    var playlist = Playlist(
      name: try #require(PlaylistName("gym")), source: .server(SubsonicQuery(songs, of: server)))
    playlist.select.initial = .all
    let manifest = Manifest(name: "car", library: LibrarySettings(path: scratch.path), playlists: [playlist])
    let library = try Library.open(manifest.library, POSIXFileSystem())
    try library.files.makeFolders(try #require(FilePlace(library.state.root).child("cache")), mode: .privateFolder)
    let scripted = answers.map { request, elements in
      let parts = request.split(separator: "?", maxSplits: 1)
      let query = parts.count > 1 ? "&\(parts[1])" : ""
      let body = #"{"subsonic-response": {"status": "ok", \#(elements)}}"#
      return (
        "\(Self.base)\(parts[0]).view?f=json\(query)", ScriptedFetcher.Answer.document(Array(body.utf8), etag: nil)
      )
    }
    let access = SourceAccess(
      fetcher: ScriptedFetcher(answers: Dictionary(uniqueKeysWithValues: scripted)), keeps: true, minimumFree: .zero,
      mask: SecretMask([]), manifestDigest: { SHA256Digest(of: []) })
    let source = try #require(SourceFactory.standard.source(of: playlist, in: library))
    return await source.read(SourcePast(state: before, health: SourceHealth()), access)
  }

  private func song(_ ids: String...) -> String {
    ids.map { #"{"id": "\#($0)", "title": "Song \#($0)"}"# }.joined(separator: ", ")
  }

  @Test("are those of the playlist with that name, in its order, each once")
  func playlist() async throws {
    let answers = [
      "getPlaylists": #""playlists": {"playlist": [{"id": "1", "name": "gym"}, {"id": "2", "name": "Gym"}]}"#,
      "getPlaylist?id=2": #""playlist": {"id": "2", "entry": [\#(song("b", "a", "b"))]}"#,
      "getPlaylist?id=1": #""playlist": {"id": "1", "entry": [\#(song("x"))]}"#,
    ]
    let reading = try await read(.playlist("Gym"), answers)
    #expect(reading.listing.completeness == .whole)
    #expect(reading.listing.entries.map(\.guid) == ["b", "a"])
    #expect(reading.listing.entries.map(\.url.text) == ["b", "a"].map { "\(Self.base)download.view?id=\($0)" })
    #expect(try await read(.playlist("GYM"), answers).listing.entries.map(\.guid) == ["x"])
    let missing = try await read(.playlist("Car"), answers)
    #expect(missing.listing.completeness == .partial(.unknownName("Car")))
  }

  @Test("are asked for page by page until a page is not full")
  func pages() async throws {
    func page(_ range: Range<Int>) -> String {
      #""songsByGenre": {"song": [\#(range.map { song("\($0)") }.joined(separator: ", "))]}"#
    }
    let reading = try await read(
      .genre("Drum & Bass"),
      [
        "getSongsByGenre?genre=Drum%20%26%20Bass&count=500&offset=0": page(0..<500),
        "getSongsByGenre?genre=Drum%20%26%20Bass&count=500&offset=500": page(500..<503),
      ])
    #expect(reading.listing.completeness == .whole && reading.listing.entries.count == 503)
  }

  @Test("come from a server that always sends the same page only once")
  func samePage() async throws {
    let songs = (0..<500).map { song("\($0)") }.joined(separator: ", ")
    let page = #""searchResult3": {"song": [\#(songs)]}"#
    let search = "search3?query=x&artistCount=0&albumCount=0&songCount=500&songOffset="
    let reading = try await read(.search("x"), ["\(search)0": page, "\(search)500": page])
    #expect(reading.listing.completeness == .whole && reading.listing.entries.count == 500)
  }

  @Test("are those of the albums of a list, of the stars or of an artist")
  func albums() async throws {
    let albums = [
      "getAlbum?id=x": #""album": {"id": "x", "song": [\#(song("1", "2"))]}"#,
      "getAlbum?id=y": #""album": {"id": "y", "song": [\#(song("3"))]}"#,
    ]
    let both = #""album": [{"id": "x"}, {"id": "y"}]"#
    let lists: [(SubsonicQuery.Songs, [String: String])] = [
      (.albums(.newest, latest: 2), ["getAlbumList2?type=newest&size=2&offset=0": #""albumList2": {\#(both)}"#]),
      (.starredAlbums, ["getStarred2": #""starred2": {\#(both), "song": [\#(song("9"))]}"#]),
      (
        .artist("The Example"),
        [
          "search3?query=The%20Example&artistCount=500&albumCount=0&songCount=0":
            #""searchResult3": {"artist": [{"id": "no", "name": "The Examples"}, {"id": "r", "name": "the example"}]}"#,
          "getArtist?id=r": #""artist": {"id": "r", "name": "the example", \#(both)}"#,
        ]
      ),
    ]
    for (songs, list) in lists {
      let reading = try await read(songs, albums.merging(list) { $1 })
      #expect(reading.listing.entries.map(\.guid) == ["1", "2", "3"], "\(songs)")
    }
    let starred = #""starred2": {\#(both), "song": [\#(song("9"))]}"#
    #expect(try await read(.starredSongs, ["getStarred2": starred]).listing.entries.map(\.guid) == ["9"])
  }

  @Test("stay as they were if one of the requests fails, and are unchanged if the answers are")
  func failure() async throws {
    let starred = ["getStarred2": #""starred2": {"album": [{"id": "x"}]}"#]
    let album = ["getAlbum?id=x": #""album": {"id": "x", "song": [\#(song("1"))]}"#]
    let first = try await read(.starredAlbums, starred.merging(album) { $1 })
    #expect(first.listing.completeness == .whole && !first.isUnchanged)
    #expect(try await read(.starredAlbums, starred.merging(album) { $1 }).isUnchanged)
    let second = try await read(.starredAlbums, starred)
    #expect(second.listing.completeness == .partial(.unreachable(.http(status: 404))))
    #expect(second.listing.entries == first.listing.entries && second.isUnchanged)
    // The songs of another query are not these.
    #expect(try await read(.starredSongs, [:]).listing.entries == [])
  }

  @Test("that are suddenly none count as read in part")
  func empty() async throws {
    let before = SourceState(changedAt: Self.now, checkedAt: Self.now, itemCount: 3)
    let reading = try await read(.starredSongs, ["getStarred2": #""starred2": {}"#], before: before)
    #expect(reading.listing.completeness == .partial(.suddenlyEmpty(before: 3)))
    #expect(try await read(.starredSongs, ["getStarred2": #""starred2": {}"#]).listing.completeness == .whole)
  }
}
