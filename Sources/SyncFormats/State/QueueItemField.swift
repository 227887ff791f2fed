// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The fields of an item in the order in which they are written.
enum QueueItemField: Int, CaseIterable {
  case id, state, playlists, title, artist, album, duration, published, priority, pin, pinned
  case declaredSize, approximateSize, checksum, url, candidates
  case candidate, attempts, bytesReceived, bytesTotal, validator, partial, partialURL, extents
  case path, movingTo, size, sha256, verifiedBy, quality, matchedBy, confidence, publishing, error
  case queuedAt, knownSince, updatedAt, requested, deferred, nextAttemptAt, completedAt, cancelledAt, playCount,
    lastPlayedAt
  case playPosition, playPositionAt, removed, upgrade, lost, crc

  private static let names = [
    "id", "state", "playlists", "title", "artist", "album", "duration", "published", "priority", "pin", "pinned",
    "declared_size", "approximate_size", "checksum", "url", "candidates",
    "candidate", "attempts", "bytes_received", "bytes_total", "validator", "partial", "partial_url", "extents",
    "path", "moving_to", "size", "sha256", "verified_by", "quality", "matched_by", "confidence", "publishing", "error",
    "queued_at", "known_since", "updated_at", "requested", "deferred", "next_attempt_at",
    "completed_at", "cancelled_at",
    "play_count",
    "last_played_at",
    "play_position", "play_position_at", "removed", "upgrade", "lost", "crc",
  ]

  var name: String { Self.names[rawValue] }

  static let keys = JSONKeys(allCases, name: \.name)
}

/// A set of fields, used to find those that a state must not have.
struct QueueItemFields: OptionSet {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  init(_ fields: QueueItemField...) { self.init(rawValue: fields.reduce(0) { $0 | 1 << UInt64($1.rawValue) }) }

  mutating func insert(_ field: QueueItemField) { formUnion(QueueItemFields(field)) }

  func contains(_ field: QueueItemField) -> Bool { isSuperset(of: QueueItemFields(field)) }

  /// The first field in the order of the file.
  var first: QueueItemField? { isEmpty ? nil : QueueItemField(rawValue: rawValue.trailingZeroBitCount) }

  /// The fields that an item has in every state.
  static let declared = QueueItemFields(
    .id, .state, .playlists, .title, .artist, .album, .duration, .published, .priority, .pin, .pinned, .declaredSize,
    .approximateSize, .checksum, .url, .candidates, .matchedBy, .queuedAt, .knownSince, .updatedAt, .playCount,
    .lastPlayedAt,
    .playPosition,
    .playPositionAt, .crc)

  static let partial = QueueItemFields(.partial, .partialURL, .extents, .bytesReceived, .bytesTotal, .validator)
  static let attempt = partial.union(QueueItemFields(.candidate, .attempts, .publishing))
  static let file = QueueItemFields(
    .path, .size, .sha256, .verifiedBy, .completedAt, .candidate, .confidence, .quality)
  /// The fields that an item without a file has in every state.
  static let absent = declared.union(QueueItemFields(.lost))

  /// The fields that an item may have in a state.
  static func allowed(in state: ItemState.Name) -> QueueItemFields {
    switch state {
    case .queued: absent.union(partial).union(QueueItemFields(.requested, .deferred, .nextAttemptAt, .error))
    case .downloading, .paused: absent.union(attempt)
    case .retrying: absent.union(attempt).union(QueueItemFields(.nextAttemptAt))
    case .completed: declared.union(file).union(QueueItemFields(.movingTo, .upgrade))
    case .failed: absent.union(partial).union(QueueItemFields(.candidate, .attempts, .error, .nextAttemptAt))
    case .cancelled: absent.union(QueueItemFields(.cancelledAt))
    case .removed: declared.union(file).union(QueueItemFields(.removed))
    }
  }
}
