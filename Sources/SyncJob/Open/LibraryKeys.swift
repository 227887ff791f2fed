// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

extension JobContext {
  /// The same with the library's keys, if the manifest names any. Without sealing, keys are only needed to open what is
  /// sealed, and need not be there.
  func withKeys(_ emit: @escaping @Sendable (RunEvent) -> Void) async throws(JobError) -> JobContext {
    guard let source = manifest.protect.keys else { return self }
    var context = self
    do throws(KeysProblem) { context.keys = try await KeysReader(emit: emit).keyset(source) } catch {
      // A run then warns about the files that stay sealed.
      guard manifest.protect.mode == .none else { throw .keys(error) }
    }
    return context
  }

  /// The keys with everything that sealing needs. Nil for a library in clear, unless content keys may seal.
  /// - Precondition: The keys of a library that is sealed were read: nothing may come into it in clear.
  /// - Parameter licensed: True if licences may bring content keys.
  func sealing(_ queue: Queue, licensed: Bool = false) -> SealSettings? {
    guard manifest.protect.mode == .encrypt else {
      return licensed ? SealSettings(nil, library: queue.libraryID, minimumFree: manifest.storage.minFree) : nil
    }
    guard let settings = opening(queue) else { preconditionFailure("the keys are read before a library is opened") }
    return settings
  }

  /// The same for files that are sealed already. Nil without keys.
  /// - Parameter contentKeys: The keys of licences.
  func opening(_ queue: Queue, contentKeys: [ItemID: SealingKey] = [:]) -> SealSettings? {
    guard keys != nil || !contentKeys.isEmpty else { return nil }
    var settings = SealSettings(keys, library: queue.libraryID, minimumFree: manifest.storage.minFree)
    settings.contentKeys = contentKeys
    return settings
  }
}

/// The comparison of the keys with the library that they are for.
extension LibraryOpener {
  /// Throws if the library has files that were sealed with other keys.
  /// - Parameter queue: The recorded items, read only if they matter. Nil if the queue is lost: the disk then shows whether
  ///   there are sealed files.
  func checkKeys(
    _ marker: LibraryMarker?, _ library: Library, _ queue: () throws(JobError) -> Queue?
  ) throws(JobError) {
    guard let keys = context.keys, let source = manifest.protect.keys, let marker, let check = marker.keyCheck,
      KeyCheck.key(of: check, keys, library: marker.id) == nil
    else { return }
    let isSealed: Bool
    if let queue = try queue() {
      isSealed = queue.items.contains { $0.state.isSealedByLibrary }
    } else {
      do throws(FileError) { isSealed = try library.anySealedFile() != nil } catch { throw .file(error) }
    }
    guard isSealed else { return }
    throw .keys(.ofAnotherLibrary(source.place, library: manifest.library.path))
  }

  /// Refuses to begin a new library in a folder with sealed files. They are bound to the id of their library, so they
  /// would be fetched again and never opened.
  func checkSealedFiles(_ marker: LibraryMarker?, _ library: Library, for purpose: OpeningPurpose) throws(JobError) {
    guard marker == nil, manifest.protect.mode == .encrypt, purpose != .initialise, purpose != .restore else { return }
    let path: LibraryPath?
    do throws(FileError) { path = try library.anySealedFile() } catch { throw .file(error) }
    if let path { throw .sealedWithoutMarker(library: manifest.library.path, path) }
  }

  /// Has the marker know the keys, from the first sealed file on. After a rotation it knows the new primary key.
  func recordKeys(_ marker: LibraryMarker, _ library: Library) throws(JobError) {
    guard manifest.protect.mode == .encrypt, let keys = context.keys else { return }
    if let check = marker.keyCheck, KeyCheck.key(of: check, keys, library: marker.id)?.id == keys.primary.id { return }
    var marker = marker
    marker.keyCheck = KeyCheck.make(keys, library: marker.id)
    do throws(FileError) { try marker.replace(library.files, in: library.root) } catch { throw .file(error) }
  }
}
