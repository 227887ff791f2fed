// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// The playlist files of synced playlists. They have the order of the merged list, with each song as often as it occurs there,
/// and a person may edit them: a file that is not as it was last written or read is never replaced.
struct SyncedListFiles {
  private let files: PlaylistFiles
  private let store: SyncedListStore
  private let states: [PlaylistName: SyncedList]
  /// The finished songs by the addresses of their servers and their ids there.
  private var songs: [RemoteURL: [String: PlaylistFileEntry]] = [:]

  /// The largest playlist file that is read.
  static let limit = ByteCount(64 << 20)

  init(_ files: PlaylistFiles, _ queue: Queue) throws(FileError) {
    self.files = files
    store = SyncedListStore(files.library.state)
    let synced = files.playlists.filter(\.isSynced)
    states = synced.isEmpty ? [:] : try store.read().states
    let servers = Set(synced.lazy.filter { [states] in states[$0.name] != nil }.compactMap(\.source.url))
    guard !servers.isEmpty else { return }
    let time = queue.latestTime
    queue.items.forEach { item in
      guard let path = item.state.finishedPath, item.mayBeListed(at: time),
        files.listsSealed || item.state.storedFile?.sealed == nil
      else { return }
      for server in servers {
        guard let id = SubsonicURL.songID(of: item.item.main.url, at: server) else { continue }
        songs[server, default: [:]][id] = PlaylistFileEntry(
          path: path, title: item.item.title, artist: item.item.artist, album: item.item.album,
          duration: item.item.duration)
      }
    }
  }

  /// Nil for a playlist that is not synced, or was not yet.
  func list(of playlist: Playlist) -> SyncedList? { playlist.isSynced ? states[playlist.name] : nil }

  /// Writes the file of a playlist, unless a person has edited it.
  /// - Returns: False if the playlist needs no file.
  func write(_ list: SyncedList, of playlist: Playlist, named name: String) throws(FileError) -> Bool {
    let known = playlist.source.url.flatMap { songs[$0] } ?? [:]
    let members = list.local.compactMap { element -> (element: ListElement, entry: PlaylistFileEntry)? in
      switch element {
      case .song(let id): known[id].map { (element, $0) }
      case .foreign(let line): (element, PlaylistFileEntry(line: line))
      }
    }
    guard files.format == .m3u8 else {
      let entries = members.filter { !$0.element.isForeign }.map(\.entry)
      if !entries.isEmpty { try files.update(name, files.text(playlist, entries, named: name)) }
      return !entries.isEmpty
    }
    let text = files.text(playlist, members.map(\.entry), named: name)
    let bytes = Array(PlaylistMark(playlist: playlist.name.text, file: name).ended(text).utf8)
    let new = ListFile(name: name, digest: SHA256Digest(of: bytes), entries: members.map(\.element))
    if let present = try present(name, list) {
      guard present.isOurs else { return true }
      if present.digest == new.digest {
        if list.file != new { try record(list, file: new, next: nil, playlist.name) }
        return true
      }
    }
    guard !members.isEmpty else { return false }
    try record(list, file: list.file, next: new, playlist.name)
    try files.update(name, String(decoding: bytes, as: UTF8.self))
    try record(list, file: new, next: nil, playlist.name)
    return true
  }

  private func record(
    _ list: SyncedList, file: ListFile?, next: ListFile?, _ name: PlaylistName
  ) throws(FileError) {
    var list = list
    (list.file, list.nextFile) = (file, next)
    try store.write(list, of: name)
  }

  /// The file that is there. It is ours if it is as it was last written or read, or if nothing is known about it.
  private func present(
    _ name: String, _ list: SyncedList
  ) throws(FileError) -> (digest: SHA256Digest, isOurs: Bool)? {
    guard let place = FilePlace(files.library.root).child(name),
      let bytes = try files.library.files.read(place, limit: Self.limit)
    else { return nil }
    let digest = SHA256Digest(of: bytes)
    let known = [list.file, list.nextFile].compactMap { $0?.name == name ? $0?.digest : nil }
    return (digest, known.isEmpty || known.contains(digest))
  }
}
