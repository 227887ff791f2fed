// SPDX-License-Identifier: Apache-2.0

/// The states of an item (docs/manual/queue-file.md). Each carries its own data, so that no data is left over from
/// another state. `Name.predecessors` is the table of the transitions.
package enum ItemState: Equatable, Sendable {
  /// Wanted and not begun, or put back.
  case queued(Pending)
  /// A transfer is running.
  case downloading(Attempt)
  /// Between two requests.
  case retrying(Attempt, nextAttemptAt: Timestamp)
  /// Paused by a person. The partial is kept, and no run fetches the item before it is resumed.
  case paused(Pending)
  /// In the library.
  case completed(StoredFile)
  /// No candidate is left for now.
  case failed(FailureRecord)
  /// Cancelled by the user.
  case cancelled(at: Timestamp)
  /// The tombstone of a file that was present, or that a person does not want.
  case removed(Removal)

  /// The name in the queue file.
  package enum Name: String, CaseIterable, Sendable {
    case queued, downloading, retrying, paused, completed, failed, cancelled, removed
  }

  package var name: Name {
    switch self {
    case .queued: .queued
    case .downloading: .downloading
    case .retrying: .retrying
    case .paused: .paused
    case .completed: .completed
    case .failed: .failed
    case .cancelled: .cancelled
    case .removed: .removed
    }
  }

  /// The unfinished bytes on disk, in the states that may have them.
  package var partial: PartialDownload? { transfer?.partial }

  // Every plan reads these for each file of a large library, so they copy nothing else.

  package var finishedSize: ByteCount? {
    if case .completed(let file) = self { file.size } else { nil }
  }

  package var finishedPath: LibraryPath? {
    if case .completed(let file) = self { file.path } else { nil }
  }

  /// True with a finished file that is sealed.
  package var isSealed: Bool {
    if case .completed(let file) = self { file.sealed != nil } else { false }
  }

  /// True with a finished file that only a key of the library opens.
  package var isSealedByLibrary: Bool {
    if case .completed(let file) = self { file.sealed.map { !$0.isByContentKey } ?? false } else { false }
  }

  package var completedAt: Timestamp? {
    if case .completed(let file) = self { file.completedAt } else { nil }
  }

  /// The path to which a run was about to move the finished file.
  package var movingTo: LibraryPath? {
    if case .completed(let file) = self { file.movingTo } else { nil }
  }

  /// The finished file, if there is one.
  package var storedFile: StoredFile? {
    if case .completed(let file) = self { file } else { nil }
  }
}

/// The data of a queued or paused item from earlier runs.
package struct Pending: Equatable, Sendable {
  @BoxedIfAny package var partial: PartialDownload?
  /// The time before which it is not tried, because a server's `Retry-After` was longer than a run waits.
  package var nextAttemptAt: Timestamp?
  /// The failure that put it back into the queue. Nil if no attempt failed.
  package var lastError: ErrorRecord?
  /// True if a person put it back into the queue.
  package var isRequested: Bool
  /// True if a plan deferred it because there was no room. It comes only into room below `target`, and nothing is
  /// evicted for it.
  package var isDeferred: Bool
  package init(
    partial: PartialDownload? = nil, nextAttemptAt: Timestamp? = nil, lastError: ErrorRecord? = nil,
    isRequested: Bool = false, isDeferred: Bool = false
  ) {
    self.partial = partial
    self.nextAttemptAt = nextAttemptAt
    self.lastError = lastError
    self.isRequested = isRequested
    self.isDeferred = isDeferred
  }
}

/// A running attempt.
package struct Attempt: Equatable, Sendable {
  /// The index into the item's order of trial. 0 is the main candidate.
  package var candidate: Int
  /// The number of requests made for this candidate, counted from 1.
  package var attempts: Int
  @BoxedIfAny package var partial: PartialDownload?
  /// Set once the bytes are checked, before the file is renamed into its place. Proves a rename that is missing from
  /// the journal.
  @BoxedIfAny package var publishing: StoredFile?
  package init(
    candidate: Int, attempts: Int, partial: PartialDownload? = nil, publishing: StoredFile? = nil
  ) {
    self.candidate = candidate
    self.attempts = attempts
    self.partial = partial
    self.publishing = publishing
  }
}

/// The unfinished bytes in the partials folder.
package struct PartialDownload: Hashable, Sendable {
  /// The file's name in the partials folder, without `/`.
  package var name: String
  /// The number of bytes known to be on the disk. The file may be longer.
  package var received: ByteCount
  package var total: ByteCount?
  /// The validator of the response. Without it the bytes cannot be continued.
  package var validator: HTTPValidator?
  /// The URL of the candidate that the bytes came from.
  package var url: RemoteURL
  /// The pieces on the disk behind `received`, in ascending order without overlap. Nil if the bytes arrived in order.
  /// If it is set, the file's length says nothing about the bytes present.
  package var extents: [Extent]?
  package init(
    name: String, received: ByteCount, total: ByteCount? = nil, validator: HTTPValidator? = nil, url: RemoteURL,
    extents: [Extent]? = nil
  ) {
    self.extents = extents
    self.name = name
    self.received = received
    self.total = total
    self.validator = validator
    self.url = url
  }
}

/// A finished file in the library that the queue owns.
package struct StoredFile: Hashable, Sendable {
  /// The confidence that the bytes are the wanted item.
  package enum Confidence: String, CaseIterable, Sendable { case normal, low }

  package var path: LibraryPath
  package var size: ByteCount
  package var sha256: SHA256Digest
  package var completedAt: Timestamp
  /// The index into the order of trial. 0 is the main candidate.
  package var candidate: Int
  package var confidence: Confidence
  /// The quality for which the file was fetched. Nil if it is unknown or if the item is declared in only one.
  package var quality: Quality?
  /// The declared checksum that the file passed, unless it is a SHA-256. Nil if there was none.
  package var verifiedBy: Checksum?
  /// The place that the file came from, if the item does not name it: the page that a search found, the file that was
  /// imported, or an earlier URL of the item.
  @BoxedIfAny package var origin: RemoteURL?
  /// Nil for a file whose tags the manifest leaves alone.
  @BoxedIfAny package var tagged: TaggedContent?
  /// Nil for a file in clear.
  @BoxedIfAny package var sealed: SealedContent?
  /// The path to which it is being moved. Set before the rename, so that a rename missing from the journal can be
  /// detected.
  package var movingTo: LibraryPath?
  package init(
    path: LibraryPath, size: ByteCount, sha256: SHA256Digest, completedAt: Timestamp, candidate: Int = 0,
    confidence: Confidence = .normal, quality: Quality? = nil, verifiedBy: Checksum? = nil
  ) {
    self.verifiedBy = verifiedBy
    self.quality = quality
    self.path = path
    self.size = size
    self.sha256 = sha256
    self.completedAt = completedAt
    self.candidate = candidate
    self.confidence = confidence
  }
}

/// A failure as recorded in the queue file, with the sentence that was shown.
package struct ErrorRecord: Hashable, Sendable {
  package var kind: FailureKind
  package var status: Int?
  package var message: String
  package var at: Timestamp
  package init(kind: FailureKind, status: Int? = nil, message: String, at: Timestamp) {
    self.kind = kind
    self.status = status
    self.message = message
    self.at = at
  }
}

package struct FailureRecord: Equatable, Sendable {
  package var error: ErrorRecord
  /// True if the next run tries again. A permanent failure waits for `retry` or a changed declaration.
  package var isTemporary: Bool
  /// True if the next run tries the item again by itself. A folder of the library that refused its file is looked at in
  /// every run, before anything is fetched.
  package var isTriedAgain: Bool { isTemporary || error.kind == .io }
  /// The index into the order of trial of the candidate that failed last.
  package var candidate: Int
  /// The number of requests made for that candidate.
  package var attempts: Int
  @BoxedIfAny package var partial: PartialDownload?
  package var nextAttemptAt: Timestamp?
  /// The inputs on which the failure depends. Nil in records of versions that did not keep them.
  package var inputs: InputMark?
  package init(
    error: ErrorRecord, isTemporary: Bool, candidate: Int, attempts: Int, partial: PartialDownload? = nil,
    nextAttemptAt: Timestamp? = nil, inputs: InputMark? = nil
  ) {
    self.inputs = inputs
    self.error = error
    self.isTemporary = isTemporary
    self.candidate = candidate
    self.attempts = attempts
    self.partial = partial
    self.nextAttemptAt = nextAttemptAt
  }
}

/// The tombstone of a file that was in the library.
package struct Removal: Hashable, Sendable {
  package enum Cause: String, CaseIterable, Sendable {
    case evicted, retention, orphan, user, lost, expired
  }
  /// The time for which an evicted file stays away, whatever room there is. A file that comes and goes every other day is
  /// useless.
  package static let absence = Duration.days(7)

  package var cause: Cause
  package var at: Timestamp
  /// The number of this run or command among those that removed something in the same second, counted from 1.
  package var turn: Int
  /// The former file. The next plan uses its size, and an adoption uses its hash.
  package var file: StoredFile?
  package init(cause: Cause, at: Timestamp, turn: Int = 1, file: StoredFile? = nil) {
    self.cause = cause
    self.at = at
    self.turn = turn
    self.file = file
  }

  /// Identifies the removals of one run or command.
  package struct Operation: Hashable, Comparable, Sendable {
    package var at: Timestamp
    package var turn: Int

    package init(at: Timestamp, turn: Int = 1) {
      self.at = at
      self.turn = turn
    }

    package static func < (a: Self, b: Self) -> Bool { (a.at, a.turn) < (b.at, b.turn) }
  }

  package var operation: Operation { Operation(at: at, turn: turn) }

  /// True if the file went into the trash, or would have if the trash kept files at all.
  package var isForTrash: Bool { cause != .evicted && cause != .lost }
}

extension StoredFile {
  /// The same file at another path, or on its way there.
  package func at(_ path: LibraryPath, movingTo target: LibraryPath? = nil) -> StoredFile {
    var file = self
    (file.path, file.movingTo) = (path, target)
    return file
  }
}
