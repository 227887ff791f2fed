// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// The stages that need the network.
extension Run {
  /// Reads the sources and decides which playlists there are.
  /// - Parameter keeps: true if the answers may be kept for the next run.
  func resolve(
    _ view: LibraryView, keeps: Bool, _ network: Network, _ recorder: ReportRecorder
  ) async -> Resolution {
    let (manifest, client) = (context.manifest, network.client)
    let reader = SourceReader(
      library: view.library,
      access: SourceAccess(
        fetcher: CurlSourceFetcher(client), keeps: keeps, minimumFree: manifest.storage.minFree,
        manifestDigest: { SHA256Digest(of: EffectiveManifest.text(manifest).utf8) }),
      mask: client.settings.mask, now: view.clock.now(), emit: recorder.emit,
      isOffline: {
        guard await client.isOffline else { return false }
        await client.announceOffline()
        return true
      })
    return await reader.read(manifest.playlists, states: view.queue.sources, scope: context.options.scope)
  }

  /// Carries out a plan. A rebuild is complete when the adopted files are durable.
  func execute(_ plan: consuming Plan, _ library: OpenLibrary, _ network: Network, _ recorder: ReportRecorder) async {
    let view = library.view
    var executor = Executor(
      plan: plan, manifest: context.manifest, library: view.library, journal: library.journal, clock: view.clock,
      emit: recorder.emit)
    await executor.run(network)
    if await network.client.isOfflineAfterRetries { await network.client.announceOffline() }
    if view.state.loss != nil { library.endRebuilding(recorder) }
  }
}
