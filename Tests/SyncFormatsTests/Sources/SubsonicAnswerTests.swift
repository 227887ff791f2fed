// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("an answer of the Subsonic API")
struct SubsonicAnswerTests {
  private func answer(_ contents: String) throws -> SubsonicAnswer {
    try SubsonicAnswer(Array(#"{"subsonic-response": {"status": "ok", "version": "1.16.1", \#(contents)}}"#.utf8))
  }

  @Test("names playlists, one or several")
  func playlists() throws {
    let several = try answer(#""playlists": {"playlist": [{"id": "pl_1", "name": "Gym"}, {"id": 2, "name": "Car"}]}"#)
    #expect(several.playlists.map(\.id) == ["pl_1", "2"])
    #expect(several.playlists.map(\.name) == ["Gym", "Car"])
    #expect(try answer(#""playlists": {"playlist": {"id": "1", "name": "Gym"}}"#).playlists.map(\.name) == ["Gym"])
    #expect(try answer(#""playlists": {}"#).playlists == [])
  }

  @Test("has the songs of a playlist in its order, without folders, videos and things without an id")
  func entries() throws {
    let read = try answer(
      #"""
      "playlist": {"id": "1", "name": "Gym", "entry": [
        {"id": "a", "title": "Tea &amp; toast", "artist": "The Example", "album": "Roads", "duration": 225,
         "size": 8600000, "contentType": "audio/mpeg", "artists": [{"id": "x", "name": "No"}], "bitRate": null},
        {"id": "dir", "title": "Folder", "isDir": true}, {"id": "film", "title": "Film", "isVideo": true},
        {"title": "No id"}, 7, {"id": "b"}]}
      """#)
    #expect(read.songs.map(\.id) == ["a", "b"])
    let song = read.songs[0]
    #expect(song.title == "Tea & toast" && song.artist == "The Example" && song.album == "Roads")
    #expect(song.duration == .seconds(225) && song.size == ByteCount(8_600_000) && song.mediaType == "audio/mpeg")
    #expect(read.songs[1].title == nil && read.songs[1].duration == nil && read.songs[1].size == nil)
    #expect(read.artists == [])
  }

  @Test(
    "has the elements of each request",
    arguments: [
      (
        #""starred2": {"song": [{"id": "s"}], "album": [{"id": "a", "name": "Roads"}], "artist": [{"id": "r"}]}"#,
        "s a r"
      ),
      (#""albumList2": {"album": [{"id": "a"}]}"#, "- a -"),
      (#""album": {"id": "a", "name": "Roads", "song": [{"id": "s"}]}"#, "s a -"),
      (#""artist": {"id": "r", "name": "X", "album": [{"id": "a"}]}"#, "- a r"),
      (#""songsByGenre": {"song": [{"id": "s"}]}"#, "s - -"),
      (#""searchResult3": {"song": [{"id": "s", "album": "Roads"}], "artist": [{"id": "r"}]}"#, "s - r"),
      (#""searchResult3": {}"#, "- - -"),
    ])
  func elements(_ contents: String, _ expected: String) throws {
    let read = try answer(contents)
    let ids = [read.songs.first?.id, read.albums.first?.id, read.artists.first?.id].map { $0 ?? "-" }
    #expect(ids.joined(separator: " ") == expected)
  }

  @Test(
    "states the type of a song's file, by its suffix where the type is missing, unknown or another one",
    arguments: [
      (#""contentType": "audio/flac", "suffix": "flac""#, "audio/flac"), (#""suffix": "opus""#, "audio/opus"),
      (#""contentType": "audio/ogg", "suffix": "opus""#, "audio/opus"),
      (#""contentType": "application/octet-stream", "suffix": "FLAC""#, "audio/flac"),
      (#""contentType": "audio/unknown", "suffix": "mp3""#, "audio/mpeg"), (#""suffix": "m4a""#, "audio/mp4"),
      (#""contentType": "audio/flac", "suffix": "xyz""#, "audio/flac"), (#""contentType": "audio/flac""#, "audio/flac"),
    ])
  func mediaType(_ elements: String, _ type: String) throws {
    let read = try answer(#""starred2": {"song": [{"id": "s", \#(elements)}]}"#)
    #expect(read.songs.map(\.mediaType) == [type])
  }

  @Test("has the codes of recordings, of which some servers give several and some an empty text")
  func recordings() throws {
    let read = try answer(
      #"""
      "song": [
        {"id": "a", "musicBrainzId": "8F3471B5-7E6A-48DA-86A9-C1C07A0F47AE", "isrc": ["USRC17607839", 7, "GBAYE0601498"]},
        {"id": "b", "musicBrainzId": "", "isrc": []}, {"id": "c", "musicBrainzId": "no id", "isrc": "USRC17607839"},
        {"id": "d", "isrc": [["USRC17607839"], "12"]}]
      """#)
    #expect(
      read.songs.map { $0.recordings.map(\.text) } == [
        ["musicbrainz:8f3471b5-7e6a-48da-86a9-c1c07a0f47ae", "isrc:USRC17607839", "isrc:GBAYE0601498"], [],
        ["isrc:USRC17607839"], [],
      ])
  }

  @Test("with an impossible duration or size has none")
  func impossible() throws {
    let read = try answer(
      #""song": [{"id": "a", "duration": -1, "size": -5}, {"id": "b", "duration": 1e9, "size": 99999999999999999999}]"#)
    #expect(read.songs.map(\.duration) == [nil, nil] && read.songs.map(\.size) == [nil, nil])
  }

  @Test(
    "that is an error, or is no answer at all, is a problem",
    arguments: [
      (
        #"{"subsonic-response": {"status": "failed", "error": {"code": 40, "message": "Wrong username or password"}}}"#,
        SourceProblem.refused(code: 40, message: "Wrong username or password")
      ),
      (#"{"subsonic-response": {"status": "failed"}}"#, .refused(code: 0, message: "failed")),
      (#"{"subsonic-response": {"version": "1.16.1"}}"#, .notSubsonic),
      (#"{"subsonic-response": []}"#, .notSubsonic), (#"{"status": "ok"}"#, .notSubsonic),
      (#"{"subsonic-response": {"status": "ok""#, .notSubsonic),
      ("<subsonic-response status=\"ok\"/>", .notSubsonic), ("", .notSubsonic),
      (String(repeating: #"{"a":"#, count: 200), .excessive("128 levels")),
    ])
  func problems(_ text: String, _ problem: SourceProblem) {
    #expect(throws: problem) { try SubsonicAnswer(Array(text.utf8)) }
  }

  @Test("about a song with a status of its own is judged by that of the response")
  func nestedStatus() throws {
    let read = try answer(#""song": [{"id": "a", "status": "failed", "error": {"code": 3, "message": "x"}}]"#)
    #expect(read.songs.map(\.id) == ["a"])
  }
}
