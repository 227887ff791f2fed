// SPDX-License-Identifier: Apache-2.0

/// The life of an item (SPEC §4). Each state carries its own data, so that none is left over from another.
package enum ItemState: Equatable, Sendable {
  /// Wanted, not begun, or put back. Leaves to `downloading`, `completed` (adopted), `cancelled`.
  case queued(Pending)
  /// A transfer runs. Leaves to `retrying`, `paused`, `completed`, `failed`, `cancelled`; on load to `queued`.
  case downloading(Attempt)
  /// Between two requests. Leaves to `downloading`, `failed`, `cancelled`; on load to `queued`.
  case retrying(Attempt, nextAttemptAt: Timestamp)
  /// Stopped by the user, partial kept. Leaves to `queued`, `cancelled`.
  case paused(Attempt)
  /// In the library. Leaves to `removed`.
  case completed(StoredFile)
  /// No candidate is left for now. Leaves to `queued`, `cancelled`.
  case failed(FailureRecord)
  /// By the user. Leaves to `queued` on retry.
  case cancelled(at: Timestamp)
  /// The tombstone of a file that was here. Leaves to `queued` on retry, when lost, or when there is room again.
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

  /// The unfinished bytes on disk, in the states that may have some.
  package var partial: PartialDownload? {
    switch self {
    case .queued(let pending): pending.partial
    case .downloading(let attempt), .retrying(let attempt, _), .paused(let attempt): attempt.partial
    case .failed(let record): record.partial
    case .completed, .cancelled, .removed: nil
    }
  }

  // What a plan asks of every file of a large library, without a copy of the rest.

  package var finishedSize: ByteCount? {
    if case .completed(let file) = self { file.size } else { nil }
  }

  package var finishedPath: LibraryPath? {
    if case .completed(let file) = self { file.path } else { nil }
  }

  package var completedAt: Timestamp? {
    if case .completed(let file) = self { file.completedAt } else { nil }
  }

  /// The finished file, when there is one.
  package var storedFile: StoredFile? {
    if case .completed(let file) = self { file } else { nil }
  }
}

/// What a queued item brings from earlier runs.
package struct Pending: Equatable, Sendable {
  @BoxedIfAny package var partial: PartialDownload?
  /// Not before this moment: a server's `Retry-After` was longer than a run waits.
  package var nextAttemptAt: Timestamp?
  /// Why it is back in the queue, when an attempt failed.
  package var lastError: ErrorRecord?
  /// A person put it back into the queue.
  package var isRequested: Bool
  /// A plan left it out for want of room. It comes only into room below `target`, and nothing makes way for it.
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
  /// Index into the item's order of trial; 0 is the main candidate.
  package var candidate: Int
  /// Requests made for this candidate, counted from 1.
  package var attempts: Int
  @BoxedIfAny package var partial: PartialDownload?
  /// Set once the bytes are checked, before the file is renamed into place: proves a rename that the journal did not see.
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

/// Unfinished bytes in the partial folder.
package struct PartialDownload: Hashable, Sendable {
  /// The file's name in the partial folder: no `/`.
  package var name: String
  /// What is known to be on the disk; the file may be longer.
  package var received: ByteCount
  package var total: ByteCount?
  /// Without one the bytes cannot be continued.
  package var validator: HTTPValidator?
  /// The candidate's URL that the bytes came from.
  package var url: RemoteURL
  /// What is on the disk behind `received`, ascending and apart; nil when the bytes came one after the other. Once it is
  /// set the file's length tells nothing.
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
  /// How sure it is that the bytes are the wanted item.
  package enum Confidence: String, CaseIterable, Sendable { case normal, low }

  package var path: LibraryPath
  package var size: ByteCount
  package var sha256: SHA256Digest
  package var completedAt: Timestamp
  /// Index into the order of trial; 0 is the main candidate.
  package var candidate: Int
  package var confidence: Confidence
  /// Of an item that is declared in several: the one that the file was fetched for. Nil: not known, or there is but one.
  package var quality: Quality?
  /// Where it is being moved to: set before the file is renamed, so that a rename that the journal did not see is known.
  package var movingTo: LibraryPath?
  package init(
    path: LibraryPath, size: ByteCount, sha256: SHA256Digest, completedAt: Timestamp, candidate: Int = 0,
    confidence: Confidence = .normal, quality: Quality? = nil
  ) {
    self.quality = quality
    self.path = path
    self.size = size
    self.sha256 = sha256
    self.completedAt = completedAt
    self.candidate = candidate
    self.confidence = confidence
  }
}

/// A failure as the queue file keeps it: the sentence is the one that was shown.
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
  /// Temporary failures are tried again by the next run; permanent ones wait for `retry` or a changed declaration.
  package var isTemporary: Bool
  /// Index into the order of trial of the candidate that failed last.
  package var candidate: Int
  /// Requests made for that candidate.
  package var attempts: Int
  @BoxedIfAny package var partial: PartialDownload?
  package var nextAttemptAt: Timestamp?
  /// Of the inputs that it rests on; nil in records of versions that kept none.
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
  package var cause: Cause
  package var at: Timestamp
  /// Of the runs and commands that removed something in that second, counted from 1.
  package var turn: Int
  /// What the file was: its size serves the next plan, its hash an adoption.
  package var file: StoredFile?
  package init(cause: Cause, at: Timestamp, turn: Int = 1, file: StoredFile? = nil) {
    self.cause = cause
    self.at = at
    self.turn = turn
    self.file = file
  }

  /// What tells the removals of one run or command from all others.
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

  /// It went into the trash, unless nothing is kept there.
  package var isForTrash: Bool { cause != .evicted && cause != .lost }
}

extension StoredFile {
  /// The same file at another place, or on its way there.
  package func at(_ path: LibraryPath, movingTo target: LibraryPath? = nil) -> StoredFile {
    var file = self
    (file.path, file.movingTo) = (path, target)
    return file
  }
}
