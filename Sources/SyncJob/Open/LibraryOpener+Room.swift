// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

extension LibraryOpener {
  /// Detects write errors before any request is made. A full disk stops every command except those that make room and
  /// `undo`. A run first takes the room that it needs from the trash, unless it follows a saved plan, which depends on
  /// the present files.
  /// - Returns: The trash that was deleted.
  func prepare(
    _ library: Library, for purpose: OpeningPurpose, _ bootID: String?
  ) throws(JobError) -> TrashFolder.Emptied {
    guard purpose != .undo else { return TrashFolder.Emptied() }
    do throws(FileError) { try library.prepare() } catch {
      guard error.isStorageFull else { throw .file(error) }
      switch purpose {
      case .makeRoom: try removeFingerprint(library)
      case .run where options.savedPlan == nil:
        guard try !isClockDoubtful(library, bootID) else { throw .file(error) }
        return try makeWritable(library, lacking: error)
      case .run, .edit, .undo, .initialise, .restore: throw .file(error)
      }
    }
    return TrashFolder.Emptied()
  }

  /// Frees the room for the first record of a removal: nothing is removed before its record is durable. The fingerprint
  /// only shortens the next run, and that run writes it again.
  private func removeFingerprint(_ library: Library) throws(JobError) {
    do throws(FileError) { try RunFingerprintStore(library: library).remove() } catch { throw .file(error) }
  }

  private func makeWritable(_ library: Library, lacking: FileError) throws(JobError) -> TrashFolder.Emptied {
    var cleaned = TrashFolder.Emptied()
    do throws(FileError) {
      if try library.sharesDiskWithTrash(lacking) { cleaned = try library.trash.empty() }
    } catch { throw .file(error) }
    if cleaned.files == 0 { try removeFingerprint(library) }
    do throws(FileError) { try library.prepare() } catch {
      guard cleaned.files > 0 else { throw .file(error) }
      throw .stillFull(error, trashFiles: cleaned.files, freed: cleaned.freed)
    }
    return cleaned
  }

  private func isClockDoubtful(_ library: Library, _ bootID: String?) throws(JobError) -> Bool {
    let loader = StateLoader(library, try marker(of: library), bootID: bootID)
    var seen = OpenedState(
      queue: try loader.read(.run)?.queue ?? Queue(libraryID: "", savedAt: Timestamp(secondsSince1970: 0)))
    seen.clockMark = try clockMark(library)
    return LibraryView(context: context, library: library, state: seen).clockDoubt != nil
  }
}
