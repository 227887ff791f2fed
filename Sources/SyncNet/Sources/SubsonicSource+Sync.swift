// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// A playlist that is kept in step with its server: the server's list is merged with the one here, and the merged list is
/// what the playlist has. Nothing is changed.
extension SubsonicSource {
  func readSynced(_ access: SourceAccess) async -> SourceReading {
    let requests = SubsonicRequests(query: query, playlist: playlist, access: access)
    var known = access.lists.state(of: playlist, titled: query.songs.name)?.state
    // Nothing is known about a playlist of another server.
    if let state = known, state.server != query.server { known = nil }
    let answer: SubsonicRequests.ListAnswer
    do throws(SourceProblem) {
      answer = try await requests.list()
      let isEmpty = answer.list?.songs.isEmpty ?? !answer.hasLists
      if let base = known?.base, !base.isEmpty, isEmpty, known?.fate == .kept {
        throw .suddenlyEmpty(before: base.count)
      }
    } catch { return unread(error, known, access) }
    guard
      var sync = ListSync(known, answer.list, of: playlist.name, on: query.server, policy: playlist.sync)
    else { return unread(.unknownName(query.songs.name ?? ""), nil, access) }
    let entries = self.entries(answer.songs, access)
    sync.result.titles = titles(of: entries, access)
    sync.result.title = access.mask.masked(sync.result.title)
    guard !sync.result.isMissing else {
      var reading = unread(.unknownName(sync.result.title), sync.state, access)
      reading.listSync = sync
      return reading
    }
    return reading(sync, entries, answer.songs, access)
  }

  private func reading(
    _ sync: ListSync, _ known: [String: ListingEntry], _ songs: [SubsonicAnswer.Song], _ access: SourceAccess
  ) -> SourceReading {
    var listing = Listing(completeness: .whole)
    listing.entries = ListingEntries(Self.entries(of: sync.state.local, known))
    listing = listing.used(by: playlist.select, before: nil)
    let isUnchanged = listing.entries == lastListing()?.entries
    if !isUnchanged, !Task.isCancelled { kept?.keep(listing, of: seal, access) }
    var reading = SourceReading(playlist: playlist.name, listing: listing, isUnchanged: isUnchanged)
    reading.songPlays = songs.compactMap { song in known[song.id].flatMap { song.plays(at: $0.url) } }
    reading.listSync = sync
    return reading
  }

  /// The list here, which may add items and removes none.
  private func unread(_ problem: SourceProblem, _ state: SyncedList?, _ access: SourceAccess) -> SourceReading {
    let last = lastListing()?.used(by: playlist.select, before: nil).entries ?? []
    var entries = last
    if let state, state.base != nil || !state.local.isEmpty {
      var known: [String: ListingEntry] = [:]
      for entry in last { if let id = entry.guid { known[id] = entry } }
      known.merge(access.lists.songs[query.server] ?? [:]) { first, _ in first }
      entries = ListingEntries(Self.entries(of: state.local, known))
    }
    var reading = SourceReading(
      playlist: playlist.name, listing: Listing(entries: entries, completeness: .partial(problem)), isUnchanged: true)
    if let state {
      reading.listSync = ListSync(unread: state, of: playlist.name)
      reading.listSync?.result.titles = titles(of: access.lists.songs[query.server] ?? [:], access)
    }
    return reading
  }

  /// Masked, because a server may echo a secret.
  private func titles(of entries: [String: ListingEntry], _ access: SourceAccess) -> [String: String] {
    entries.compactMapValues { $0.title.map(access.mask.masked) }
  }

  /// The songs that the server told, and those that the queue knows.
  private func entries(_ songs: [SubsonicAnswer.Song], _ access: SourceAccess) -> [String: ListingEntry] {
    var entries = access.lists.songs[query.server] ?? [:]
    for song in songs { if let entry = song.entry(of: query.url) { entries[song.id] = entry } }
    return entries
  }

  /// A playlist may name a song twice. Its file is one.
  private static func entries(of list: [ListElement], _ known: [String: ListingEntry]) -> [ListingEntry] {
    var ids: Set<String> = []
    return list.songs.compactMap { ids.insert($0).inserted ? known[$0] : nil }
  }
}

extension SubsonicRequests {
  struct ListAnswer {
    /// Nil if the server does not have the playlist.
    var list: ServerList?
    /// False if the server lists no playlist at all, as one does that has lost its database.
    var hasLists = true
    var songs: [SubsonicAnswer.Song] = []
  }

  /// The playlist with all of its entries, in order.
  func list() async throws(SourceProblem) -> ListAnswer {
    let (id, hasLists) = try await listID()
    guard let id else { return ListAnswer(hasLists: hasLists) }
    let answer: SubsonicAnswer
    do throws(SourceProblem) { answer = try await ask("getPlaylist", [("id", id)]) } catch {
      // It was listed a moment ago. If it was deleted since, the next sync finds it missing there.
      guard case .refused(SubsonicAnswer.notFound, let message) = error else { throw error }
      throw .refused(code: 0, message: message)
    }
    try Self.checkCount(answer.entryIDs.count)
    guard let list = answer.serverList(id: id) else { throw .notSubsonic }
    if let count = answer.playlists.first?.count, answer.entryIDs.count < count {
      throw .notAllListed(answer.entryIDs.count, of: count)
    }
    return ListAnswer(list: list, songs: answer.songs)
  }

  private func listID() async throws(SourceProblem) -> (id: String?, hasLists: Bool) {
    switch query.songs {
    case .listed(let id, _): return (id, true)
    case .playlist(let name):
      let all = try await ask("getPlaylists").playlists
      return (ServerPlaylists.place(of: name, among: all.map(\.name)).map { all[$0].id }, !all.isEmpty)
    default: return (nil, true)
    }
  }
}
