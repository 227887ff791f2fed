// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The tags that a manifest asks for, and the room that has to stay free.
package struct TagSettings: Sendable {
  package var policy: TagPolicy
  package var minimumFree: ByteCount

  package init(_ manifest: Manifest) {
    (policy, minimumFree) = (manifest.tags, manifest.storage.minFree)
  }
}

/// Tags a checked partial: the tags go into a copy beside it, which is published in its place. The partial stays as it
/// was received until then, so that a run that is killed meanwhile loses nothing.
extension Publisher {
  /// The formats whose tags are written, by the extension that the content calls for.
  private static let taggedFormats: Set<String> = [
    "mp3", "m4a", "m4b", "mp4", "ogg", "opus", "flac", "wav",
  ]
  /// TagLib knows no chapters in MP4.
  private static let formatsWithChapters: Set<String> = ["mp3", "ogg", "opus", "flac", "wav"]
  /// The room for the tags themselves.
  private static let roomForTags = ByteCount(1 << 20)

  /// True if chapters can be written into files of this format.
  package func takesChapters(_ file: CheckedFile) -> Bool { Self.formatsWithChapters.contains(file.fileExtension) }

  /// - Returns: The file to publish: the tagged copy, or the file itself if it has the tags. The reason if it stays
  ///   without them.
  package func tag(
    _ file: CheckedFile, _ partial: PartialDownload, _ fields: TagFields, _ settings: TagSettings
  ) async throws(TagProblem) -> (file: CheckedFile, failure: TagFailure?) {
    guard let tags, settings.policy.changesFiles else { return (file, nil) }
    guard Self.taggedFormats.contains(file.fileExtension) else { return (file, .format(file.fileExtension)) }
    let place = place(of: partial)
    let media = MediaPart.digest(of: place, in: library.files)
    var kept = file
    kept.tagged = TaggedContent(sourceSHA256: file.sha256, sourceSize: file.size, mediaSHA256: media)
    guard let media else { return (kept, .unreadable) }
    var order = TagOrder(
      fields, for: MediaFile(path: place.text, fileExtension: file.fileExtension),
      overwrites: settings.policy.mode == .overwrite)
    switch try await tags.write(order) {
    case .unchanged, .written: return (kept, nil)
    case .failed(let failure): return (kept, failure)
    case .lacking: break
    }
    if let lacking = lackingRoom(for: file.size, settings) { return (kept, .noRoom(lacking: lacking)) }
    let copy = self.copy(of: partial)
    order.copy = copy.text
    do throws(TagProblem) {
      if case .failed(let failure) = try await tags.write(order) {
        discardCopy(of: partial)
        return (kept, failure)
      }
    } catch {
      discardCopy(of: partial)
      throw error
    }
    guard let digest = FileDigest.compute(copy, in: library.files, ifMediaIs: media) else {
      discardCopy(of: partial)
      return (kept, .damaged)
    }
    (kept.size, kept.sha256) = (digest.size, digest.sha256)
    return (kept, nil)
  }

  /// The bytes that the disk lacks for a copy. Nil if there is room, or if the system does not tell.
  private func lackingRoom(for size: ByteCount, _ settings: TagSettings) -> ByteCount? {
    do throws(FileError) {
      let free = try library.files.space(at: library.root).available
      let needed = size + Self.roomForTags + settings.minimumFree
      return needed > free ? needed - free : nil
    } catch {
      // The copy itself will show.
      return nil
    }
  }

  /// The place of the tagged copy of a partial. A stray one is removed by the next run, as no record names it.
  func copy(of partial: PartialDownload) -> FilePlace {
    guard let place = partialFolder.child(PartialFolder.copyName(of: partial.name)) else {
      preconditionFailure("\(partial.name) is no name of a partial")
    }
    return place
  }

  /// Removes a copy that is no longer needed.
  package func discardCopy(of partial: PartialDownload) {
    do throws(FileError) { try library.files.removeFileIfPresent(copy(of: partial)) } catch {
      // It is a stray that the next run removes.
    }
  }
}
