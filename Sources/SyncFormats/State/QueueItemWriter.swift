// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension JSONWriter {
  /// One item as one object without line breaks.
  mutating func queueItem(_ queued: QueueItem) {
    object { writer in
      writer.field(.id, queued.id.text)
      writer.field(.state, queued.state.name.rawValue)
      writer.memberships(queued.memberships)
      writer.declaration(queued.item, pinned: queued.pinned)
      writer.state(queued.state, mainURL: queued.item.main.url)
      if let upgrade = queued.upgrade { writer.upgrade(upgrade) }
      if let lost = queued.lostFile { writer.object(QueueItemField.lost.name) { writer in writer.file(lost) } }
      writer.field(.matchedBy, queued.matchedBy?.rawValue)
      writer.field(.queuedAt, queued.queuedAt)
      writer.field(.knownSince, queued.knownBefore)
      writer.field(.updatedAt, queued.updatedAt)
      writer.field(.playCount, queued.plays.count > 0 ? queued.plays.count : nil)
      writer.field(.lastPlayedAt, queued.plays.lastPlayedAt)
      writer.field(.playPosition, queued.plays.position?.offset)
      writer.field(.playPositionAt, queued.plays.position?.at)
      writer.unknown(queued.unknownFields)
    }
  }

  private mutating func memberships(_ memberships: [Membership]) {
    guard !memberships.isEmpty else { return }
    array(QueueItemField.playlists.name) { writer in
      for membership in memberships {
        writer.object { writer in
          writer.field("name", membership.playlist.text)
          writer.field("position", membership.position)
        }
      }
    }
  }

  private mutating func declaration(_ item: Item, pinned: Bool) {
    field(.title, item.title.isEmpty ? nil : item.title)
    field(.artist, item.artist)
    field(.album, item.album)
    field(.duration, item.duration)
    field(.published, item.published)
    field(.priority, item.priority?.rawValue)
    field(QueueItemField.pin.name, item.pin)
    flag(QueueItemField.pinned.name, pinned)
    switch item.size {
    case .exact(let size): field(.declaredSize, size)
    case .about(let size): field(.approximateSize, size)
    case nil: break
    }
    field(.checksum, item.checksum?.text)
    field(.url, item.main.url.text)
    candidates(of: item)
  }

  /// Nothing when the main URL says it all; otherwise the main candidate comes first.
  private mutating func candidates(of item: Item) {
    let main = item.main
    guard !item.alternatives.isEmpty || main.title != nil || main.duration != nil else { return }
    array(QueueItemField.candidates.name) { writer in
      for candidate in [main] + item.alternatives {
        writer.object { writer in
          writer.field("url", candidate.url.text)
          writer.field("title", candidate.title)
          writer.field("duration", candidate.duration)
        }
      }
    }
  }

  private mutating func state(_ state: ItemState, mainURL: RemoteURL?) {
    switch state {
    case .queued(let pending):
      partial(pending.partial, mainURL: mainURL)
      error(pending.lastError, isTemporary: false)
      flag(QueueItemField.requested.name, pending.isRequested)
      flag(QueueItemField.deferred.name, pending.isDeferred)
      field(.nextAttemptAt, pending.nextAttemptAt)
    case .downloading(let attempt), .paused(let attempt): self.attempt(attempt, mainURL: mainURL)
    case .retrying(let attempt, let nextAttemptAt):
      self.attempt(attempt, mainURL: mainURL)
      field(.nextAttemptAt, nextAttemptAt)
    case .completed(let file): self.file(file)
    case .failed(let record):
      trial(record.candidate, record.attempts)
      partial(record.partial, mainURL: mainURL)
      error(record.error, isTemporary: record.isTemporary, inputs: record.inputs)
      field(.nextAttemptAt, record.nextAttemptAt)
    case .cancelled(let at): field(.cancelledAt, at)
    case .removed(let removal):
      if let file = removal.file { self.file(file) }
      object(QueueItemField.removed.name) { writer in
        writer.field("cause", removal.cause.rawValue)
        writer.field("at", removal.at)
        writer.field("turn", removal.turn == 1 ? nil : removal.turn)
      }
    }
  }

  /// Its URLs are spelled out: the item's own is the one that its file came from.
  private mutating func upgrade(_ upgrade: Upgrade) {
    object(QueueItemField.upgrade.name) { writer in
      let state = ItemState(upgrade.state)
      writer.field(.state, state.name.rawValue)
      writer.field(.quality, upgrade.quality.rawValue)
      writer.field(.size, upgrade.size)
      writer.state(state, mainURL: nil)
    }
  }

  private mutating func trial(_ candidate: Int, _ attempts: Int) {
    field(.candidate, candidate == 0 ? nil : candidate)
    field(.attempts, attempts == 0 ? nil : attempts)
  }

  private mutating func attempt(_ attempt: Attempt, mainURL: RemoteURL?) {
    trial(attempt.candidate, attempt.attempts)
    partial(attempt.partial, mainURL: mainURL)
    guard let publishing = attempt.publishing else { return }
    object(QueueItemField.publishing.name) { writer in writer.file(publishing) }
  }

  private mutating func partial(_ partial: PartialDownload?, mainURL: RemoteURL?) {
    guard let partial else { return }
    field(.bytesReceived, partial.received == .zero ? nil : partial.received)
    field(.bytesTotal, partial.total)
    if let validator = partial.validator {
      object(QueueItemField.validator.name) { writer in
        switch validator {
        case .strongETag(let value), .weakETag(let value): writer.field("etag", value)
        case .lastModified(let value): writer.field("last_modified", value)
        }
      }
    }
    field(.partial, partial.name)
    field(.partialURL, partial.url == mainURL ? nil : partial.url.text)
    guard let extents = partial.extents else { return }
    array(QueueItemField.extents.name) { writer in
      for extent in extents {
        writer.array { writer in
          writer.value(extent.from.bytes)
          writer.value(extent.to.bytes)
        }
      }
    }
  }

  mutating func file(_ file: StoredFile) {
    field(.candidate, file.candidate == 0 ? nil : file.candidate)
    field(.path, file.path.text)
    field(.movingTo, file.movingTo?.text)
    field(.size, file.size)
    field(.sha256, file.sha256.hex)
    field(.verifiedBy, file.verifiedBy?.text)
    field(.quality, file.quality?.rawValue)
    field(.confidence, file.confidence == .normal ? nil : file.confidence.rawValue)
    field(.completedAt, file.completedAt)
  }

  private mutating func error(_ record: ErrorRecord?, isTemporary: Bool, inputs: InputMark? = nil) {
    guard let record else { return }
    object(QueueItemField.error.name) { writer in
      writer.field("kind", record.kind.rawValue)
      writer.field("status", record.status)
      writer.field("message", record.message)
      writer.field("at", record.at)
      writer.flag("temporary", isTemporary)
      writer.field("inputs", inputs?.text)
    }
  }
}
