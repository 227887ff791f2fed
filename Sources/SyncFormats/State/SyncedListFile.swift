// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The state of one synced playlist, `playlists/NAME.json` in the state folder: one JSON object on one line, with a check at
/// its end.
///
///     {"format":"syncjob-playlist","version":1,"server":"home","title":"Gym","list_id":"pl_1","fate":"kept",
///     "base":["tr_1","tr_2"],"local":["tr_2","tr_1",{"line":"/music/own.mp3"}],"edited_at":"2026-11-20T18:03:11Z",
///     "file":{"name":"Gym.m3u8","sha256":"…","entries":["tr_1","tr_2"]},"crc":"…"}
package enum SyncedListFile {
  package static let format = "syncjob-playlist"
  package static let version = 1

  package static func encode(_ list: SyncedList) -> [UInt8] {
    JSONWriter.sealedLines(CollectionOfOne(list)) { writer, list in
      writer.object { writer in
        writer.field("format", format)
        writer.field("version", version)
        writer.field("server", list.server.text)
        writer.field("title", list.title)
        writer.field("list_id", list.listID)
        writer.field("fate", list.fate.rawValue)
        if let base = list.base { writer.array("base") { writer in for song in base { writer.value(song) } } }
        if let sent = list.sent { writer.array("sent") { writer in for song in sent { writer.value(song) } } }
        writer.entries("local", list.local)
        writer.field("edited_at", list.editedAt)
        writer.file("file", list.file)
        writer.file("next_file", list.nextFile)
      }
    }
  }

  /// - Throws: For anything but the whole file as it was written.
  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> SyncedList {
    let range = 0..<max(0, bytes.count - 1)
    guard bytes.last == UInt8(ascii: "\n"), LineCheck.isWhole(bytes, range) else { throw .wrongFormat(found: nil) }
    var cursor = QueueCursor(JSONReader(bytes, in: range))
    let list = try cursor.syncedList()
    try cursor.finish()
    return list
  }
}

private enum ListField: String, CaseIterable {
  case format, version, server, title, fate, base, sent, local, file
  case listID = "list_id"
  case editedAt = "edited_at"
  case nextFile = "next_file"
  static let keys = JSONKeys<Self>()
}

private enum ListFileField: String, CaseIterable {
  case name, sha256, entries
  static let keys = JSONKeys<Self>()
}

private enum ListLineField: String, CaseIterable {
  case line
  static let keys = JSONKeys<Self>()
}

extension JSONWriter {
  fileprivate mutating func entries(_ name: String, _ entries: [ListElement]) {
    array(name) { writer in
      for entry in entries {
        switch entry {
        case .song(let id): writer.value(id)
        case .foreign(let line): writer.object { $0.field("line", line) }
        }
      }
    }
  }

  fileprivate mutating func file(_ name: String, _ file: ListFile?) {
    guard let file else { return }
    object(name) { writer in
      writer.field("name", file.name)
      writer.field("sha256", file.digest.hex)
      writer.entries("entries", file.entries)
    }
  }
}

extension QueueCursor {
  fileprivate mutating func syncedList() throws(QueueFileProblem) -> SyncedList {
    var format: String?
    var (server, title): (PlaylistName?, String?)
    var fate = SyncedList.Fate.kept
    var (listID, base, sent, editedAt): (String?, [String]?, [String]?, Timestamp?)
    var local: [ListElement] = []
    var (file, nextFile): (ListFile?, ListFile?)
    try object(ListField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.format): format = try cursor.string()
      case .known(.version): _ = try cursor.version(upTo: SyncedListFile.version)
      case .known(.server): server = try cursor.parsed { PlaylistName($0) }
      case .known(.title): title = try cursor.string()
      case .known(.fate): fate = try cursor.parsed { SyncedList.Fate(rawValue: $0) }
      case .known(.listID): listID = try cursor.string()
      case .known(.base): base = try cursor.songs()
      case .known(.sent): sent = try cursor.songs()
      case .known(.local): local = try cursor.listEntries()
      case .known(.editedAt): editedAt = try cursor.timestamp()
      case .known(.file): file = try cursor.listFile()
      case .known(.nextFile): nextFile = try cursor.listFile()
      case .unknown: try cursor.skip()
      }
    }
    guard format == SyncedListFile.format else { throw .wrongFormat(found: format) }
    guard let server else { throw missing("server") }
    guard let title else { throw missing("title") }
    var list = SyncedList(server: server, title: title, local: local)
    (list.fate, list.listID, list.base, list.editedAt) = (fate, listID, base, editedAt)
    (list.sent, list.file, list.nextFile) = (sent, file, nextFile)
    return list
  }

  private mutating func songs() throws(QueueFileProblem) -> [String] {
    var songs: [String] = []
    try array { cursor throws(QueueFileProblem) in songs.append(try cursor.string()) }
    return songs
  }

  private mutating func listEntries() throws(QueueFileProblem) -> [ListElement] {
    var entries: [ListElement] = []
    try array { cursor throws(QueueFileProblem) in
      guard try cursor.read({ json throws(JSONError) in try json.peekKind() }) == .object else {
        return entries.append(.song(try cursor.string()))
      }
      try cursor.object(ListLineField.keys) { cursor, key throws(QueueFileProblem) in
        guard case .known(.line) = key else { return try cursor.skip() }
        entries.append(.foreign(try cursor.string()))
      }
    }
    return entries
  }

  private mutating func listFile() throws(QueueFileProblem) -> ListFile {
    var (name, digest): (String?, SHA256Digest?)
    var entries: [ListElement] = []
    try object(ListFileField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.name): name = try cursor.string()
      case .known(.sha256): digest = try cursor.parsed { SHA256Digest(hex: $0) }
      case .known(.entries): entries = try cursor.listEntries()
      case .unknown: try cursor.skip()
      }
    }
    guard let name, let digest else { throw bad }
    return ListFile(name: name, digest: digest, entries: entries)
  }
}
