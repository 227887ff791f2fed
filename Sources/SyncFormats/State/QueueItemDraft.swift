// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// An item's fields as they stand in the file, before it is known whether they belong together.
struct QueueItemDraft {
  var present = QueueItemFields()
  var id: ItemID?
  var state: ItemState.Name?
  var memberships: [Membership] = []
  var title = ""
  var artist: String?
  var album: String?
  var duration: Duration?
  var published: Timestamp?
  var priority: Priority?
  var pin: Bool?
  var pinned = false
  var size: DeclaredSize?
  var checksum: Checksum?
  var url: RemoteURL?
  var candidates: [Candidate] = []
  var candidate = 0
  var attempts = 0
  var received = ByteCount.zero
  var total: ByteCount?
  var validator: HTTPValidator?
  var partial: String?
  var partialURL: RemoteURL?
  var extents: [Extent]?
  var file = StoredFileDraft()
  var publishing: StoredFile?
  var matchedBy: IdentityRule?
  var error: ErrorRecord?
  var isTemporary = false
  var inputs: InputMark?
  var queuedAt: Timestamp?
  var knownSince: Timestamp?
  var updatedAt: Timestamp?
  var isRequested = false
  var isDeferred = false
  var nextAttemptAt: Timestamp?
  var cancelledAt: Timestamp?
  var plays = PlayHistory()
  var playPosition: Duration?
  var playPositionAt: Timestamp?
  var removal: Removal?
  var upgrade: Upgrade?
  var lostFile: StoredFile?
  var unknownFields: [UnknownField] = []
}

/// The fields of a finished file, which stand in the item itself, in `publishing`, and in a tombstone.
struct StoredFileDraft {
  var path: LibraryPath?
  var movingTo: LibraryPath?
  var size: ByteCount?
  var sha256: SHA256Digest?
  var completedAt: Timestamp?
  var confidence = StoredFile.Confidence.normal
  var quality: Quality?
  var verifiedBy: Checksum?

  /// The first field that is missing; nil when all are there.
  func file(candidate: Int) -> Result<StoredFile, MissingField> {
    guard let path else { return .failure(MissingField(field: .path)) }
    guard let size else { return .failure(MissingField(field: .size)) }
    guard let sha256 else { return .failure(MissingField(field: .sha256)) }
    guard let completedAt else { return .failure(MissingField(field: .completedAt)) }
    let file = StoredFile(
      path: path, size: size, sha256: sha256, completedAt: completedAt, candidate: candidate, confidence: confidence,
      quality: quality, verifiedBy: verifiedBy?.unlessSHA256)
    return .success(file.at(path, movingTo: movingTo))
  }

  struct MissingField: Error { var field: QueueItemField }
}
