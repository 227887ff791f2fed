// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension QueueCursor {
  /// The item that a draft's fields make together. A field that the item's state has no use for is refused: which of the
  /// two is wrong cannot be known.
  func item(_ draft: QueueItemDraft) throws(QueueFileProblem) -> QueueItem {
    guard draft.id != nil else { throw missing("id") }
    guard let name = draft.state else { throw missing("state") }
    var needless = draft.present.subtracting(.allowed(in: name))
    if draft.partial == nil { needless.formUnion(draft.present.intersection(.partial)) }
    if let field = needless.first { throw .misplacedField(owner, field: field.name, state: name) }
    guard let queuedAt = draft.queuedAt ?? draft.updatedAt ?? draft.file.completedAt else {
      throw missing(QueueItemField.queuedAt.name)
    }
    var plays = draft.plays
    switch (draft.playPosition, draft.playPositionAt) {
    case (let offset?, let at?): plays.position = PlaybackPosition(offset: offset, at: at)
    case (nil, nil): break
    case (nil, _?): throw missing(QueueItemField.playPosition.name)
    case (_?, nil): throw missing(QueueItemField.playPositionAt.name)
    }
    var item = QueueItem(
      item: try declaration(draft), memberships: draft.memberships, state: try state(name, draft),
      matchedBy: draft.matchedBy, plays: plays, queuedAt: queuedAt)
    item.pinned = draft.pinned
    item.upgrade = draft.upgrade
    item.lostFile = draft.lostFile
    if let known = draft.knownSince { item.knownSince = known }
    if let updatedAt = draft.updatedAt { item.updatedAt = updatedAt }
    item.unknownFields = draft.unknownFields
    return item
  }

  private func declaration(_ draft: QueueItemDraft) throws(QueueFileProblem) -> Item {
    guard let id = draft.id else { throw missing("id") }
    guard let url = draft.url else { throw missing("url") }
    var item = Item(id: id, title: draft.title, main: draft.candidates.first ?? Candidate(url: url))
    guard item.main.url == url else { throw .badField(owner, field: QueueItemField.candidates.name) }
    item.alternatives = Array(draft.candidates.dropFirst())
    item.artist = draft.artist
    item.album = draft.album
    item.duration = draft.duration
    item.published = draft.published
    item.priority = draft.priority
    item.pin = draft.pin
    item.size = draft.size
    item.checksum = draft.checksum
    return item
  }

  private func state(_ name: ItemState.Name, _ draft: QueueItemDraft) throws(QueueFileProblem) -> ItemState {
    if let transfer = try transfer(name, draft) { return ItemState(transfer) }
    switch name {
    case .completed: return .completed(try file(draft))
    case .cancelled:
      guard let at = draft.cancelledAt else { throw missing(QueueItemField.cancelledAt.name) }
      return .cancelled(at: at)
    default:
      guard var removal = draft.removal else { throw missing(QueueItemField.removed.name) }
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
    switch name {
    case .queued:
      return .queued(
        Pending(
          partial: partial, nextAttemptAt: draft.nextAttemptAt, lastError: draft.error, isRequested: draft.isRequested,
          isDeferred: draft.isDeferred))
    case .downloading: return .downloading(attempt)
    case .paused: return .paused(attempt)
    case .retrying:
      guard let next = draft.nextAttemptAt else { throw missing(QueueItemField.nextAttemptAt.name) }
      return .retrying(attempt, nextAttemptAt: next)
    case .failed:
      guard let error = draft.error else { throw missing(QueueItemField.error.name) }
      return .failed(
        FailureRecord(
          error: error, isTemporary: draft.isTemporary, candidate: draft.candidate, attempts: draft.attempts,
          partial: partial, nextAttemptAt: draft.nextAttemptAt, inputs: draft.inputs))
    case .completed, .cancelled, .removed: return nil
    }
  }

  /// The second transfer of a finished item: its fields are those of an item without a file.
  func upgrade(_ draft: QueueItemDraft) throws(QueueFileProblem) -> Upgrade {
    guard let name = draft.state, let quality = draft.file.quality, let transfer = try transfer(name, draft) else {
      throw bad
    }
    return Upgrade(quality: quality, state: transfer, size: draft.file.size)
  }

  private func partial(_ draft: QueueItemDraft) throws(QueueFileProblem) -> PartialDownload? {
    guard let name = draft.partial else { return nil }
    guard let url = draft.partialURL ?? draft.url else { throw missing("url") }
    return PartialDownload(
      name: name, received: draft.received, total: draft.total, validator: draft.validator, url: url,
      extents: draft.extents)
  }

  private func file(_ draft: QueueItemDraft) throws(QueueFileProblem) -> StoredFile {
    switch draft.file.file(candidate: draft.candidate) {
    case .success(let file): return file
    case .failure(let problem): throw missing(problem.field.name)
    }
  }
}
