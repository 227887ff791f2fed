// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The result of a publication.
package enum PublicationResult: Sendable {
  case published(StoredFile)
  /// The file was in its place already. It belongs to the item now.
  case adopted(StoredFile)
  /// The file is a partial as before.
  case failed(Failure)
  /// The journal has announced the publication or tried to. The next run finds out how far it came.
  case stopped(Failure)
}

/// A checked partial on its way into the library.
package struct Publication: Sendable {
  package var download: PlannedDownload
  package var partial: PartialDownload
  /// The partial as it was written, open. Nil if no byte of it arrived in this run.
  package var body: (any OpenFile)?
  var file: CheckedFile
  var candidate: Int
  var confidence: StoredFile.Confidence
  /// The number of requests so far.
  var attempts: Int

  package init(
    download: PlannedDownload, partial: PartialDownload, body: (any OpenFile)? = nil, file: CheckedFile, candidate: Int,
    confidence: StoredFile.Confidence, attempts: Int
  ) {
    self.download = download
    self.partial = partial
    self.body = body
    self.file = file
    self.candidate = candidate
    self.confidence = confidence
    self.attempts = attempts
  }

  func path(_ naming: FileNaming, attempt: Int) -> LibraryPath {
    download.layout.path(download.fields, fileExtension: file.fileExtension, naming: naming, attempt: attempt)
  }

  func storedFile(at path: LibraryPath, completedAt: Timestamp) -> StoredFile {
    StoredFile(
      path: path, size: file.size, sha256: file.sha256, completedAt: completedAt, candidate: candidate,
      confidence: confidence, quality: download.quality, verifiedBy: download.task.checksum)
  }

  /// The state that the journal records while the file moves to its place.
  func announcement(_ stored: StoredFile) -> ItemState {
    .downloading(Attempt(candidate: candidate, attempts: attempts, partial: partial, publishing: stored))
  }
}
