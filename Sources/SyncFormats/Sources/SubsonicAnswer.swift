// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// An answer of the Subsonic API in JSON (http://www.subsonic.org/pages/api.jsp, https://opensubsonic.netlify.app). All
/// answers are made of the same few elements, so one reader collects them, wherever they are in the document. Some
/// servers write a list of one element as that element.
package struct SubsonicAnswer: Equatable, Sendable {
  /// A playlist, an album or an artist.
  package struct Entry: Equatable, Sendable {
    package var id: String
    package var name: String
    /// The number of entries that a playlist has. Nil if the server does not tell it.
    package var count: Int?
    /// The time of the last change of a playlist. Nil if the server does not tell it.
    package var changedAt: Timestamp?
    /// True for a playlist that the server says this user may not change.
    package var isReadOnly = false
  }

  package struct Song: Equatable, Sendable {
    package var id: String
    package var title: String?
    package var artist: String?
    package var album: String?
    package var duration: Duration?
    /// Of the original file.
    package var size: ByteCount?
    package var mediaType: String?
    /// The id of its picture.
    package var cover: String?
    package var recordings: [RecordingCode] = []
    /// The number of its plays by this user. Nil if the server does not tell it, as some do for a song without plays.
    package var playCount: Int?
    /// The time of its last play.
    package var playedAt: Timestamp?
  }

  package private(set) var playlists: [Entry] = []
  package private(set) var albums: [Entry] = []
  package private(set) var artists: [Entry] = []
  package private(set) var songs: [Song] = []
  /// The ids of all entries of a playlist, including those that are no songs.
  package private(set) var entryIDs: [String] = []
  private let maximumEntries: Int
  private var isFull = false

  /// Raised with every change after which an answer may be read differently.
  package static let revision = 5

  /// The largest answer that is read, in bytes: about 100,000 songs.
  package static let maximumSize = ByteCount(64 << 20)
  /// The largest number of songs, albums, artists and playlists of one answer. It may name millions by their ids alone.
  private static let maximumEntries = 200_000

  /// The playlist that the answer is about. Nil for other answers.
  package func serverList(id: String) -> ServerList? {
    guard let playlist = playlists.first else { return nil }
    return ServerList(
      id: id, title: playlist.name, songs: entryIDs, changedAt: playlist.changedAt, isReadOnly: playlist.isReadOnly)
  }

  /// The error code for an id that the server does not have.
  package static let notFound = 70

  /// True for the errors of servers without tokens: they miss the password (10), or say that they know no tokens (41,
  /// 42).
  package static func refusesToken(_ code: Int) -> Bool { [10, 41, 42].contains(code) }

  /// True for the errors that every request gets: the login is missing, wrong or of another kind, or the version or the
  /// trial of the server is over.
  package static func isAboutLogin(_ code: Int) -> Bool { [10, 20, 30, 40, 41, 42, 43, 44, 60].contains(code) }

  /// - Throws: `refused` for an error document, `notSubsonic` for anything that is not an answer.
  package init(_ bytes: [UInt8]) throws(SourceProblem) {
    try self.init(bytes, maximumEntries: Self.maximumEntries)
  }

  init(_ bytes: [UInt8], maximumEntries: Int) throws(SourceProblem) {
    self.maximumEntries = maximumEntries
    var reader = JSONReader(bytes)
    var response: Response?
    do throws(JSONError) {
      try reader.members { reader, name throws(JSONError) in
        guard name == "subsonic-response", response == nil, try reader.peekKind() == .object else { return false }
        var read = Response()
        _ = try readElement(&reader, named: name, into: &read)
        response = read
        return true
      }
      try reader.finish()
    } catch {
      throw error.reason == .tooDeep ? .excessive("\(JSONReader.maximumDepth) levels") : .notSubsonic
    }
    guard let response, let status = response.status else { throw .notSubsonic }
    if status != "ok" { throw .refused(code: response.code, message: response.message ?? status) }
    if isFull { throw .tooManyEntries(maximumEntries) }
  }

  /// The parts of a response that say whether it is an error.
  private struct Response {
    var status: String?
    var code = 0
    var message: String?
  }

  private static let textNames: Set<String> = [
    "id", "name", "title", "artist", "album", "duration", "size", "contentType", "suffix", "isDir", "isVideo",
    "musicBrainzId", "isrc", "coverArt", "playCount", "played", "songCount", "changed", "readonly",
  ]

  /// Reads an object with all elements inside of it.
  /// - Returns: Its own texts.
  private mutating func readElement(
    _ reader: inout JSONReader, named element: String, into response: inout Response
  ) throws(JSONError) -> [String: String] {
    var texts: [String: String] = [:]
    try reader.members { reader, name throws(JSONError) in
      switch try reader.peekKind() {
      case .array where name == "isrc": texts[name] = try readCodes(&reader)
      case .object, .array: try readElements(&reader, named: name, into: &response)
      case .string where (element, name) == ("subsonic-response", "status"): response.status = try reader.readString()
      case .string where (element, name) == ("error", "message"): response.message = try reader.readString()
      case .number where (element, name) == ("error", "code"): response.code = Int(try reader.readWord() ?? "") ?? 0
      case _ where Self.textNames.contains(name): texts[name] = try reader.readWord()
      default: return false
      }
      return true
    }
    return texts
  }

  /// Reads one element, or a list of elements of one name.
  private mutating func readElements(
    _ reader: inout JSONReader, named name: String, into response: inout Response
  ) throws(JSONError) {
    guard try reader.peekKind() == .array else {
      let texts = try readElement(&reader, named: name, into: &response)
      return keep(texts, as: name)
    }
    try reader.beginArray()
    while try reader.nextElement() {
      // Lists of other values, such as the roles of an artist, are of no use here.
      guard try reader.peekKind() == .object else {
        try reader.skipValue()
        continue
      }
      let texts = try readElement(&reader, named: name, into: &response)
      keep(texts, as: name)
    }
  }

  /// Reads the ISRCs of a song, of which it may have several.
  private func readCodes(_ reader: inout JSONReader) throws(JSONError) -> String {
    var codes: [String] = []
    try reader.beginArray()
    while try reader.nextElement() {
      guard try reader.peekKind() == .string else {
        try reader.skipValue()
        continue
      }
      let code = try reader.readString()
      if codes.count < [RecordingCode].most { codes.append(code) }
    }
    return codes.joined(separator: " ")
  }

  private mutating func keep(_ texts: [String: String], as name: String) {
    guard let id = texts["id"], !id.isEmpty else { return }
    isFull = isFull || playlists.count + albums.count + artists.count + songs.count >= maximumEntries
    guard !isFull else { return }
    var entry = Entry(id: id, name: texts["name"] ?? texts["title"] ?? "")
    if name == "entry" { entryIDs.append(id) }
    switch name {
    case "playlist":
      entry.count = texts["songCount"].flatMap { Int($0) }
      entry.changedAt = texts["changed"].flatMap { Timestamp(rfc3339: $0) ?? Timestamp(rfc3339: $0 + "Z") }
      entry.isReadOnly = texts["readonly"] == "true"
      playlists.append(entry)
    case "album": albums.append(entry)
    case "artist": artists.append(entry)
    case "song", "entry":
      guard texts["isDir"] != "true", texts["isVideo"] != "true" else { return }
      songs.append(Song(id, texts))
    default: break
    }
  }
}

extension SubsonicAnswer.Song {
  fileprivate init(_ id: String, _ texts: [String: String]) {
    self.id = id
    (title, artist, album) = (texts["title"]?.shown, texts["artist"]?.shown, texts["album"]?.shown)
    mediaType = Self.mediaType(texts["contentType"]?.shown?.lowercased(), suffix: texts["suffix"] ?? "")
    cover = texts["coverArt"].flatMap { $0.isEmpty ? nil : $0 }
    duration = texts["duration"].flatMap { Int64($0) }.flatMap { (1..<1_000_000_000).contains($0) ? .seconds($0) : nil }
    recordings.add(texts["musicBrainzId"].flatMap { RecordingCode(musicBrainzID: $0) })
    for code in (texts["isrc"] ?? "").split(separator: " ") { recordings.add(RecordingCode(isrc: String(code))) }
    playCount = texts["playCount"].flatMap { Double($0) }.flatMap { Int(exactly: $0) }
      .flatMap { (0..<1_000_000).contains($0) ? $0 : nil }
    // Without a zone it is in UTC.
    playedAt = texts["played"].flatMap { Timestamp(rfc3339: $0) ?? Timestamp(rfc3339: $0 + "Z") }
    size = texts["size"].flatMap { Int64($0) }.flatMap { $0 > 0 ? ByteCount(exactly: $0) : nil }
  }

  /// The type that the suffix of the file's name shows, where the stated one is another or missing.
  private static func mediaType(_ stated: String?, suffix: String) -> String? {
    guard let type = MediaType(fileExtension: suffix), stated.flatMap({ MediaType(mediaType: $0) }) != type else {
      return stated
    }
    return type.name
  }
}

extension JSONReader {
  /// Passes each member of an object to `read`, which returns false if it did not read the value.
  fileprivate mutating func members(
    _ read: (inout JSONReader, String) throws(JSONError) -> Bool
  ) throws(JSONError) {
    try beginObject()
    while let name = try nextKey() {
      if try !read(&self, name) { try skipValue() }
    }
  }
}

extension String {
  /// One line of a length that people read.
  fileprivate var shown: String? {
    var text = FeedText()
    text.append(Array(utf8).span)
    return text.shown
  }
}
