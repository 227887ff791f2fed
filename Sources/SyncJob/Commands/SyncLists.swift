// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// The part of a run that exchanges the changes of playlists with their servers.
package struct SyncLists: Sendable {
  private let context: JobContext

  /// - Returns: Nil if no playlist in the scope is synced.
  package init?(_ context: JobContext) {
    let synced = Set(context.manifest.playlists.lazy.filter(\.isSynced).map(\.name))
    let scope = synced.filter { context.options.scope?.includesAny(of: $0) ?? true }
    guard !scope.isEmpty else { return nil }
    var limited = context
    limited.options.scope = scope
    self.context = limited
  }

  /// Reads the lists, merges them, pushes the changes and writes the playlist files.
  package func perform(_ listener: @escaping @Sendable (RunEvent) -> Void) async throws(JobError) -> RunReport {
    let recorder = ReportRecorder(context, listener: listener)
    let library = try await LibraryOpener(context, decodesAll: false).open(for: .edit)
    for warning in library.view.state.allWarnings { recorder.emit(.warned(warning)) }
    let network = try await context.connect(library.view.library, recorder)
    let resolution = try await Run(context).resolve(library.view, keeps: true, network, recorder)
    await library.exchangeLists(resolution.listSyncs, resolution.abandonedLists, network, recorder)
    do throws(FileError) {
      for format in context.manifest.report.playlistFormats where !Task.isCancelled {
        let files = PlaylistFiles(
          library: library.view.library,
          playlists: context.manifest.withPlaylists(knownIn: library.view.library).playlists, format: format,
          listsSealed: context.manifest.report.sealedInPlaylists)
        for warning in try files.write(library.journal.queue) { recorder.emit(.warned(warning)) }
      }
    } catch { throw .file(error) }
    await network.close(keepingHSTSAt: context.now)
    try library.journal.close(at: library.view.clock.now(), closingJournalFrom: context.options.longQueue)
    return recorder.close(at: context.now, storage: nil, interruption: nil)
  }

  /// Reads and merges the lists, and changes nothing.
  package func preview(_ listener: @escaping @Sendable (RunEvent) -> Void) async throws(JobError) -> RunReport {
    let recorder = ReportRecorder(context, listener: listener)
    let view = try LibraryOpener(context).look(for: .run)
    let network = try await context.connect(view.library, recorder)
    let resolution = try await Run(context).resolve(view, keeps: false, network, recorder)
    await network.close()
    for planned in resolution.listSyncs {
      var result = planned.sync.result
      if result.status == .done { result.status = .planned }
      if result.hasChanges { recorder.emit(.listSynced(result)) }
    }
    return recorder.close(at: context.now, storage: nil, interruption: nil)
  }
}
