// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// Edits synced playlists here. The next sync tells the server.
package struct ListEditor {
  private let queue: Queue
  private let manifest: Manifest
  private let library: Library
  private let now: Timestamp
  /// False for a rehearsal.
  private let saves: Bool

  /// - Parameter editor: Holds the lock until its `end`.
  package init(_ editor: QueueEditor) {
    (queue, manifest, library) = (editor.queue, editor.manifest, editor.library)
    (now, saves) = (editor.opened.view.context.now, true)
  }

  package init(rehearsing view: QueueRehearsal, at now: Timestamp) {
    (queue, manifest, library) = (view.queue, view.copies.manifest, view.copies.library)
    (self.now, saves) = (now, false)
  }

  /// The result of an edit.
  package struct Edited: Equatable, Sendable {
    package var playlist: PlaylistName
    package var state: SyncedList
    package var titles: [String: String]
  }

  /// Applies an edit of entries.
  /// - Parameters:
  ///   - items: The items that the edit is about, each a song of the playlist's server.
  ///   - edit: Makes the edit of their songs.
  package func edit(
    _ name: String, _ items: [QueueItem], _ edit: ([String]) -> ListEdit
  ) throws(ListEditProblem) -> Edited {
    let playlist = try find(name)
    guard let query = playlist.source.query, !playlist.source.listsPlaylists else { throw .ofMany(playlist.name) }
    let songs = try self.songs(of: items, query)
    guard var state = try state(of: playlist.name) else { throw .notSyncedYet(playlist.name) }
    switch state.fate {
    case .toDelete, .deleted: throw .deleted(playlist.name)
    case .kept, .toCreate: break
    }
    do throws(ListEdit.Refusal) { state.local = try edit(songs).applied(to: state.local) } catch {
      throw .refused(error, titles: titles(items, songs))
    }
    return try saved(state, playlist.name, titles(items, songs))
  }

  /// Plans to make a playlist on the server.
  /// - Parameter title: The name there. Nil for the one in the manifest.
  package func create(_ name: String, title: String?, _ items: [QueueItem]) throws(ListEditProblem) -> Edited {
    let playlist = try find(name)
    guard let query = playlist.source.query else { throw .notSynced(playlist.name) }
    let songs = try self.songs(of: items, query)
    let (own, named) = try place(of: title, playlist, query)
    if let known = try state(of: own), known.fate != .deleted {
      guard known.fate == .toDelete else { throw .exists(own, title: named) }
      var state = known
      state.fate = .kept
      return try saved(state, own, [:])
    }
    var state = SyncedList(server: query.server, title: named, local: songs.map { .song($0) })
    state.fate = .toCreate
    return try saved(state, own, titles(items, songs))
  }

  /// Plans to delete a playlist on the server.
  package func delete(_ name: String) throws(ListEditProblem) -> Edited {
    let playlist = try find(name)
    guard !playlist.source.listsPlaylists else { throw .ofMany(playlist.name) }
    guard var state = try state(of: playlist.name) else { throw .notSyncedYet(playlist.name) }
    switch state.fate {
    case .deleted: throw .deleted(playlist.name)
    // The server never had it.
    case .toCreate: (state.fate, state.local) = (.deleted, [])
    case .kept, .toDelete: state.fate = .toDelete
    }
    return try saved(state, playlist.name, [:])
  }

  private func saved(
    _ state: SyncedList, _ name: PlaylistName, _ titles: [String: String]
  ) throws(ListEditProblem) -> Edited {
    var state = state
    state.editedAt = now
    if saves {
      do throws(FileError) { try SyncedListStore(library.state).write(state, of: name) } catch {
        throw .job(.file(error))
      }
    }
    return Edited(playlist: name, state: state, titles: titles)
  }

  private func state(of name: PlaylistName) throws(ListEditProblem) -> SyncedList? {
    guard let folder = library.stateFolder else { return nil }
    do throws(FileError) { return try SyncedListStore(folder).read(name) } catch { throw .job(.file(error)) }
  }

  private func find(_ name: String) throws(ListEditProblem) -> Playlist {
    let synced = manifest.playlists.filter(\.isSynced)
    if let playlist = synced.first(where: { $0.name.text == name }) { return playlist }
    if let playlist = manifest.playlists.first(where: { $0.name.text == name }) { throw .notSynced(playlist.name) }
    // One that is to be made is known by its state alone.
    if let own = PlaylistName(name), let parent = synced.first(where: { $0.name == own.declared }),
      try state(of: own) != nil
    {
      var playlist = parent
      playlist.name = own
      if let query = parent.source.query {
        var listed = query
        listed.songs = .playlist(own.last)
        playlist.source = .server(listed)
      }
      return playlist
    }
    throw .unknown(name, synced: synced.map(\.name))
  }

  private func place(
    of title: String?, _ playlist: Playlist, _ query: SubsonicQuery
  ) throws(ListEditProblem) -> (PlaylistName, String) {
    guard case .playlists(let choice) = query.songs else {
      let own = query.songs.name ?? playlist.name.text
      guard title == nil || title == own else { throw .otherTitle(playlist.name, declared: own) }
      return (playlist.name, own)
    }
    guard let title, !title.isEmpty else { throw .needsTitle(playlist.name) }
    guard choice.admits(title) else { throw .notAdmitted(playlist.name, title, patterns: choice.texts) }
    if let known = manifest.playlists.first(where: { $0.name.declared == playlist.name && $0.title == title }) {
      return (known.name, title)
    }
    var names = OutlineNames(
      taken: manifest.playlists.lazy.filter { $0.name.declared == playlist.name }.map(\.name.last))
    guard let name = PlaylistName(names.name(title: title, url: query.url), below: playlist.name) else {
      throw .needsTitle(playlist.name)
    }
    return (name, title)
  }

  private func songs(of items: [QueueItem], _ query: SubsonicQuery) throws(ListEditProblem) -> [String] {
    var songs: [String] = []
    for item in items {
      guard let song = SubsonicURL.songID(of: item.item.main.url, at: query.url) else {
        throw .notOfServer(item.id, query.server)
      }
      songs.append(song)
    }
    return songs
  }

  private func titles(_ items: [QueueItem], _ songs: [String]) -> [String: String] {
    Dictionary(zip(songs, items.map(\.item.title)), uniquingKeysWith: { first, _ in first })
  }
}
