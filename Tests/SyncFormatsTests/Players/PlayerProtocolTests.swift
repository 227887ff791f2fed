// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("what mpv and MPD say")
struct PlayerProtocolTests {
  private static let messages: [(String, MpvMessage?)] = [
    (
      #"{"request_id":7,"error":"success","data":{"playlist_entry_id":3}}"#,
      .answer(request: 7, data: .object([.init("playlist_entry_id", .integer(3))]), error: nil)
    ),
    (
      #"{"error":"property unavailable","request_id":2}"#, .answer(request: 2, data: nil, error: "property unavailable")
    ),
    (#"{"event":"start-file","playlist_entry_id":1}"#, .started(entry: 1)),
    (#"{"event":"playback-restart"}"#, .playing),
    (#"{"event":"end-file","reason":"eof","playlist_entry_id":1}"#, .ended(entry: 1, .eof, detail: nil)),
    (
      #"{"event":"end-file","reason":"error","playlist_entry_id":2,"file_error":"loading failed"}"#,
      .ended(entry: 2, .error, detail: "loading failed")
    ),
    (#"{"event":"end-file","reason":"new","playlist_entry_id":2}"#, .ended(entry: 2, .unknown, detail: nil)),
    (#"{"event":"audio-reconfig"}"#, .other), ("{}", .other), ("[]", nil), ("OK MPD 0.23.5", nil), ("", nil),
  ]

  @Test("each message of mpv", arguments: messages)
  func message(_ line: String, _ message: MpvMessage?) { #expect(MpvMessage(Array(line.utf8)) == message) }

  @Test("a command to mpv is one line, and any path is one argument")
  func load() {
    let line = MpvCommand.load(4, "/m/a \"b\"\n.mp3", isNext: true, from: .milliseconds(61_005))
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"command":{"name":"loadfile","url":"/m/a \"b\"\n.mp3","flags":"append-play","options":"start=61.005"},"#
        + #""request_id":4}"# + "\n")
  }

  private static let answers: [([String], MPDAnswer)] = [
    (["OK"], .ok([])), (["Id: 3", "OK"], .ok([.init(name: "Id", value: "3")])),
    (["file: a: b.mp3", "OK"], .ok([.init(name: "file", value: "a: b.mp3")])),
    (["x: 1", "ACK [50@0] {addid} No such directory"], .refused(code: 50, message: "No such directory")),
    (
      ["ACK [4@0] {} you don't have permission for \"addid\""],
      .refused(code: 4, message: "you don't have permission for \"addid\"")
    ),
  ]

  @Test("each answer of MPD", arguments: answers)
  func answer(_ lines: [String], _ answer: MPDAnswer) {
    var reader = MPDAnswerReader()
    let taken = lines.compactMap { reader.take($0) }
    #expect(taken == [answer])
  }

  @Test("a command to MPD has its arguments in quotes, and none has a line break")
  func command() {
    let line = MPDCommand.line(["addid", #"/m/a "b" \c.mp3"#])
    #expect(line.map { String(decoding: $0, as: UTF8.self) } == #"addid "/m/a \"b\" \\c.mp3""# + "\n")
    #expect(MPDCommand.line(["addid", "/m/a\nkill"]) == nil)
    #expect(MPDCommand.seconds(.milliseconds(80_020)) == "80.020")
  }

  @Test("the status of MPD")
  func status() {
    var reader = MPDAnswerReader()
    let lines = [
      "repeat: 1", "random: 0", "xfade: 5", "state: play", "songid: 7", "elapsed: 4.500", "duration: 6.034", "OK",
    ]
    let status = lines.compactMap { reader.take($0) }.first.flatMap { MPDStatus($0) }
    #expect(status?.state == .play && status?.song == 7)
    #expect(status?.elapsed == .milliseconds(4500) && status?.duration == .milliseconds(6034))
    #expect(status?.modes == ["repeat": "1", "random": "0", "xfade": "5"])
    #expect(MPDStatus(.ok([])) == nil)
  }

  private static let places: [(String, Int?, MPDAddress.Place?, String?)] = [
    ("box", nil, .host("box", port: 6600), nil), ("box", 6601, .host("box", port: 6601), nil),
    ("secret@box", nil, .host("box", port: 6600), "secret"), ("/run/mpd/socket", 6601, .socket("/run/mpd/socket"), nil),
    ("pass@/run/mpd", nil, .socket("/run/mpd"), "pass"), ("@mpd", nil, .socket("@mpd"), nil), ("", nil, nil, nil),
    ("secret@", nil, nil, nil),
  ]

  @Test("MPD_HOST is understood as mpc understands it", arguments: places)
  func address(_ host: String, _ port: Int?, _ place: MPDAddress.Place?, _ password: String?) {
    let address = MPDAddress(host, port: port)
    #expect(address?.place == place && address?.password?.exposed == password)
  }
}

@Suite("the files of a playback")
struct PlayFileTests {
  private let now = Timestamp(secondsSince1970: 1_795_000_000)

  @Test("each is read as it was written, and not at all after a change of one byte")
  func files() throws {
    let id = try #require(ItemID("news:1"))
    let list = PlayList(id: "8b", items: [id, id], seed: .max, repeats: .one)
    var place = PlayPlace(
      list: "8b", round: 2, place: 1, known: 2,
      playback: Playback(
        id, began: now, player: .mpd, position: .milliseconds(1500), played: .seconds(1), duration: .seconds(9)),
      seenAt: now + .seconds(3))
    place.ending = .skipped
    let notes = [PlayVerdict.Mark.finished, .left(at: .milliseconds(61_500)), .none].map {
      PlaybackNote(
        item: id, began: now, ended: now + .seconds(3), player: .mpv, verdict: PlayVerdict(counts: true, mark: $0))
    }
    #expect(PlayListFile.read(PlayListFile.encode(list)) == list)
    #expect(PlayPlaceFile.read(PlayPlaceFile.encode(place)) == place)
    for note in notes { #expect(PlaybackNoteFile.read(PlaybackNoteFile.encode(note)) == note) }
    for bytes in [PlayListFile.encode(list), PlayPlaceFile.encode(place), PlaybackNoteFile.encode(notes[1])] {
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1
        #expect(PlayListFile.read(changed) == nil && PlayPlaceFile.read(changed) == nil)
        #expect(PlaybackNoteFile.read(changed) == nil)
        let cut = Array(bytes[..<index])
        #expect(PlayListFile.read(cut) == nil && PlayPlaceFile.read(cut) == nil && PlaybackNoteFile.read(cut) == nil)
      }
    }
  }
}
