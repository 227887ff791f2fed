// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Reads the synced playlists as they are here: their states, and the playlist files that a person edited. Changes nothing.
struct LocalListReader {
  let library: Library
  let playlists: [Playlist]
  let queue: Queue
  let emit: (Warning) -> Void

  /// The servers of synced playlists, by their names.
  private var servers: [PlaylistName: RemoteURL] {
    playlists.reduce(into: [:]) { servers, playlist in
      if playlist.isSynced, let query = playlist.source.query { servers[query.server] = query.url }
    }
  }

  func read() -> LocalLists {
    var lists = LocalLists()
    guard let folder = library.stateFolder, playlists.contains(where: \.isSynced) else { return lists }
    do throws(FileError) {
      let (states, damaged) = try SyncedListStore(folder).read()
      lists.states = states.filter { isSynced($0.key) }
      for name in damaged where isSynced(name) { emit(.list(name, .stateDamaged)) }
      guard !lists.states.isEmpty else { return lists }
      let songs = songs()
      lists.songs = songs.entries
      for (name, state) in lists.states.sorted(by: { $0.key < $1.key }) {
        lists.states[name] = try taken(state, of: name, songs.ids)
      }
    } catch {
      for playlist in playlists where playlist.isSynced { emit(.list(playlist.name, .stateUnusable(error))) }
    }
    return lists
  }

  /// True if the playlist, or the one in the manifest from which it comes, is synced.
  private func isSynced(_ name: PlaylistName) -> Bool {
    playlists.contains { ($0.name == name || $0.name == name.declared) && $0.isSynced }
  }

  /// The songs that the queue knows: their entries, and their ids by the names of their files.
  private func songs() -> (entries: [PlaylistName: [String: ListingEntry]], ids: [NameKey: [PlaylistName: String]]) {
    let servers = servers
    var entries: [PlaylistName: [String: ListingEntry]] = [:]
    var ids: [NameKey: [PlaylistName: String]] = [:]
    let naming = library.rules.naming
    queue.items.forEach { item in
      for (server, url) in servers {
        guard let id = SubsonicURL.songID(of: item.item.main.url, at: url) else { continue }
        if entries[server]?[id] == nil { entries[server, default: [:]][id] = ListingEntry(item.item, id: id, at: url) }
        if let path = item.state.finishedPath { ids[naming.key(path), default: [:]][server] = id }
      }
    }
    return (entries, ids)
  }

  /// The state with the edits of its playlist file.
  private func taken(
    _ state: SyncedList, of name: PlaylistName, _ ids: [NameKey: [PlaylistName: String]]
  ) throws(FileError) -> SyncedList {
    var state = state
    let found = try EditedListFiles(library).read(state) { line in
      element(line, of: state.server, ids)
    }
    guard let (file, reading) = found else { return state }
    guard case .file(let edited) = reading else {
      emit(.list(name, .fileNotText(file)))
      return state
    }
    switch state.take(edited) {
    case .unchanged: break
    case .empty: emit(.list(name, .fileEmpty(file)))
    case .taken(let changes, let spared):
      if !spared.isEmpty { emit(.list(name, .fileCut(file, spared: spared.count))) }
      let lines = changes.filter { $0.kind == .added }.compactMap(\.element).filter(\.isForeign)
      if case .foreign(let first)? = lines.first {
        emit(.list(name, .linesKept(file, count: lines.count, first: first)))
      }
    }
    return state
  }

  /// The song at the path that a line names. A player may write absolute paths, those of Windows, or URLs.
  private func element(
    _ line: String, of server: PlaylistName, _ ids: [NameKey: [PlaylistName: String]]
  ) -> ListElement {
    for text in Self.spellings(of: line) {
      guard let path = path(text), let id = ids[library.rules.naming.key(path)]?[server] else { continue }
      return .song(id)
    }
    return .foreign(line)
  }

  /// The paths that a line may mean. A name may have any of these characters itself.
  private static func spellings(of line: String) -> [String] {
    var paths = [line, line.replacing("\\", with: "/")]
    let scheme = "file://"
    if line.hasPrefix(scheme), let start = line.dropFirst(scheme.count).firstIndex(of: "/") {
      paths.append(String(line[start...]))
    }
    return paths + paths.map { String(decoding: RemoteURL.decoded(Array($0.utf8)), as: UTF8.self) }
  }

  /// The place in the library of a path, which is relative to the library or absolute.
  private func path(_ text: String) -> LibraryPath? {
    guard let root = library.mediaRoot?.path else { return nil }
    var parts: [Substring] = []
    for part in (text.hasPrefix("/") ? text : "\(root)/\(text)").split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    let whole = "/" + parts.joined(separator: "/")
    return whole.hasPrefix("\(root)/") ? LibraryPath(String(whole.dropFirst(root.count + 1))) : nil
  }
}

extension ListingEntry {
  /// The entry of a song that the queue knows.
  fileprivate init?(_ item: Item, id: String, at server: RemoteURL) {
    guard let url = SubsonicURL.download(id, of: server) else { return nil }
    self.init(url: url)
    (guid, title, author, album) = (id, item.title, item.artist, item.album)
    (duration, recordings) = (item.duration, item.recordings)
    length = item.size?.bytes
  }
}
