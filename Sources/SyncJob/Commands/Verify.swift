// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// Checks every finished file, without a lock.
package struct Verify: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// Checks the files of the scope.
  /// - Parameters:
  ///   - isDeep: also reads and hashes it.
  ///   - emit: called for each file that was read.
  /// - Returns: the verification, and warnings about damage of the state.
  package func perform(
    _ scope: Set<PlaylistName>? = nil, isDeep: Bool,
    emitting emit: @escaping @Sendable (CheckingProgress) -> Void = { _ in }
  ) async throws(JobError) -> (Verification, [Warning]) {
    let opener = LibraryOpener(context)
    let view = try opener.look()
    var verification = try await Verifier(library: view.library).verification(
      of: view.queue, scope, isDeep: isDeep, emitting: emit)
    verification.isRecordDamaged = view.state.notes.contains(where: \.isLoss)
    guard !verification.lines.isEmpty else { return (verification, view.state.damage) }
    // Nothing was locked: a file that a run changed in the meantime is not damaged.
    let now = try opener.look().queue
    verification.lines.removeAll { now[$0.id]?.state.storedFile != $0.file }
    return (verification, view.state.damage)
  }
}

extension Verifier {
  func verification(
    of queue: Queue, _ scope: Set<PlaylistName>?, isDeep: Bool,
    emitting emit: @escaping @Sendable (CheckingProgress) -> Void
  ) async throws(JobError) -> Verification {
    do throws(FileError) { return try await check(queue, scope, isDeep: isDeep, emitting: emit) } catch {
      throw .file(error)
    }
  }
}
