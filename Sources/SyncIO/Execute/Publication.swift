// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// What came of a publication.
enum PublicationResult: Sendable {
  case published(StoredFile)
  /// The very file was in its place already, and is the item's now.
  case adopted(StoredFile)
  /// It is a partial as before.
  case failed(Failure)
  /// The journal has announced it, or tried to: the next run sees how far it came.
  case stopped(Failure)
}

/// A checked partial on its way into the library.
struct Publication: Sendable {
  var download: PlannedDownload
  var partial: PartialDownload
  /// The partial as it was written, open; nil when no byte of it came in this run.
  var body: (any OpenFile)?
  var file: CheckedFile
  var candidate: Int
  var confidence: StoredFile.Confidence
  /// Requests made so far.
  var attempts: Int

  func path(_ naming: FileNaming, attempt: Int) -> LibraryPath {
    download.layout.path(download.fields, fileExtension: file.fileExtension, naming: naming, attempt: attempt)
  }

  func storedFile(at path: LibraryPath, completedAt: Timestamp) -> StoredFile {
    StoredFile(
      path: path, size: file.size, sha256: file.sha256, completedAt: completedAt, candidate: candidate,
      confidence: confidence, quality: download.quality)
  }

  /// What the journal says while the file moves to its place.
  func announcement(_ stored: StoredFile) -> ItemState {
    .downloading(Attempt(candidate: candidate, attempts: attempts, partial: partial, publishing: stored))
  }
}
