// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The fields of an item in the order in which they are written. The compiler asks for three lines for a new field: its
/// name and states here, its reading and its writing in `QueueItemTable.swift`.
enum QueueItemField: Int, CaseIterable {
  case id, state, playlists, title, artist, album, duration, published, recordings, priority, pin, pinned, choice
  case declaredSize, approximateSize, checksum, url, candidates
  case candidate, attempts, bytesReceived, bytesTotal, validator, partial, partialURL, extents, publishing
  case path, movingTo, size, sha256, sourceSize, sourceSHA256, mediaSHA256, sealed, verifiedBy, quality,
    confidence, origin, completedAt
  case error, requested, deferred, nextAttemptAt, cancelledAt, removed, upgrade, lost, license, offlineState
  case matchedBy, queuedAt, knownSince, updatedAt, playCount, lastPlayedAt, playPosition, playPositionAt, crc

  /// The name in the file, and the states in which an item may have the field.
  private var definition: (name: String, states: ItemStates) {
    switch self {
    case .id: ("id", .every)
    case .state: ("state", .every)
    case .playlists: ("playlists", .every)
    case .title: ("title", .every)
    case .artist: ("artist", .every)
    case .album: ("album", .every)
    case .duration: ("duration", .every)
    case .published: ("published", .every)
    case .recordings: ("recordings", .every)
    case .priority: ("priority", .every)
    case .pin: ("pin", .every)
    case .pinned: ("pinned", .every)
    case .choice: ("choice", .every)
    case .declaredSize: ("declared_size", .every)
    case .approximateSize: ("approximate_size", .every)
    case .checksum: ("checksum", .every)
    case .url: ("url", .every)
    case .candidates: ("candidates", .every)
    case .candidate: ("candidate", [.trial, .file])
    case .attempts: ("attempts", .trial)
    case .bytesReceived: ("bytes_received", .transfer)
    case .bytesTotal: ("bytes_total", .transfer)
    case .validator: ("validator", .transfer)
    case .partial: ("partial", .transfer)
    case .partialURL: ("partial_url", .transfer)
    case .extents: ("extents", .transfer)
    case .publishing: ("publishing", .attempt)
    case .path: ("path", .file)
    case .movingTo: ("moving_to", .completed)
    case .size: ("size", .file)
    case .sha256: ("sha256", .file)
    case .sourceSize: ("source_size", .file)
    case .sourceSHA256: ("source_sha256", .file)
    case .mediaSHA256: ("media_sha256", .file)
    case .sealed: ("sealed", .file)
    case .verifiedBy: ("verified_by", .file)
    case .quality: ("quality", .file)
    case .confidence: ("confidence", .file)
    case .origin: ("origin", .file)
    case .completedAt: ("completed_at", .file)
    case .error: ("error", [.waiting, .failed])
    case .requested: ("requested", .waiting)
    case .deferred: ("deferred", .waiting)
    case .nextAttemptAt: ("next_attempt_at", [.waiting, .retrying, .failed])
    case .cancelledAt: ("cancelled_at", .cancelled)
    case .removed: ("removed", .removed)
    case .upgrade: ("upgrade", .completed)
    case .lost: ("lost", .absent)
    case .license: ("license", .every)
    case .offlineState: ("offline_state", .every)
    case .matchedBy: ("matched_by", .every)
    case .queuedAt: ("queued_at", .every)
    case .knownSince: ("known_since", .every)
    case .updatedAt: ("updated_at", .every)
    case .playCount: ("play_count", .every)
    case .lastPlayedAt: ("last_played_at", .every)
    case .playPosition: ("play_position", .every)
    case .playPositionAt: ("play_position_at", .every)
    case .crc: ("crc", .every)
    }
  }

  // Tables of the above, because every item of a large library asks.

  private static let names = allCases.map(\.definition.name)
  fileprivate static let byState = ItemState.Name.allCases.map { state in
    QueueItemFields(allCases.filter { $0.definition.states.contains(ItemStates(state)) })
  }

  var name: String { Self.names[rawValue] }

  static let keys = JSONKeys(allCases, name: \.name)
}

/// A set of states.
private struct ItemStates: OptionSet {
  let rawValue: UInt8

  static let queued = Self(rawValue: 1 << 0)
  static let downloading = Self(rawValue: 1 << 1)
  static let retrying = Self(rawValue: 1 << 2)
  static let paused = Self(rawValue: 1 << 3)
  static let completed = Self(rawValue: 1 << 4)
  static let failed = Self(rawValue: 1 << 5)
  static let cancelled = Self(rawValue: 1 << 6)
  static let removed = Self(rawValue: 1 << 7)

  static let every = Self(rawValue: .max)
  static let waiting: Self = [.queued, .paused]
  static let attempt: Self = [.downloading, .retrying]
  static let trial: Self = [.attempt, .failed]
  static let transfer: Self = [.waiting, .trial]
  static let file: Self = [.completed, .removed]
  static let absent: Self = [.transfer, .cancelled]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The states are in the order of `ItemState.Name`.
  init(_ state: ItemState.Name) { self.init(rawValue: 1 << UInt8(state.position)) }
}

extension ItemState.Name {
  fileprivate var position: Int {
    switch self {
    case .queued: 0
    case .downloading: 1
    case .retrying: 2
    case .paused: 3
    case .completed: 4
    case .failed: 5
    case .cancelled: 6
    case .removed: 7
    }
  }
}

/// A set of fields.
struct QueueItemFields: OptionSet {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  init(_ fields: [QueueItemField]) { self.init(rawValue: fields.reduce(0) { $0 | 1 << UInt64($1.rawValue) }) }

  mutating func insert(_ field: QueueItemField) { self = Self(rawValue: rawValue | 1 << UInt64(field.rawValue)) }

  func contains(_ field: QueueItemField) -> Bool { rawValue & 1 << UInt64(field.rawValue) != 0 }

  /// The first field in the order of the file.
  var first: QueueItemField? { isEmpty ? nil : QueueItemField(rawValue: rawValue.trailingZeroBitCount) }

  /// Passes the fields in the order of the file.
  func forEach(_ body: (QueueItemField) -> Void) {
    var rest = self
    while let field = rest.first {
      body(field)
      rest = Self(rawValue: rest.rawValue & (rest.rawValue - 1))
    }
  }

  /// The fields of a partial.
  static let partial = QueueItemFields([.bytesReceived, .bytesTotal, .validator, .partial, .partialURL, .extents])
  /// The fields of a finished file.
  static let file = allowed(in: .completed).subtracting(allowed(in: .cancelled)).subtracting(Self([.upgrade]))
  /// The fields of a transfer, beside its state.
  static let transfer = allowed(in: .queued).union(allowed(in: .retrying)).union(allowed(in: .failed))
    .subtracting(allowed(in: .cancelled))

  /// The fields that an item may have in a state.
  static func allowed(in state: ItemState.Name) -> QueueItemFields { QueueItemField.byState[state.position] }
}
