// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
package import SyncNet

/// Plays items of the library with a player. The library's lock is taken only to count what was played.
package struct Play: Sendable {
  /// The settings of a new list. Nil to leave those of the present one.
  package struct Request: Sendable {
    /// Nil to go on with the present list.
    package var items: [ItemID]?
    /// Nil if the list is not to be shuffled.
    package var seed: UInt64?
    package var isShuffled: Bool
    package var repeats: PlayOrder.Repeat?

    package init(_ items: [ItemID]?, isShuffled: Bool, seed: UInt64?, repeats: PlayOrder.Repeat?) {
      (self.items, self.isShuffled, self.seed, self.repeats) = (items, isShuffled, seed, repeats)
    }
  }

  private let context: JobContext
  private let media: OpenMedia
  private let store: PlayStore

  package var queue: Queue { media.queue }

  /// Reads the state and the keys.
  package static func begin(_ context: JobContext) async throws(JobError) -> (Play, warnings: [Warning]) {
    let library = try Library.look(context.manifest.library, context.files)
    guard let folder = library.stateFolder else { throw .player(.nothingToPlay) }
    let store = PlayStore(folder)
    // The queue below then has the position at which a killed process has left its item.
    do throws(FileError) {
      if try store.place()?.playback != nil, let lock = try store.lockToPlay() {
        try store.settle(lock) { _ in nil }
        try lock.release()
      }
    } catch { throw .file(error) }
    let (media, warnings) = try await OpenMedia.begin(context)
    return (Play(context: context, media: media, store: store), warnings)
  }

  // MARK: The list

  /// The items that names mean: a playlist, several by a pattern, or an item.
  package func items(named names: [String]) throws(ItemSelector.Problem) -> [ItemID] {
    var items: [ItemID] = []
    for name in names {
      let playlists = context.manifest.playlists.map(\.name).filter { Glob(name).matches($0.text) }
      if playlists.isEmpty {
        items.append(try ItemSelector.find(name, in: queue).id)
      } else {
        for playlist in playlists { items += self.items(of: playlist) }
      }
    }
    return items
  }

  /// The items of a playlist that have a file, in its order.
  private func items(of playlist: PlaylistName) -> [ItemID] {
    queue.items.compactMap { item -> (Int, ItemID)? in
      guard item.state.storedFile != nil,
        let membership = item.memberships.first(where: { $0.playlist == playlist || $0.playlist.declared == playlist })
      else { return nil }
      return (membership.position, item.id)
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The present list. Nil if there is none.
  package func list() throws(JobError) -> PlayList? {
    do throws(FileError) { return try store.list() } catch { throw .file(error) }
  }

  /// The index in the present list of the item that comes next. Nil at its end.
  package func nextPlace() throws(JobError) -> Int? {
    guard let list = try list() else { return nil }
    do throws(FileError) { return PlayOrder(list, at: try store.place()).currentIndex } catch { throw .file(error) }
  }

  /// Adds items to the list, also while it is played.
  package func add(_ items: [ItemID]) async throws(JobError) {
    try await change { list in
      var list = list ?? PlayList(id: Self.newID)
      list.items += items
      return list
    }
  }

  /// Empties the list. What plays goes on to its end.
  package func clear() async throws(JobError) {
    try await change { list in list.map { PlayList(id: Self.newID, seed: $0.seed, repeats: $0.repeats) } }
  }

  private func change(_ change: (PlayList?) -> PlayList?) async throws(JobError) {
    let isChanged: Bool
    do throws(FileError) { isChanged = try await store.change(change) } catch { throw .file(error) }
    guard isChanged else { throw .player(.listLocked) }
  }

  private static var newID: String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: Playing

  /// Starts or finds the player, so that it is ready by the time the library is read.
  package static func findPlayer(
    _ settings: PlayerSettings, _ variables: [String: String]
  ) -> Task<Result<any Player, PlayerProblem>, Never> {
    Task {
      do throws(PlayerProblem) { return .success(try await PlayerChoice(settings, variables).player()) } catch {
        return .failure(error)
      }
    }
  }

  /// Plays the list until it ends, a person stops it, or the first of `stops` comes.
  package func perform(
    _ request: Request, _ player: Task<Result<any Player, PlayerProblem>, Never>, _ keys: PlayKeys,
    stopping stops: AsyncStream<ExitStatus>, _ listener: @escaping @Sendable (PlayEvent) -> Void
  ) async throws(JobError) -> (result: PlayResult, stop: ExitStatus?) {
    if let items = request.items, items.isEmpty { throw .player(.nothingToPlay) }
    let lock = try await lockToPlay()
    let found: any Player
    do throws(PlayerProblem) { found = try await player.value.get() } catch { throw .player(error) }
    let (list, place): (PlayList, PlayPlace?)
    do throws(JobError) { (list, place) = try await begin(request, lock) } catch {
      await found.end()
      throw error
    }
    let played = try await Interruption.watching(stops) { interruption throws(JobError) in
      var session = PlaySession(
        found, store, PlayTracks(context, media), list, at: place, emit: listener)
      let problem: PlayerProblem?
      do throws(PlayerProblem) {
        try await session.run(keys)
        problem = nil
      } catch { problem = error }
      await found.end()
      session.end()
      return (result: session.result, problem: problem, stop: interruption.status)
    }
    do throws(FileError) { try lock.release() } catch { throw .file(error) }
    await count()
    if let error = played.result.lost { throw .file(error) }
    if let problem = played.problem { throw .player(problem) }
    return (played.result, played.stop)
  }

  /// A command that opens the library holds this lock for a moment, too.
  private func lockToPlay() async throws(JobError) -> PlayLock {
    for attempt in 0..<10 {
      do throws(FileError) { if let lock = try store.lockToPlay() { return lock } } catch { throw .file(error) }
      guard attempt < 9 else { break }
      // Cancelled: nobody waits any more.
      do { try await Task.sleep(for: .milliseconds(20)) } catch { break }
    }
    throw .player(.busy)
  }

  /// The list and the place in it, once the playback of a killed process is recorded.
  private func begin(_ request: Request, _ lock: PlayLock) async throws(JobError) -> (PlayList, PlayPlace?) {
    let list = try await list(for: request)
    do throws(FileError) {
      try store.settle(lock) { queue[$0]?.item.duration }
      return (list, try store.place())
    } catch { throw .file(error) }
  }

  /// The list to play: a new one, or the present one with other settings.
  private func list(for request: Request) async throws(JobError) -> PlayList {
    let seed = request.isShuffled ? request.seed ?? UInt64.random(in: 0...UInt64(Int64.max)) : nil
    var wanted: PlayList?
    try await change { present in
      var list = present ?? PlayList(id: Self.newID)
      if let items = request.items {
        list = PlayList(id: Self.newID, items: items, seed: seed, repeats: request.repeats ?? .off)
      } else {
        // Another order is another list.
        if let seed { (list.id, list.seed) = (Self.newID, seed) }
        if let repeats = request.repeats { list.repeats = repeats }
      }
      wanted = list
      return list == present ? nil : list
    }
    guard let wanted, !wanted.items.isEmpty else { throw .player(.nothingToPlay) }
    return wanted
  }

  /// Counts what was played, unless a run is at work: the next command that opens the library counts it then. Also after
  /// a signal, which has cancelled the present task.
  private func count() async {
    let context = context
    await Task {
      do throws(JobError) { try await QueueEditor.begin(context).end() } catch {
        // The records stay.
      }
    }.value
  }
}
