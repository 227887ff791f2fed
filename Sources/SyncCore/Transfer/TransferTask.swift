// SPDX-License-Identifier: Apache-2.0

/// The fixed data for the transfer of one item.
package struct TransferTask: Equatable, Sendable {
  package var id: ItemID
  /// In the order of trial. Never empty.
  package var candidates: [RankedCandidate]
  package var declaredSize: DeclaredSize?
  package var checksum: Checksum?
  /// The duration that the manifest or a source declares.
  package var duration: Duration?
  /// True if the file is to replace a finished one, which has to be whole.
  package var replacesFile = false
  /// True if the only candidate is an alternative that a person chose.
  package private(set) var isChosenAlternative = false
  /// True if the manifest asks for an image.
  package var mayBeImage = false
  /// True if the URLs of the candidates lead to pages, so that those of the files have to be found anew.
  package var needsResolving: Bool {
    get { candidates.contains(where: \.needsResolving) }
    set { for index in candidates.indices { candidates[index].needsResolving = newValue } }
  }
  /// The candidate that is tried first without a partial. A search is tried after all places.
  package var first: RankedCandidate { candidates.first { !$0.candidate.url.isSearch } ?? candidates[0] }
  /// Decides about the results of a search. Nil if no candidate is one.
  @BoxedIfAny package var search: ItemSearch?
  /// The changes of the checked file before it is published, in order.
  package var preparations: [Preparation] = []
  /// The partial left by earlier runs, with a length that can be trusted.
  package var partial: PartialDownload?

  /// - Precondition: `candidates` is not empty.
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

extension TransferTask {
  /// Takes a candidate that a person chose for what it says it is. The item's own length says nothing about it.
  mutating func take(_ chosen: ChosenCandidate?) {
    guard case .alternative? = chosen, candidates.count == 1,
      chosen?.isMet(by: candidates[0].candidate) ?? false
    else { return }
    isChosenAlternative = true
    duration = candidates[0].candidate.duration
  }
}

/// The rules shared by all transfers of a run.
package struct TransferRules: Equatable, Sendable {
  package var retry: RetryPolicy
  package var maxItemSize: ByteCount
  /// True if the limit comes from the library's file system and not from the manifest.
  package var isLimitOfFileSystem: Bool
  package var mayResume: Bool
  package var mayUseAlternatives: Bool
  package var durations = CheckPolicy.OfDuration.off
  /// The number of parallel requests for one file.
  package var segments: Int
  /// Masks secrets in texts from a server.
  package var mask = SecretMask([Secret]())

  /// - Parameter largest: The size of the largest file on the library's file system. Nil for no limit.
  package init(_ downloads: DownloadPolicy, _ features: Features, largest: ByteCount? = nil) {
    retry = RetryPolicy(
      retries: features.retry ? downloads.retries : 0, backoff: downloads.backoff, longestWait: downloads.retryAfterMax)
    isLimitOfFileSystem = largest.map { $0 < downloads.maxItemSize } ?? false
    maxItemSize = largest.map { min($0, downloads.maxItemSize) } ?? downloads.maxItemSize
    mayResume = features.resume
    mayUseAlternatives = features.alternatives
    segments = features.resume ? downloads.segments : 1
  }

  /// The failure for a file larger than `maxItemSize`.
  package var tooLarge: Failure {
    isLimitOfFileSystem ? .tooLargeForFileSystem(limit: maxItemSize) : .tooLarge(limit: maxItemSize)
  }
}

/// A change of a checked file before it is published, such as writing its tags.
package struct Preparation: Hashable, Sendable {
  /// Writes the item's tags.
  package static let tags = Preparation("tags")
  /// Waits for the item's licence. It may bring the key that seals the file.
  package static let license = Preparation("license")
  /// Seals the file. It comes last, since nothing can be changed after it.
  package static let seal = Preparation("seal")

  package var name: String
  package init(_ name: String) { self.name = name }
}

extension Manifest {
  /// The preparations of each file, in their order.
  /// - Parameter isLicensed: True for an item that needs a licence.
  package func preparations(isLicensed: Bool) -> [Preparation] {
    (tags.isOn ? [.tags] : []) + (isLicensed ? [.license] : [])
      + (protect.mode == .encrypt || isLicensed ? [.seal] : [])
  }
}

/// The facts outside a transfer on which its decisions depend, at the time of an event.
package struct TransferContext: Sendable {
  package var now: Timestamp
  /// A random number from 0 up to 1, for the jitter of a delay.
  package var chance: Double
  /// Hosts whose responses to range requests could not be used. They are asked for whole files.
  package var distrustedHosts: Set<String> = []
  /// The number of overlap bytes received in the current response.
  package var repeated = ByteCount.zero
  /// The largest overlap that may be requested if a validator vouches for the rest.
  package var overlapLimit = PartialDownload.overlap
  /// Origins that are blocked for the rest of the run.
  package var breakers: [RemoteURL.Origin: CircuitBreaker] = [:]

  package init(now: Timestamp, chance: Double) {
    self.now = now
    self.chance = chance
  }

  /// True if the origin is blocked because it failed, not because it asked for a pause.
  func isFailing(_ origin: RemoteURL.Origin) -> Bool {
    if case .failing? = breakers[origin] { true } else { false }
  }
}

/// An event of a transfer.
package enum TransferEvent: Equatable, Sendable {
  case started
  /// The URL of the candidate's file was found.
  case resolved(RemoteURL)
  /// The results of a search, in its order. `missing` is the message about those that could not be read, if there are
  /// any.
  case found([Candidate], missing: String?)
  /// The header of a final response arrived. No byte of its body has been written.
  case headReceived(ResponseFacts)
  /// The body ended as the protocol requires. The partial now has `received` bytes.
  case bodyEnded(received: ByteCount)
  /// The first of several requests has fetched its part, but another has not.
  /// `received` bytes are present from the beginning.
  case partsMissing(received: ByteCount)
  /// The request or its body failed. The partial now has `received` bytes.
  case failed(Failure, received: ByteCount)
  /// The overlap bytes of the body differ from those on disk.
  case overlapDiffered
  /// The delay is over.
  case waited
  /// The bytes of the partial were hashed and checked.
  case checked(CheckedFile)
  /// The preparation is done, and the file to publish is this.
  case prepared(CheckedFile)
  case published(StoredFile)
  /// Nothing can be written any more, and the journal may already have announced the file's destination.
  case publicationStopped(Failure)
  /// The run ends before the file can be published. The complete partial stays for the next run.
  case publicationPutOff
  /// The announced or growing size no longer fits.
  case roomRefused(RoomShortage)
  /// The next request will not go out, because its origin is blocked for the rest of the run.
  case refused
  /// The run has reached a limit. Unfinished bytes are kept for a later run.
  case limitReached(RunLimit)
  /// The run is being stopped.
  case stopped
}

/// An action of a transfer. The driver executes the actions in order.
package enum TransferAction: Equatable, Sendable {
  /// Record the state before anything depends on it.
  case record(Attempt)
  case recordRetry(Attempt, nextAttemptAt: Timestamp)
  /// Find the URL of the file, for a candidate that states another, such as that of a page.
  case resolve(RemoteURL)
  /// Search for pages.
  case search(RemoteURL)
  /// Send a GET. With a range, send `Range` from its first byte, and `If-Range` if it has a condition.
  case send(RemoteURL, range: RangeRequest?)
  /// End the running request without its body.
  case abandon
  /// Write the body into this partial from `offset` on, after truncating it there. More than `limit` bytes in total are
  /// a failure. The first `comparing` bytes of the body repeat the last ones before `offset`; they are compared, not
  /// written. A partial with `extents` may be filled by additional requests, with its validator as the condition.
  case receive(PartialDownload, offset: ByteCount, limit: ByteCount, comparing: ByteCount = .zero)
  /// Do not use this host's responses to range requests for the rest of the run.
  case distrustRanges(host: String)
  case discard(PartialDownload)
  case wait(Duration)
  /// Hash the partial and check it against the declarations.
  /// - Parameters:
  ///   - expecting: The declared duration, if the real one is to be measured.
  ///   - counting: True to measure it by the frames of the file alone, where that is possible.
  case check(PartialDownload, expecting: Duration? = nil, counting: Bool = false)
  /// Tell that the file plays longer or shorter than declared.
  case warnOfDuration(declared: Duration, actual: Duration)
  /// Change the checked file, beside the partial.
  case prepare(PartialDownload, CheckedFile, Preparation)
  /// Move the checked partial into the library.
  case publish(PartialDownload, CheckedFile, candidate: Int, confidence: StoredFile.Confidence)
  case finish(TransferOutcome)
}

/// The result of hashing a complete partial.
package struct CheckedFile: Hashable, Sendable {
  package var size: ByteCount
  package var sha256: SHA256Digest
  /// The extension by the first bytes, for example `mp3`.
  package var fileExtension: String
  /// The playing time. Nil if it was not measured, or if the file does not tell it.
  package var duration: Duration?
  /// True if the playing time is the sum of the file's frames, whatever its header tells.
  package var isCounted = false
  /// False if bytes may be missing at its end.
  package var isProvenWhole = true
  /// Nil for a file whose tags the manifest leaves alone.
  package var tagged: TaggedContent?
  /// Nil for a file in clear.
  package var sealed: SealedContent?
  /// True if this is a tagged copy, or was made of one. The partial is as it was received.
  package var isTaggedCopy: Bool { tagged.map { $0.sourceSHA256 != (sealed?.sha256 ?? sha256) } ?? false }
  /// True if this is not the partial, but a file that was made of it.
  package var isCopy: Bool { sealed != nil || isTaggedCopy }
  package init(size: ByteCount, sha256: SHA256Digest, fileExtension: String) {
    self.size = size
    self.sha256 = sha256
    self.fileExtension = fileExtension
  }
}

/// The outcome of an item's transfer.
package enum TransferOutcome: Equatable, Sendable {
  case completed(StoredFile, requests: Int)
  /// Every candidate failed.
  case failed(TransferFailure)
  /// Deferred to a later run, because a server asked for a longer pause than a run makes.
  case deferredByServer(Failure, until: Timestamp, partial: PartialDownload?)
  /// Deferred to a later run, because there is no space.
  case deferredForRoom(RoomShortage, partial: PartialDownload?)
  /// Deferred to a later run, because this server is blocked for this run and no other is left.
  case deferredByHost(RemoteURL.Origin, partial: PartialDownload?)
  case deferredByLimit(RunLimit, partial: PartialDownload?)
  case paused(partial: PartialDownload?)
  /// Nothing can be written any more.
  case stopRun(Failure, partial: PartialDownload?)
  /// Nothing can be written any more while publishing.
  /// Only the next run can find the file, with the help of the journal.
  case stoppedPublishing(Failure)

  /// The bytes that are kept for a later run.
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
  /// The failure of the first candidate that failed temporarily, otherwise of the first candidate.
  package var failure: Failure
  package var isTemporary: Bool
  /// The index of the candidate with this failure.
  package var candidate: Int
  /// The number of requests for all candidates.
  package var requests: Int
  package var partial: PartialDownload?
}
