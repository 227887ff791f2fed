// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// The damage of the log of plays. A log that cannot be read stops no run.
extension LibraryOpener {
  /// Looks for damage, for a command that changes nothing.
  func playNotes(_ library: Library) -> [RecoveryNote] {
    guard let folder = library.stateFolder else { return [] }
    do throws(FileError) { return try PlayLogStore(folder).damage().map { [$0.note] } ?? [] } catch {
      return notes(of: error)
    }
  }

  /// Repairs the log. A full disk must not keep an `undo` from its files: that only looks.
  func repairPlays(_ library: Library, _ queue: Queue, for purpose: OpeningPurpose) throws(JobError) -> [RecoveryNote] {
    guard purpose != .restore, purpose != .undo else { return purpose == .undo ? playNotes(library) : [] }
    do throws(FileError) {
      return try PlayLogStore(library.state).repair(queue, now: now).map { [$0.note] } ?? []
    } catch {
      guard !error.isStorageFull else { throw .file(error) }
      return notes(of: error)
    }
  }

  /// Anything but a stranger under its name is reported when the log is needed.
  private func notes(of error: FileError) -> [RecoveryNote] { error.isOfStranger ? [.playsUnusable] : [] }
}
