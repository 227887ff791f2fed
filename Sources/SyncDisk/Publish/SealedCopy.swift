// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The reason why a file was not sealed.
package enum SealFailure: Error, Hashable, Sendable {
  /// Not a failure of the file: it is sealed when there is room.
  case noRoom(lacking: ByteCount)
  case failed(Failure)
}

/// Seals a checked file, tagged or not, into a new file on the library's file system, which is published in its place.
/// The partial stays as it was received until then.
extension Publisher {
  /// - Parameter contentKey: The key of the item's licence. Nil for that of the library.
  /// - Returns: The sealed file. The file itself if there is no key.
  package func seal(
    _ file: CheckedFile, _ partial: PartialDownload, of id: ItemID, with contentKey: SealingKey? = nil
  ) async throws(SealFailure) -> CheckedFile {
    guard let sealing, let key = contentKey ?? sealing.keys?.primary else { return file }
    let source = file.isCopy ? copy(of: partial) : place(of: partial)
    let target = library.sealedCopy(of: partial.name)
    let free: ByteCount
    do throws(FileError) { free = try library.files.space(at: library.root).available } catch {
      throw .failed(error.failure)
    }
    let needed = key.layout.sealedSize(of: file.size) + sealing.minimumFree
    guard needed <= free else { throw .noRoom(lacking: needed - free) }
    let result: FileSealer.Result
    do throws(SealedFile.Problem) {
      result = try FileSealer(library.files, key).seal(source, into: target, sealing.associatedData(id))
    } catch {
      // A file in clear has no seal that could be damaged.
      guard case .file(let error) = error else { return try refuse(partial, .failed(.cancelled)) }
      return try refuse(partial, .failed(error.failure))
    }
    guard result.plainSHA256 == file.sha256 else {
      return try refuse(partial, .failed(.changedByOthers(path: source.text)))
    }
    var sealed = file
    sealed.sealed = SealedContent(sha256: file.sha256, size: file.size, key: key.id)
    (sealed.size, sealed.sha256) = (result.size, result.sha256)
    sealed.fileExtension += Sealing.mark
    return sealed
  }

  private func refuse(_ partial: PartialDownload, _ failure: SealFailure) throws(SealFailure) -> CheckedFile {
    discardSealed(partial)
    throw failure
  }

  /// Removes a sealed file that is no longer needed.
  package func discardSealed(_ partial: PartialDownload) {
    do throws(FileError) { try library.files.removeFileIfPresent(library.sealedCopy(of: partial.name)) } catch {
      // It is a stray that the next run removes.
    }
  }
}

extension Library {
  /// The place of the sealed form of a partial. It is in the library's own folder, wherever the partials are, so that it
  /// can be renamed into the library.
  /// - Precondition: The library is opened, not only inspected.
  package func sealedCopy(of partial: String) -> FilePlace {
    guard let place = sealing.place(PartialFolder.sealedName(of: partial)) else {
      preconditionFailure("\(partial) is no name of a partial")
    }
    return place
  }
}
