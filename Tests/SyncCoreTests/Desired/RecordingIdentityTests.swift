// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the identity of recordings and of songs of a server")
struct RecordingIdentityTests {
  /// A song as a server lists it.
  private struct Song {
    var id: String
    var title: String
    var seconds: Int64 = 60
    var codes: [String] = []

    func entry() throws -> ListingEntry {
      var entry = ListingEntry(url: try RemoteURL("https://m.example/rest/download.view?id=\(id)"))
      (entry.guid, entry.title, entry.author, entry.album) = (id, title, "Anna", "Roads")
      (entry.duration, entry.recordings) = (.seconds(seconds), codes.compactMap { RecordingCode($0) })
      return entry
    }
  }

  private static let first = "musicbrainz:8f3471b5-7e6a-48da-86a9-c1c07a0f47ae"
  private static let second = "musicbrainz:0f3471b5-7e6a-48da-86a9-c1c07a0f47ae"

  /// The items of each reading, each as its id and the rule, after which the queue remembers them.
  private func read(_ documents: [[Song]]) throws -> [[String]] {
    var known: [QueueItem] = []
    return try documents.map { songs in
      let entries = try songs.map { try $0.entry() }
      let identity = EntryIdentity(playlist: try playlistName("gym"), known: known, entries: ListingEntries(entries))
      return try identity.places.map { place in
        let match = identity[place]
        let item = Item(entries[place], id: match.id, listingTitle: nil).remembered
        known.removeAll { $0.id == match.id }
        known.append(QueueItem(item: item, memberships: [], queuedAt: try time("2026-01-05T08:00:00Z")))
        return "\(match.id) \(match.rule.rawValue)"
      }
    }
  }

  @Test("a MusicBrainz id or an ISRC recognises a song whose id, title and length are new")
  func codes() throws {
    let before = [
      Song(id: "1", title: "One", codes: [Self.first]), Song(id: "2", title: "Two", codes: ["isrc:USRC17607839"]),
    ]
    let after = [
      Song(id: "8", title: "Due", seconds: 61, codes: ["isrc:USRC17607839"]),
      Song(id: "9", title: "Uno", seconds: 62, codes: [Self.first]),
    ]
    #expect(
      try read([before, after]) == [["gym:1 guid", "gym:2 guid"], ["gym:2 isrc", "gym:1 musicbrainz_id"]])
  }

  @Test("a MusicBrainz id counts before an ISRC")
  func order() throws {
    let before = [
      Song(id: "1", title: "One", codes: [Self.first]), Song(id: "2", title: "Two", codes: ["isrc:USRC17607839"]),
    ]
    let after = [Song(id: "9", title: "Uno", seconds: 62, codes: ["isrc:USRC17607839", Self.first])]
    #expect(try read([before, after])[1] == ["gym:1 musicbrainz_id"])
  }

  @Test("a code that the server or the library has twice recognises nothing")
  func repeated() throws {
    let single = [Song(id: "1", title: "One", codes: [Self.first])]
    let twice = [
      Song(id: "8", title: "One", seconds: 61, codes: [Self.first]),
      Song(id: "9", title: "One", seconds: 62, codes: [Self.first]),
    ]
    #expect(try read([single, twice])[1] == ["gym:8 guid", "gym:9 guid"])
    let new = [Song(id: "5", title: "Eins", seconds: 63, codes: [Self.first])]
    #expect(try read([twice, new])[1] == ["gym:5 guid"])
  }

  @Test("a song with a new id is known by that id from then on")
  func newID() throws {
    let readings = try read([
      [Song(id: "1", title: "One")], [Song(id: "9", title: "One")], [Song(id: "9", title: "Uno", seconds: 60)],
    ])
    #expect(readings == [["gym:1 guid"], ["gym:1 title_album_duration"], ["gym:1 guid"]])
  }

  @Test("ids that a scan dealt out anew do not exchange songs")
  func exchanged() throws {
    let before = [Song(id: "1", title: "One", seconds: 60), Song(id: "2", title: "Two", seconds: 90)]
    let after = [Song(id: "1", title: "Two", seconds: 90), Song(id: "2", title: "One", seconds: 60)]
    let readings = try read([before, after, after])
    #expect(readings[1] == ["gym:2 title_album_duration", "gym:1 title_album_duration"])
    #expect(readings[2] == ["gym:2 guid", "gym:1 guid"])
  }

  @Test("a new song that got the id of an old one is an item of its own, and stays it")
  func takenID() throws {
    let before = [Song(id: "1", title: "One", seconds: 60)]
    let after = [Song(id: "1", title: "Two", seconds: 90), Song(id: "2", title: "One", seconds: 60)]
    let readings = try read([before, after, after])
    #expect(readings[1][1] == "gym:1 title_album_duration")
    #expect(readings[1][0].hasSuffix(" guid") && !readings[1][0].hasPrefix("gym:1 "))
    #expect(readings[2] == [readings[1][0], "gym:1 guid"])
    let alone = try read([before, [after[0]]])
    #expect(alone[1] == [readings[1][0]], "the song that left is not taken for the new one")
  }

  @Test("a song with a new title or a new length only is the same song")
  func edited() throws {
    #expect(try read([[Song(id: "1", title: "One")], [Song(id: "1", title: "Uno")]])[1] == ["gym:1 guid"])
    #expect(try read([[Song(id: "1", title: "One")], [Song(id: "1", title: "One", seconds: 61)]])[1] == ["gym:1 guid"])
  }
}

@Suite("the code of a recording")
struct RecordingCodeTests {
  private static let id = "8f3471b5-7e6a-48da-86a9-c1c07a0f47ae"

  @Test(
    "is read from the identifier of a list",
    arguments: [
      ("https://musicbrainz.org/recording/8F3471B5-7e6a-48da-86a9-c1c07a0f47ae", "musicbrainz:\(id)"),
      ("http://www.musicbrainz.org/track/\(id).html", "musicbrainz:\(id)"),
      ("https://musicbrainz.org/recording/\(id)?x=1", "musicbrainz:\(id)"),
      ("urn:isrc:us-rc1-76-07839", "isrc:USRC17607839"), ("isrc:USRC17607839", "isrc:USRC17607839"),
      ("https://musicbrainz.org/artist/\(id)", nil), ("https://musicbrainz.org/recording/8f3471b5", nil),
      ("https://a.example/recording/\(id)", nil), ("isrc:US", nil), ("isrc:12RC17607839", nil), ("", nil),
      ("musicbrainz:zf3471b5-7e6a-48da-86a9-c1c07a0f47ae", nil),
    ])
  func identifier(_ text: String, _ expected: String?) {
    #expect(RecordingCode(identifier: text)?.text == expected)
  }

  @Test("is written as a text that is read again, and of many the first eight count")
  func text() {
    var codes: [RecordingCode] = []
    for number in 10...30 {
      codes.add(RecordingCode(isrc: "USRC176078\(number)"))
      codes.add(RecordingCode(isrc: "USRC176078\(number)"))
    }
    codes.add(RecordingCode(musicBrainzID: Self.id))
    #expect(codes.count == 8 && Set(codes).count == 8)
    #expect(codes.joined.map { [RecordingCode](joined: $0) } == codes)
    #expect([RecordingCode](joined: "x isrc:no other:USRC17607839") == [])
    #expect([RecordingCode]().joined == nil)
  }
}
