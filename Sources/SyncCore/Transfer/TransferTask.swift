// SPDX-License-Identifier: Apache-2.0

/// All that is fixed about the transfer of one item before it begins.
package struct TransferTask: Equatable, Sendable {
  package var id: ItemID
  /// In the order of trial; never empty.
  package var candidates: [RankedCandidate]
  package var declaredSize: DeclaredSize?
  package var checksum: Checksum?
  /// What earlier runs left, with the length that can be trusted.
  package var partial: PartialDownload?

  /// - Precondition: there is a candidate.
  package init(
    id: ItemID, candidates: [RankedCandidate], declaredSize: DeclaredSize? = nil, checksum: Checksum? = nil,
    partial: PartialDownload? = nil
  ) {
    precondition(!candidates.isEmpty, "an item has at least its main candidate")
    self.id = id
    self.candidates = candidates
    self.declaredSize = declaredSize
    self.checksum = checksum
    self.partial = partial
  }
}

/// The rules that all transfers of a run share.
package struct TransferRules: Equatable, Sendable {
  /// Of one candidate, after transient failures.
  package var retries: Int
  package var backoff: DownloadPolicy.Backoff
  package var retryAfterMax: Duration
  package var maxItemSize: ByteCount
  /// It is the library's file system that takes no larger file, not the manifest.
  package var isLimitOfFileSystem: Bool
  package var mayResume: Bool
  package var mayUseAlternatives: Bool
  /// Requests for one file at the same time.
  package var segments: Int
  /// For what a server says of itself.
  package var mask = SecretMask([Secret]())

  /// - Parameter largest: what the library's file system takes at most; nil: anything.
  package init(_ downloads: DownloadPolicy, _ features: Features, largest: ByteCount? = nil) {
    retries = features.retry ? downloads.retries : 0
    backoff = downloads.backoff
    retryAfterMax = downloads.retryAfterMax
    isLimitOfFileSystem = largest.map { $0 < downloads.maxItemSize } ?? false
    maxItemSize = largest.map { min($0, downloads.maxItemSize) } ?? downloads.maxItemSize
    mayResume = features.resume
    mayUseAlternatives = features.alternatives
    segments = features.resume ? downloads.segments : 1
  }

  /// Why a file beyond `maxItemSize` is not taken.
  package var tooLarge: Failure {
    isLimitOfFileSystem ? .tooLargeForFileSystem(limit: maxItemSize) : .tooLarge(limit: maxItemSize)
  }
}

/// What happened to a transfer.
package enum TransferEvent: Equatable, Sendable {
  case started
  /// The header of a final response arrived; no byte of its body has been written.
  case headReceived(ResponseFacts)
  /// The body ended as the protocol says it should; `received` bytes are in the partial now.
  case bodyEnded(received: ByteCount)
  /// The first of several requests has brought its part, and another has not: so much is here from the beginning on.
  case partsMissing(received: ByteCount)
  /// The request or its body failed; `received` bytes are in the partial now.
  case failed(Failure, received: ByteCount)
  /// The body repeats other bytes than those on disk.
  case overlapDiffered
  /// The wait is over.
  case waited
  /// The partial's bytes were hashed and checked.
  case checked(CheckedFile)
  case published(StoredFile)
  /// Nothing can be written any more, and the journal may have announced already where the file goes.
  case publicationStopped(Failure)
  /// The run is to end before its turn to be published: the whole partial stays for the next run.
  case publicationPutOff
  /// The announced or growing size does not fit any more.
  case roomRefused(RoomPlanner.Shortage)
  /// The request that is to go out will not: its origin is left alone for the rest of the run.
  case refused
  /// The run has used up what it may; what is on its way is kept for a later one.
  case limitReached(RunLimit)
  /// The run is being stopped.
  case stopped
}

/// What is to be done about it. The driver does them in order.
package enum TransferAction: Equatable, Sendable {
  /// Note the state, before anything depends on it.
  case record(Attempt)
  case recordRetry(Attempt, nextAttemptAt: Timestamp)
  /// Send a GET. With a range: `Range` from its first byte on, and `If-Range` where it has a condition.
  case send(RemoteURL, range: RangeRequest?)
  /// End the running request without its body.
  case abandon
  /// Write the body into this partial from `offset` on, cutting what lies behind it.
  /// More than `limit` bytes in all is a failure. The first `comparing` bytes of the body repeat the last ones before
  /// `offset`: they are compared, not written.
  /// A partial with `extents` may be filled by further requests, with its validator as the condition.
  case receive(PartialDownload, offset: ByteCount, limit: ByteCount, comparing: ByteCount = .zero)
  /// This host's answers to ranges cannot be used, in this run.
  case distrustRanges(host: String)
  case discard(PartialDownload)
  case wait(Duration)
  /// Hash the partial and check it against what was declared.
  case check(PartialDownload)
  /// Move the checked partial into the library.
  case publish(PartialDownload, CheckedFile, candidate: Int, confidence: StoredFile.Confidence)
  case finish(TransferOutcome)
}

/// The result of hashing a whole partial.
package struct CheckedFile: Hashable, Sendable {
  package var size: ByteCount
  package var sha256: SHA256Digest
  /// By the first bytes, e.g. `mp3`.
  package var fileExtension: String
  package init(size: ByteCount, sha256: SHA256Digest, fileExtension: String) {
    self.size = size
    self.sha256 = sha256
    self.fileExtension = fileExtension
  }
}

/// How the transfer of an item ended.
package enum TransferOutcome: Equatable, Sendable {
  case completed(StoredFile, requests: Int)
  /// No candidate is left.
  case failed(TransferFailure)
  /// It waits for a later run: a server asked for more patience than a run has.
  case deferredByServer(Failure, until: Timestamp, partial: PartialDownload?)
  /// It waits for a later run: there is no room.
  case deferredForRoom(RoomPlanner.Shortage, partial: PartialDownload?)
  /// It waits for a later run: this server is not asked again in this one, and there is no other left.
  case deferredByHost(RemoteURL.Origin, partial: PartialDownload?)
  case deferredByLimit(RunLimit, partial: PartialDownload?)
  case paused(partial: PartialDownload?)
  /// Nothing can be written any more.
  case stopRun(Failure, partial: PartialDownload?)
  /// The same on the way into the library: where the file is now only the next run can say, by what the journal announced.
  case stoppedPublishing(Failure)

  /// What stays of the bytes, for a later run.
  package var partial: PartialDownload? {
    switch self {
    case .completed, .stoppedPublishing: nil
    case .failed(let failed): failed.partial
    case .deferredByServer(_, _, let partial), .deferredForRoom(_, let partial), .deferredByHost(_, let partial),
      .deferredByLimit(_, let partial), .paused(let partial), .stopRun(_, let partial):
      partial
    }
  }
}

package struct TransferFailure: Equatable, Sendable {
  /// The first temporary one when there is one, else the main candidate's.
  package var failure: Failure
  package var isTemporary: Bool
  /// Index of the candidate it belongs to.
  package var candidate: Int
  /// Requests of all candidates together.
  package var requests: Int
  package var partial: PartialDownload?
}
