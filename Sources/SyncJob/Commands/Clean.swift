// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// Removes files that are no longer needed.
package struct Clean: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// - Parameter isDryRun: only looks; then nothing is locked.
  package func perform(isDryRun: Bool) async throws(JobError) -> (CleanResult, [Warning]) {
    let before = try LibraryOpener(context).look()
    // The opening removes them: they are noted now, to be reported later.
    let temporaries: [Cleaner.Find]
    do throws(FileError) {
      temporaries = try cleaner(before).temporaries()
      if isDryRun { return (cleaning(try cleaner(before).survey(before.queue), before, isDryRun: true), []) }
    } catch { throw .file(error) }
    let library = try await LibraryOpener(context).open(for: .makeRoom)
    let (view, cleaner) = (library.view, cleaner(library.view))
    do throws(Failure) {
      let finds: [Cleaner.Find]
      do throws(FileError) { finds = try cleaner.survey(view.queue) } catch { throw error.failure }
      try cleaner.remove(finds, library.journal)
      try library.journal.close(orStopping: context.now)
      let found = Set(finds.map(\.piece.path))
      let all = temporaries.filter { !found.contains($0.piece.path) } + finds
      return (cleaning(all, view, isDryRun: false), view.state.allWarnings)
    } catch { throw .failed(error) }
  }

  private func cleaner(_ view: LibraryView) -> Cleaner {
    Cleaner(
      library: view.library, manifest: context.manifest, now: context.now, isClockPlausible: view.clockDoubt == nil)
  }

  private func cleaning(_ finds: [Cleaner.Find], _ view: LibraryView, isDryRun: Bool) -> CleanResult {
    CleanResult(pieces: finds.map(\.piece), isDryRun: isDryRun, clockDoubt: view.clockDoubt)
  }
}
