// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
package import SyncFormats

/// Marks the library as one of this manifest.
package struct Initialise: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// The result of marking a library.
  package enum Outcome: Equatable, Sendable {
    case made
    /// It belonged to this manifest already.
    case known
    /// It belonged to the manifest of that name.
    case takenOver(from: String)
  }

  package func perform() async throws(JobError) -> Outcome {
    let opener = LibraryOpener(context)
    let isNew = try opener.look(for: .initialise).state.isNew
    let library = try await opener.open(for: .initialise)
    let owner = try claim(library.view.library)
    try library.journal.close(at: context.now)
    return isNew ? .made : owner.map { .takenOver(from: $0) } ?? .known
  }

  /// The result that `perform` would have. Nothing is changed.
  package func rehearse() throws(JobError) -> Outcome {
    let opener = LibraryOpener(context)
    let view = try opener.look(for: .initialise)
    guard !view.state.isNew else { return .made }
    guard let owner = try opener.marker(of: view.library)?.manifest, owner != context.manifest.name else {
      return .known
    }
    return .takenOver(from: owner)
  }

  /// Records this manifest as the library's owner.
  /// - Returns: the name of the previous owner; nil when it is this manifest already.
  private func claim(_ library: Library) throws(JobError) -> String? {
    guard var marker = try LibraryOpener(context).marker(of: library), marker.manifest != context.manifest.name else {
      return nil
    }
    let owner = marker.manifest
    marker.manifest = context.manifest.name
    do throws(FileError) { try marker.replace(library.files, in: library.root) } catch { throw .file(error) }
    return owner
  }
}
