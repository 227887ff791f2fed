// SPDX-License-Identifier: Apache-2.0

/// What one sync does about one playlist, decided before anything is recorded or sent.
package struct ListSync: Equatable, Sendable {
  /// The change to make on the server.
  package enum Request: Equatable, Sendable {
    /// Gives the playlist exactly these songs.
    case replace(id: String, songs: [String], before: [String])
    case create(title: String, songs: [String])
    case delete(id: String)
  }

  /// To be recorded before anything is sent. Its base is the list that the server told.
  package var state: SyncedList
  /// Nil if the server needs no change.
  package var request: Request?
  package var result: ListSyncResult

  /// - Parameters:
  ///   - state: Nil before the first sync.
  ///   - found: Nil if the server, read whole, does not have the playlist.
  ///   - server: The name of the server in the manifest.
  /// - Returns: Nil if nothing is known about a playlist that the server does not have.
  package init?(
    _ state: SyncedList?, _ found: ServerList?, of playlist: PlaylistName, on server: PlaylistName,
    policy: ListSyncPolicy
  ) {
    result = ListSyncResult(playlist: playlist, title: found?.title ?? state?.title ?? playlist.text)
    if let found {
      self.state = state ?? SyncedList(server: server, title: found.title)
      (self.state.listID, self.state.title) = (found.id, found.title)
      merge(found, policy)
    } else {
      guard let state else { return nil }
      self.state = state
      missing(policy)
    }
  }

  /// The list was not read: everything waits.
  package init(unread state: SyncedList, of playlist: PlaylistName) {
    self.state = state
    result = ListSyncResult(playlist: playlist, title: state.title)
    result.pushed = state.waiting
    if !result.pushed.isEmpty { result.status = .waiting(.notRead) }
  }

  /// The side whose change counts, where only one can.
  private func preferredSide(_ found: ServerList, _ policy: ListSyncPolicy) -> ListConflict.Side? {
    switch policy.onConflict {
    case .merge: nil
    case .server: .server
    case .local: .local
    // A change without a time may be the later one.
    case .newest: (state.editedAt ?? .distantPast) > (found.changedAt ?? .distantFuture) ? .local : .server
    }
  }

  private mutating func merge(_ found: ServerList, _ policy: ListSyncPolicy) {
    let theirs = found.songs.map { ListElement.song($0) }
    let preferred = preferredSide(found, policy)
    switch state.fate {
    case .toDelete:
      let isEdited = state.base.map { $0 != found.songs } ?? false
      if !isEdited || preferred == .local {
        if isEdited { result.conflicts = [ListConflict(.deletedHereEditedThere, taken: .local)] }
        result.pushed = [ListChange(.deleted)]
        request = .delete(id: found.id)
        return
      }
      result.conflicts = [ListConflict(.deletedHereEditedThere, taken: .server)]
      state.local = (state.base ?? []).map { .song($0) }
    // Somebody made it again.
    case .deleted: (state.base, state.sent, state.local) = (nil, nil, [])
    case .kept, .toCreate: break
    }
    state.fate = .kept
    state.base = agreed(with: found)
    state.sent = nil
    let before = state.local
    if policy.merge == .classic {
      state.local = ListMerge(classic: before, server: theirs).result
    } else {
      let merge = ListMerge(
        base: (state.base ?? []).map { .song($0) }, local: before, server: theirs, preferred: preferred)
      state.local = merge.result
      (result.merged, result.conflicts) = (merge.alike, result.conflicts + merge.conflicts)
    }
    let songs = state.local.songs
    state.base = found.songs
    result.pulled = ListChange.changes(from: before, to: state.local)
    result.pushed = ListChange.changes(from: theirs, to: songs.map { .song($0) })
    if songs == found.songs {
      state.editedAt = nil
    } else if found.isReadOnly {
      result.status = .waiting(.readOnly)
    } else {
      (request, state.sent) = (.replace(id: found.id, songs: songs, before: found.songs), songs)
    }
  }

  /// The base of the merge. After a lost answer the server may have the list from before the request or the one that was
  /// sent, with changes of others. Where the two differ, the base has a song if the server does: a song that was added or
  /// removed here since is then neither doubled nor brought back, and none is lost. The order is that of the nearer list.
  private func agreed(with found: ServerList) -> [String]? {
    guard let sent = state.sent else { return state.base }
    let base = state.base ?? []
    let theirs = found.songs.map { ListElement.song($0) }
    func distance(_ songs: [String]) -> Int {
      ListChange.changes(from: songs.map { .song($0) }, to: theirs).count
    }
    func count(_ songs: [String]) -> [String: Int] { songs.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
    let (before, after, now) = (count(base), count(sent), count(found.songs))
    var left: [String: Int] = [:]
    for song in Set(base).union(sent) {
      let (few, many) = (min(before[song] ?? 0, after[song] ?? 0), max(before[song] ?? 0, after[song] ?? 0))
      left[song] = min(max(now[song] ?? 0, few), many)
    }
    let ordered = distance(sent) <= distance(base) ? sent + base : base + sent
    return ordered.filter { song in
      guard let rest = left[song], rest > 0 else { return false }
      left[song] = rest - 1
      return true
    }
  }

  /// The server does not have the playlist.
  private mutating func missing(_ policy: ListSyncPolicy) {
    switch state.fate {
    case .toDelete, .deleted:
      // The answer to an earlier request was lost, or somebody else deleted it.
      if state.fate == .toDelete { result.merged = [ListChange(.deleted)] }
      (state.fate, state.listID, state.base, state.local, state.editedAt) = (.deleted, nil, nil, [], nil)
      state.sent = nil
    case .toCreate: create()
    case .kept:
      guard !state.waiting.isEmpty, state.base != nil else {
        result.isMissing = true
        return
      }
      guard policy.onConflict != .server else {
        result.conflicts = [ListConflict(.editedHereDeletedThere, taken: .server)]
        state.local = (state.base ?? []).map { .song($0) }
        state.editedAt = nil
        result.isMissing = true
        return
      }
      result.conflicts = [ListConflict(.editedHereDeletedThere, taken: .local)]
      state.fate = .toCreate
      create()
    }
  }

  private mutating func create() {
    let songs = state.local.songs
    (state.listID, state.base, state.sent) = (nil, nil, songs)
    result.pushed = [ListChange(.created)] + ListChange.changes(from: [], to: songs.map { .song($0) })
    request = .create(title: state.title, songs: songs)
  }

  /// The state once the server has what was asked for.
  /// - Parameter id: The id of a playlist that was made. Nil if the server did not tell it.
  package func stateAfterPush(newID id: String? = nil) -> SyncedList {
    var after = state
    (after.editedAt, after.sent) = (nil, nil)
    switch request {
    case nil: break
    case .replace(_, let songs, _): after.base = songs
    case .create(_, let songs): (after.fate, after.base, after.listID) = (.kept, songs, id)
    case .delete: (after.fate, after.listID, after.base, after.local) = (.deleted, nil, nil, [])
    }
    return after
  }
}

extension Timestamp {
  fileprivate static let distantPast = Timestamp(secondsSince1970: .min / 2)
  fileprivate static let distantFuture = Timestamp(secondsSince1970: .max / 2)
}
