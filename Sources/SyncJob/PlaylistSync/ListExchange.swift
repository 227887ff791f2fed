// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Records what the sources of synced playlists gave, and pushes the changes. Each state is recorded before its change is sent,
/// and again once the server has it. After a kill the next sync reads the server's list first.
struct ListExchange {
  private let store: SyncedListStore
  private let emit: @Sendable (RunEvent) -> Void

  init(_ folder: StateFolder, _ emit: @escaping @Sendable (RunEvent) -> Void) {
    (store, self.emit) = (SyncedListStore(folder), emit)
  }

  /// - Parameters:
  ///   - isSynced: False for a playlist whose changes the manifest does not exchange any more.
  ///   - network: Started if there is something to send.
  func perform(
    _ syncs: [PlannedListSync], _ abandoned: [PlaylistName], _ network: Network, _ isSynced: (PlaylistName) -> Bool
  ) async {
    do throws(FileError) {
      let recorded = try store.read()
      for name in recorded.damaged { try store.setAside(name) }
      for name in abandoned { try store.remove(name) }
      for (name, state) in recorded.states where !isSynced(name) {
        if !state.waiting.isEmpty { emit(.warned(.list(name, .editsDropped(state.waiting.count)))) }
        try store.remove(name)
      }
      for planned in syncs where !Task.isCancelled {
        try await perform(planned, recorded.states, network)
      }
    } catch {
      for planned in syncs { emit(.warned(.list(planned.playlist.name, .stateUnusable(error)))) }
    }
  }

  private func perform(
    _ planned: PlannedListSync, _ recorded: [PlaylistName: SyncedList], _ network: Network
  ) async throws(FileError) {
    let name = planned.playlist.name
    var sync = planned.sync
    // The file may have been written since by nobody but this run.
    if sync.state != recorded[name] { try store.write(sync.state, of: name) }
    // A playlist that was to be made may have another name, now that it is there.
    if let old = planned.before, old != name { try store.remove(old) }
    if let request = sync.request {
      switch await outcome(of: request, planned, network) {
      case .done(let id): try store.write(sync.stateAfterPush(newID: id), of: name)
      case .failed(let problem): sync.result.status = .waiting(problem)
      }
    }
    guard !sync.result.isEmpty else { return }
    emit(.listSynced(sync.result))
    if case .waiting(let problem) = sync.result.status, problem != .notRead {
      emit(.warned(.list(name, .notPushed(waiting: sync.result.pushed.count, problem))))
    }
  }

  private func outcome(
    of request: ListSync.Request, _ planned: PlannedListSync, _ network: Network
  ) async -> ListService.Outcome {
    guard let query = planned.playlist.source.query else { return .failed(.notRead) }
    do throws(JobError) {
      let service = ListService(try await network.start(), query, for: planned.playlist.name)
      return await service.carryOut(request)
    } catch { return .failed(.unanswered(reason: error.words())) }
  }
}

extension OpenLibrary {
  /// Exchanges the changes of synced playlists, if the plan may be carried out and the state can be trusted. A saved plan
  /// pushes nothing: its merge is as old as the plan.
  func exchangeLists(
    _ syncs: [PlannedListSync], _ abandoned: [PlaylistName], _ network: Network, _ recorder: ReportRecorder
  ) async {
    let report = recorder.current
    guard report.safetyStop == nil, report.storageFailure == nil, view.context.options.savedPlan == nil,
      view.state.loss == nil, !Task.isCancelled
    else { return }
    let synced = Set(view.context.manifest.playlists.lazy.filter(\.isSynced).map(\.name))
    await ListExchange(view.library.state, recorder.emit).perform(syncs, abandoned, network, synced.includes)
  }
}
