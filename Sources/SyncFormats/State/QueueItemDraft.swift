// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// An item's fields as they are in the file. A draft that was read does not tell whether its fields belong together.
struct QueueItemDraft {
  /// The fields that were read.
  var present = QueueItemFields()
  /// The declaration. Its id and URL are placeholders until they are read.
  var item: Item
  /// The known item with its id.
  var known: Boxed<Item>?
  /// All candidates, the main one first. Empty if the URL says everything.
  var candidates: [Candidate] = []
  var memberships: [Membership] = []
  var pinned = false
  var choice: ItemChoice?
  var matchedBy: IdentityRule?
  var queuedAt: Timestamp?
  var knownSince: Timestamp?
  var updatedAt: Timestamp?
  var plays = PlayHistory()
  var playPosition: Duration?
  var playPositionAt: Timestamp?
  var upgrade: Upgrade?
  var lostFile: StoredFile?
  var license: LicenseRecord?
  var offlineState: OfflineState?

  var state: ItemState.Name?

  var candidate = 0
  var attempts = 0
  var received = ByteCount.zero
  var total: ByteCount?
  var validator: HTTPValidator?
  var partial: String?
  /// Nil if the bytes came from the item's own URL.
  var partialURL: RemoteURL?
  var extents: [Extent]?
  var publishing: StoredFile?
  var failure: FailureFields?
  var isRequested = false
  var isDeferred = false
  var nextAttemptAt: Timestamp?

  var path: LibraryPath?
  var movingTo: LibraryPath?
  var size: ByteCount?
  var sha256: SHA256Digest?
  /// Nil if it is `size`.
  var sourceSize: ByteCount?
  var sourceSHA256: SHA256Digest?
  var mediaSHA256: SHA256Digest?
  var sealed: SealedContent?
  var completedAt: Timestamp?
  var confidence = StoredFile.Confidence.normal
  var origin: RemoteURL?
  var quality: Quality?
  var verifiedBy: Checksum?

  var cancelledAt: Timestamp?
  var removal: Removal?

  var unknownFields: [UnknownField] = []

  init() { item = Self.unread }

  private static let unread: Item = {
    guard let id = ItemID("?"), case .success(let url) = Result(catching: { try RemoteURL("https://unread.invalid/") })
    else { preconditionFailure("the placeholders are legal") }
    return Item(id: id, title: "", main: Candidate(url: url))
  }()
}

/// The error of a failed or a queued item, with the facts that only a failure has.
struct FailureFields {
  var error: ErrorRecord
  var isTemporary = false
  var inputs: InputMark?
}

// MARK: - From an item

extension QueueItemDraft {
  init(_ queued: QueueItem) {
    self.init()
    item = queued.item
    // A URL without a title and a duration of its own needs no list.
    if !item.alternatives.isEmpty || item.main.title != nil || item.main.duration != nil {
      candidates = [item.main] + item.alternatives
    }
    memberships = queued.memberships
    pinned = queued.pinned
    choice = queued.choice
    matchedBy = queued.matchedBy
    (queuedAt, knownSince, updatedAt) = (queued.queuedAt, queued.knownBefore, queued.updatedAt)
    plays = queued.plays
    (playPosition, playPositionAt) = (plays.position?.offset, plays.position?.at)
    upgrade = queued.upgrade
    lostFile = queued.lostFile
    (license, offlineState) = (queued.license, queued.license?.told)
    unknownFields = queued.unknownFields
    state = queued.state.name
    switch queued.state {
    case .completed(let file): take(file)
    case .cancelled(let at): cancelledAt = at
    case .removed(let removed):
      removal = removed
      if let file = removed.file { take(file) }
    case .queued, .downloading, .retrying, .paused, .failed:
      if let transfer = queued.state.transfer { take(transfer, itemURL: item.main.url) }
    }
  }

  /// The URL of its partial is spelled out, because the item's own URL is the one that its file came from.
  init(_ upgrade: Upgrade) {
    self.init()
    state = ItemState(upgrade.state).name
    switch upgrade.goal {
    case .quality(let wanted): quality = wanted
    case .candidate(let chosen): choice = ItemChoice(candidate: chosen)
    // It is recorded only together with the file that is to come.
    case .protection: break
    }
    size = upgrade.size
    take(upgrade.state, itemURL: nil)
  }

  init(_ file: StoredFile) {
    self.init()
    take(file)
  }

  private mutating func take(_ file: StoredFile) {
    (path, movingTo, size, sha256) = (file.path, file.movingTo, file.size, file.sha256)
    (verifiedBy, quality, confidence) = (file.verifiedBy, file.quality, file.confidence)
    (candidate, origin, completedAt) = (file.candidate, file.origin, file.completedAt)
    sealed = file.sealed
    guard let tagged = file.tagged else { return }
    sourceSize = tagged.sourceSize == file.plainSize ? nil : tagged.sourceSize
    (sourceSHA256, mediaSHA256) = (tagged.sourceSHA256, tagged.mediaSHA256)
  }

  private mutating func take(_ transfer: TransferState, itemURL: RemoteURL?) {
    switch transfer {
    case .queued(let pending), .paused(let pending):
      failure = pending.lastError.map { FailureFields(error: $0) }
      (isRequested, isDeferred) = (pending.isRequested, pending.isDeferred)
      nextAttemptAt = pending.nextAttemptAt
    case .downloading(let attempt): take(attempt)
    case .retrying(let attempt, let next):
      take(attempt)
      nextAttemptAt = next
    case .failed(let record):
      (candidate, attempts) = (record.candidate, record.attempts)
      failure = FailureFields(error: record.error, isTemporary: record.isTemporary, inputs: record.inputs)
      nextAttemptAt = record.nextAttemptAt
    }
    guard let bytes = transfer.partial else { return }
    (partial, partialURL) = (bytes.name, bytes.url == itemURL ? nil : bytes.url)
    (received, total, validator, extents) = (bytes.received, bytes.total, bytes.validator, bytes.extents)
  }

  private mutating func take(_ attempt: Attempt) {
    (candidate, attempts, publishing) = (attempt.candidate, attempt.attempts, attempt.publishing)
  }
}

// MARK: - To an item

extension QueueCursor {
  /// The item that a draft's fields make together. A field that the item's state has no use for is refused: which of the
  /// two is wrong cannot be known.
  func item(_ draft: inout QueueItemDraft) throws(QueueFileProblem) -> QueueItem {
    guard draft.present.contains(.id) else { throw missing(.id) }
    guard let name = draft.state else { throw missing(.state) }
    var needless = draft.present.subtracting(.allowed(in: name))
    if draft.partial == nil { needless.formUnion(draft.present.intersection(.partial)) }
    if let field = needless.first { throw .misplacedField(owner, field: field.name, state: name) }
    guard let queuedAt = draft.queuedAt ?? draft.updatedAt ?? draft.completedAt else { throw missing(.queuedAt) }
    var plays = draft.plays
    switch (draft.playPosition, draft.playPositionAt) {
    case (let offset?, let at?): plays.position = PlaybackPosition(offset: offset, at: at)
    case (nil, nil): break
    case (nil, _?): throw missing(.playPosition)
    case (_?, nil): throw missing(.playPositionAt)
    }
    var item = QueueItem(
      item: try declaration(&draft), memberships: draft.memberships, state: try state(name, draft),
      matchedBy: draft.matchedBy, plays: plays, queuedAt: queuedAt)
    item.pinned = draft.pinned
    item.choice = draft.choice
    item.upgrade = draft.upgrade
    item.lostFile = draft.lostFile
    if var license = draft.license {
      license.told = draft.offlineState ?? item.state.unlicensedOfflineState
      item.license = license
    }
    if let known = draft.knownSince { item.knownSince = known }
    if let updatedAt = draft.updatedAt { item.updatedAt = updatedAt }
    item.unknownFields = draft.unknownFields
    return item
  }

  private func declaration(_ draft: inout QueueItemDraft) throws(QueueFileProblem) -> Boxed<Item> {
    guard draft.present.contains(.url) else { throw missing(.url) }
    if let main = draft.candidates.first {
      guard main.url == draft.item.main.url else { throw .badField(owner, field: QueueItemField.candidates.name) }
      draft.item.main = main
      draft.item.alternatives = Array(draft.candidates.dropFirst())
    }
    return draft.known?.shared(as: draft.item) ?? Boxed(draft.item)
  }

  private func state(_ name: ItemState.Name, _ draft: QueueItemDraft) throws(QueueFileProblem) -> ItemState {
    if let transfer = try transfer(name, draft) { return ItemState(transfer) }
    switch name {
    case .completed: return .completed(try file(draft))
    case .cancelled:
      guard let at = draft.cancelledAt else { throw missing(.cancelledAt) }
      return .cancelled(at: at)
    default:
      guard var removal = draft.removal else { throw missing(.removed) }
      if !draft.present.isDisjoint(with: .file) { removal.file = try file(draft) }
      return .removed(removal)
    }
  }

  /// Returns nil for a state without a transfer.
  private func transfer(
    _ name: ItemState.Name, _ draft: QueueItemDraft
  ) throws(QueueFileProblem) -> TransferState? {
    let partial = try partial(draft)
    let attempt = Attempt(
      candidate: draft.candidate, attempts: draft.attempts, partial: partial, publishing: draft.publishing)
    let pending = Pending(
      partial: partial, nextAttemptAt: draft.nextAttemptAt, lastError: draft.failure?.error,
      isRequested: draft.isRequested, isDeferred: draft.isDeferred)
    switch name {
    case .queued: return .queued(pending)
    case .paused: return .paused(pending)
    case .downloading: return .downloading(attempt)
    case .retrying:
      guard let next = draft.nextAttemptAt else { throw missing(.nextAttemptAt) }
      return .retrying(attempt, nextAttemptAt: next)
    case .failed:
      guard let failure = draft.failure else { throw missing(.error) }
      return .failed(
        FailureRecord(
          error: failure.error, isTemporary: failure.isTemporary, candidate: draft.candidate,
          attempts: draft.attempts, partial: partial, nextAttemptAt: draft.nextAttemptAt, inputs: failure.inputs))
    case .completed, .cancelled, .removed: return nil
    }
  }

  /// The second transfer of a finished item: its fields are those of an item without a file.
  func upgrade(_ draft: QueueItemDraft) throws(QueueFileProblem) -> Upgrade {
    let goal =
      draft.quality.map(Upgrade.Goal.quality) ?? draft.choice?.candidate.map(Upgrade.Goal.candidate)
      ?? draft.publishing.map { _ in .protection }
    guard let name = draft.state, let goal, let transfer = try transfer(name, draft) else { throw bad }
    return Upgrade(goal, state: transfer, size: draft.size)
  }

  private func partial(_ draft: QueueItemDraft) throws(QueueFileProblem) -> PartialDownload? {
    guard let name = draft.partial else { return nil }
    guard draft.partialURL != nil || draft.present.contains(.url) else { throw missing(.url) }
    return PartialDownload(
      name: name, received: draft.received, total: draft.total, validator: draft.validator,
      url: draft.partialURL ?? draft.item.main.url, extents: draft.extents)
  }

  func file(_ draft: QueueItemDraft) throws(QueueFileProblem) -> StoredFile {
    guard let path = draft.path else { throw missing(.path) }
    guard let size = draft.size else { throw missing(.size) }
    guard let sha256 = draft.sha256 else { throw missing(.sha256) }
    guard let completedAt = draft.completedAt else { throw missing(.completedAt) }
    var file = StoredFile(
      path: path, size: size, sha256: sha256, completedAt: completedAt, candidate: draft.candidate,
      confidence: draft.confidence, quality: draft.quality, verifiedBy: draft.verifiedBy?.unlessSHA256)
    file.origin = draft.origin
    file.sealed = draft.sealed
    file.tagged = draft.sourceSHA256.map {
      TaggedContent(sourceSHA256: $0, sourceSize: draft.sourceSize ?? file.plainSize, mediaSHA256: draft.mediaSHA256)
    }
    return file.at(path, movingTo: draft.movingTo)
  }

  private func missing(_ field: QueueItemField) -> QueueFileProblem { missing(field.name) }
}
