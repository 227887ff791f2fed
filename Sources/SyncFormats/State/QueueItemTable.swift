// SPDX-License-Identifier: Apache-2.0
import SyncCore

// The reading and the writing of each field of an item, one line each. The draft is between the two and the item.

extension QueueCursor {
  /// Reads an id, and finds the known item that has it.
  private mutating func id() throws(QueueFileProblem) -> (ItemID, Boxed<Item>?) {
    let expected = finder?.expectedID
    let text = try string(like: expected?.text)
    if let expected, expected.text.utf8.elementsEqual(text.utf8) { return (expected, finder?.takeExpected()) }
    guard let id = ItemID(text) else { throw bad }
    return (id, finder?.find(id))
  }

  mutating func read(_ field: QueueItemField, into draft: inout QueueItemDraft) throws(QueueFileProblem) {
    switch field {
    case .id: (draft.item.id, draft.known) = try id()
    case .state: draft.state = try parsed { ItemState.Name(rawValue: $0) }
    case .playlists: draft.memberships = try memberships()
    case .title: draft.item.title = try string(like: draft.known?.title)
    case .artist: draft.item.artist = try string(like: draft.known?.artist)
    case .album: draft.item.album = try string(like: draft.known?.album)
    case .duration: draft.item.duration = try duration()
    case .published: draft.item.published = try timestamp()
    case .recordings: draft.item.recordings = try recordings()
    case .priority: draft.item.priority = try parsed { Priority(rawValue: $0) }
    case .pin: draft.item.pin = try bool()
    case .pinned: draft.pinned = try bool()
    case .choice: draft.choice = try choice()
    case .declaredSize: draft.item.size = .exact(try bytes())
    case .approximateSize: draft.item.size = .about(try bytes())
    case .checksum: draft.item.checksum = try parsed { Checksum($0) }
    case .url: draft.item.main = Candidate(url: try url(like: draft.known?.url))
    case .candidates: draft.candidates = try candidates()
    case .candidate: draft.candidate = try count()
    case .attempts: draft.attempts = try count()
    case .bytesReceived: draft.received = try bytes()
    case .bytesTotal: draft.total = try bytes()
    case .validator: draft.validator = try validator()
    case .partial: draft.partial = try parsed { !$0.contains("/") && LibraryPath($0) != nil ? $0 : nil }
    case .partialURL: draft.partialURL = try url()
    case .extents: draft.extents = try extents()
    case .publishing: draft.publishing = try storedFile()
    case .path: draft.path = try mediaPath()
    case .movingTo: draft.movingTo = try mediaPath()
    case .size: draft.size = try bytes()
    case .sha256: draft.sha256 = try parsed { SHA256Digest(hex: $0) }
    case .sourceSize: draft.sourceSize = try bytes()
    case .sourceSHA256: draft.sourceSHA256 = try parsed { SHA256Digest(hex: $0) }
    case .mediaSHA256: draft.mediaSHA256 = try parsed { SHA256Digest(hex: $0) }
    case .sealed: draft.sealed = try sealed()
    case .verifiedBy: draft.verifiedBy = try parsed { Checksum($0) }
    case .quality: draft.quality = try parsed { Quality(rawValue: $0) }
    case .confidence: draft.confidence = try parsed { StoredFile.Confidence(rawValue: $0) }
    case .origin: draft.origin = try url()
    case .completedAt: draft.completedAt = try timestamp()
    case .error: draft.failure = try failure()
    case .requested: draft.isRequested = try bool()
    case .deferred: draft.isDeferred = try bool()
    case .nextAttemptAt: draft.nextAttemptAt = try timestamp()
    case .cancelledAt: draft.cancelledAt = try timestamp()
    case .removed: draft.removal = try removal()
    case .upgrade: draft.upgrade = try upgrade()
    case .lost: draft.lostFile = try storedFile()
    case .license, .offlineState: try read(license: field, into: &draft)
    case .matchedBy: draft.matchedBy = try parsed { IdentityRule(rawValue: $0) }
    case .queuedAt: draft.queuedAt = try timestamp()
    case .knownSince: draft.knownSince = try timestamp()
    case .updatedAt: draft.updatedAt = try timestamp()
    case .playCount, .lastPlayedAt, .playPosition, .playPositionAt: try read(play: field, into: &draft)
    // The check is a field of the line, not of the item.
    case .crc: _ = try string()
    }
  }

  private mutating func read(license field: QueueItemField, into draft: inout QueueItemDraft) throws(QueueFileProblem) {
    switch field {
    case .license: draft.license = try license()
    default: draft.offlineState = try parsed { OfflineState(rawValue: $0) }
    }
  }

  private mutating func read(play field: QueueItemField, into draft: inout QueueItemDraft) throws(QueueFileProblem) {
    switch field {
    case .playCount: draft.plays.count = try count()
    case .lastPlayedAt: draft.plays.lastPlayedAt = try timestamp()
    case .playPosition: draft.playPosition = try duration()
    default: draft.playPositionAt = try timestamp()
    }
  }
}

extension JSONWriter {
  /// Writes a field that has a value other than the usual one.
  mutating func write(_ field: QueueItemField, of draft: QueueItemDraft) {
    let name = field.name
    switch field {
    case .id: self.field(name, draft.item.id.text)
    case .state: self.field(name, draft.state?.rawValue)
    case .playlists: memberships(name, draft.memberships)
    case .title: self.field(name, draft.item.title.isEmpty ? nil : draft.item.title)
    case .artist: self.field(name, draft.item.artist)
    case .album: self.field(name, draft.item.album)
    case .duration: self.field(name, draft.item.duration)
    case .published: self.field(name, draft.item.published)
    case .recordings: recordings(name, draft.item.recordings)
    case .priority: self.field(name, draft.item.priority?.rawValue)
    case .pin: self.field(name, draft.item.pin)
    case .pinned: flag(name, draft.pinned)
    case .choice: choice(name, draft.choice)
    case .declaredSize: if case .exact(let size)? = draft.item.size { self.field(name, size.bytes) }
    case .approximateSize: if case .about(let size)? = draft.item.size { self.field(name, size.bytes) }
    case .checksum: self.field(name, draft.item.checksum?.text)
    case .url: self.field(name, draft.item.main.url.text)
    case .candidates: candidates(name, draft.candidates)
    case .candidate: self.field(name, draft.candidate == 0 ? nil : draft.candidate)
    case .attempts: self.field(name, draft.attempts == 0 ? nil : draft.attempts)
    case .bytesReceived: self.field(name, draft.received == .zero ? nil : draft.received.bytes)
    case .bytesTotal: self.field(name, draft.total?.bytes)
    case .validator: validator(name, draft.validator)
    case .partial: self.field(name, draft.partial)
    case .partialURL: self.field(name, draft.partialURL?.text)
    case .extents: extents(name, draft.extents)
    case .publishing: file(name, draft.publishing)
    case .path: self.field(name, draft.path?.text)
    case .movingTo: self.field(name, draft.movingTo?.text)
    case .size: self.field(name, draft.size?.bytes)
    case .sha256: self.field(name, draft.sha256?.hex)
    case .sourceSize: self.field(name, draft.sourceSize?.bytes)
    case .sourceSHA256: self.field(name, draft.sourceSHA256?.hex)
    case .mediaSHA256: self.field(name, draft.mediaSHA256?.hex)
    case .sealed: sealed(name, draft.sealed)
    case .verifiedBy: self.field(name, draft.verifiedBy?.text)
    case .quality: self.field(name, draft.quality?.rawValue)
    case .confidence: self.field(name, draft.confidence == .normal ? nil : draft.confidence.rawValue)
    case .origin: self.field(name, draft.origin?.text)
    case .completedAt: self.field(name, draft.completedAt)
    case .error: failure(name, draft.failure)
    case .requested: flag(name, draft.isRequested)
    case .deferred: flag(name, draft.isDeferred)
    case .nextAttemptAt: self.field(name, draft.nextAttemptAt)
    case .cancelledAt: self.field(name, draft.cancelledAt)
    case .removed: removal(name, draft.removal)
    case .upgrade: upgrade(name, draft.upgrade)
    case .lost: file(name, draft.lostFile)
    case .license, .offlineState: write(license: field, of: draft)
    case .matchedBy: self.field(name, draft.matchedBy?.rawValue)
    case .queuedAt: self.field(name, draft.queuedAt)
    case .knownSince: self.field(name, draft.knownSince)
    case .updatedAt: self.field(name, draft.updatedAt)
    case .playCount, .lastPlayedAt, .playPosition, .playPositionAt: write(play: field, of: draft)
    case .crc: break  // Added once the line is complete.
    }
  }

  private mutating func write(license field: QueueItemField, of draft: QueueItemDraft) {
    switch field {
    case .license: license(field.name, draft.license)
    default: self.field(field.name, draft.offlineState?.rawValue)
    }
  }

  private mutating func write(play field: QueueItemField, of draft: QueueItemDraft) {
    switch field {
    case .playCount: self.field(field.name, draft.plays.count > 0 ? draft.plays.count : nil)
    case .lastPlayedAt: self.field(field.name, draft.plays.lastPlayedAt)
    case .playPosition: self.field(field.name, draft.playPosition)
    default: self.field(field.name, draft.playPositionAt)
    }
  }
}
