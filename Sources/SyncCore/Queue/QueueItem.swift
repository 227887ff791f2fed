// SPDX-License-Identifier: Apache-2.0

/// The record of one item in the queue file.
package struct QueueItem: Equatable, Sendable {
  package var id: ItemID { item.id }
  /// The item as the manifest or the source last declared it.
  @Boxed package var item: Item
  /// The playlists that name it, in manifest order.
  package var memberships: [Membership]
  /// Set when the record is created, then only by the transitions below.
  package private(set) var state: ItemState
  /// The upgrade of a finished item whose file is to be replaced by one of another quality.
  @BoxedIfAny package var upgrade: Upgrade?
  /// The file that was missing from the library when it was last looked for. It is adopted if it returns. Nil in items
  /// that have a file, that have a tombstone, or that never lost a file.
  @BoxedIfAny package var lostFile: StoredFile?
  /// True if pinned by command, in addition to the pins of the manifest.
  package var pinned: Bool
  /// The priority and the candidate that a person chose. Nil if neither was.
  @BoxedIfAny package var choice: ItemChoice?
  /// Nil for an item that needs no licence.
  @BoxedIfAny package var license: LicenseRecord?
  /// The rule that last recognised it in its source. Nil for inline items.
  package var matchedBy: IdentityRule?
  package var plays: PlayHistory
  /// The time that determines its place in the line for room. Changed by `lineUp`.
  package private(set) var queuedAt: Timestamp
  /// The time when it became known, if that differs from `queuedAt`.
  @BoxedIfAny package private(set) var knownBefore: Timestamp?
  package var updatedAt: Timestamp
  /// Fields of a newer minor version, written back unchanged.
  package var unknownFields: [UnknownField]

  /// True if a person decided to keep the item, to remove, pause or cancel it, or how it is fetched.
  package var isDecided: Bool {
    if pinned || $choice != nil { return true }
    switch state {
    case .removed(let removal): return removal.cause == .user
    case .paused, .cancelled: return true
    default: return false
    }
  }

  /// True if every opening of a library looks into the item: something may be unfinished, or a person decided about it.
  package var isNotable: Bool {
    isDecided || transfer?.isUnderWay ?? false || state.movingTo != nil || $upgrade != nil
  }

  /// True if one of these playlists names the item.
  package func isMember(ofAny playlists: Set<PlaylistName>) -> Bool {
    memberships.contains { playlists.contains($0.playlist) }
  }

  /// Creates the record of an item that becomes known at `queuedAt`.
  package init(
    item: Item, memberships: [Membership], state: ItemState = .queued(Pending()), matchedBy: IdentityRule? = nil,
    plays: PlayHistory = .init(), queuedAt: Timestamp
  ) {
    self.init(
      item: Boxed(item), memberships: memberships, state: state, matchedBy: matchedBy, plays: plays, queuedAt: queuedAt)
  }

  /// The same with an item that may be shared.
  package init(
    item: Boxed<Item>, memberships: [Membership], state: ItemState, matchedBy: IdentityRule?, plays: PlayHistory,
    queuedAt: Timestamp
  ) {
    _item = item
    self.memberships = memberships
    self.state = state
    upgrade = nil
    lostFile = nil
    pinned = false
    choice = nil
    license = nil
    self.matchedBy = matchedBy
    self.plays = plays
    self.queuedAt = queuedAt
    knownBefore = nil
    updatedAt = queuedAt
    unknownFields = []
  }
}

extension QueueItem {
  package var knownSince: Timestamp {
    get { knownBefore ?? queuedAt }
    set { knownBefore = newValue == queuedAt ? nil : newValue }
  }

  /// Gives the item another place in the line for room. The time when it became known stays the same.
  package mutating func lineUp(at time: Timestamp) {
    let known = knownSince
    queuedAt = time
    knownSince = known
  }

  /// The size of its last file, or the one that a server stated. An exact size in the manifest is better.
  package var knownSize: ByteCount? { state.lastFile?.size ?? item.size?.bytes }

  /// The finished file that is present, or was.
  package var lastFile: StoredFile? { state.lastFile ?? lostFile }
}

// MARK: Transitions

extension ItemState.Name {
  /// The states that an item may leave for this one. An item stays in its own state if only the data of the state
  /// changes.
  ///
  /// This is the table of all legal transitions. Only the functions below make them. The reader of the queue file makes
  /// none: it creates each item in the state that it finds.
  package var predecessors: Set<Self> {
    switch self {
    // A run puts back what another run left, a command what failed, was cancelled or removed, a repair a damaged file.
    case .queued: Set(Self.allCases)
    // A file may be found for every item: it is fetched, adopted, moved, restored, or refuses to be removed.
    case .completed: Set(Self.allCases)
    // A tombstone outlives the loss of the queue, so it is restored whatever the state of the item is then.
    case .removed: Set(Self.allCases)
    // A transfer begins only for a queued item. An item in another state is queued first.
    case .downloading, .retrying: [.queued, .downloading, .retrying]
    // An item may fail before the first request for it.
    case .failed: [.queued, .downloading, .retrying, .failed]
    // A file is removed, not cancelled.
    case .cancelled: [.queued, .downloading, .retrying, .paused, .failed, .cancelled]
    // Only a command pauses an item. A run that is stopped queues its items with their partials.
    case .paused: [.queued, .downloading, .retrying, .paused, .failed]
    }
  }
}

/// The refusal of a transition that is not legal.
package struct IllegalTransition: Error, Equatable, Sendable {
  package let from: ItemState.Name
  package let to: ItemState.Name
}

extension QueueItem {
  /// Gives the item its file.
  package mutating func complete(_ file: StoredFile) { enter(.completed(file)) }

  /// Puts the item into the queue. Its last file counts as lost, unless a person or a rule removed it.
  /// - Parameter told: The size that a server stated just now.
  package mutating func requeue(_ pending: Pending = Pending(), told: ByteCount? = nil) {
    enter(.queued(pending), told: told)
  }

  /// Gives the item a tombstone.
  package mutating func remove(_ removal: Removal) { enter(.removed(removal)) }

  /// Records the state of the transfer of an item without a file.
  /// - Parameter told: The size that a server stated just now.
  package mutating func advance(
    to transfer: TransferState, told: ByteCount? = nil
  ) throws(IllegalTransition) { try enterIfLegal(ItemState(transfer), told: told) }

  package mutating func cancel(at time: Timestamp) throws(IllegalTransition) { try enterIfLegal(.cancelled(at: time)) }

  /// Cancels an item without a file. Any other stays as it is.
  package mutating func cancelIfToCome(at time: Timestamp) {
    if ItemState.Name.cancelled.predecessors.contains(state.name) { enter(.cancelled(at: time)) }
  }

  /// Keeps runs from fetching an item that one of them would fetch, now or later. Its partial stays.
  /// - Returns: False if no run would fetch the item. It stays as it is.
  @discardableResult
  package mutating func pauseIfToCome() -> Bool {
    switch state {
    case .queued(let pending), .paused(let pending): enter(.paused(pending))
    case .downloading(let attempt), .retrying(let attempt, _): enter(.paused(Pending(partial: attempt.partial)))
    case .failed(let record) where record.isTriedAgain:
      enter(
        .paused(Pending(partial: record.partial, nextAttemptAt: record.nextAttemptAt, lastError: record.error)))
    case .failed, .completed, .cancelled, .removed: return false
    }
    return true
  }

  /// Forgets what is recorded about files and bytes, because the record is not believed. The item is queued like a new
  /// one.
  package mutating func forgetFiles() {
    (state, upgrade, lostFile) = (.queued(Pending()), nil, nil)
  }

  /// Remembers where a finished file came from, before its item gets another URL.
  mutating func keepOrigin() {
    guard case .completed(var file) = state, file.candidate == 0, file.origin == nil else { return }
    file.origin = item.main.url
    state = .completed(file)
  }

  /// Changes what a person chose for it.
  package mutating func choose(_ change: (inout ItemChoice) -> Void) {
    var chosen = choice ?? ItemChoice()
    change(&chosen)
    choice = chosen.unlessEmpty
  }

  /// Remembers that the finished file came from an alternative. The order of trial, by which it could be told, changes.
  mutating func keepOrigin(_ url: RemoteURL) {
    guard case .completed(var file) = state, file.origin == nil else { return }
    file.origin = url
    state = .completed(file)
  }

  /// Changes the failure of a failed item.
  package mutating func updateFailure(_ change: (inout FailureRecord) -> Void) {
    guard case .failed(var record) = state else { return }
    change(&record)
    state = .failed(record)
  }

  /// Changes the partial of the present transfer, if there is one. An upgrade without any data is dropped.
  package mutating func updatePartial(_ change: (PartialDownload) -> PartialDownload?) {
    guard let transfer else { return }
    let changed = transfer.with(transfer.partial.flatMap(change))
    if upgrade == nil { state = ItemState(changed) } else { setUpgrade(changed) }
  }

  /// Puts the present transfer back into the queue: that of the upgrade, if there is one.
  package mutating func requeueTransfer(_ pending: Pending) {
    if upgrade == nil { requeue(pending) } else { setUpgrade(.queued(pending)) }
  }

  private mutating func setUpgrade(_ transfer: TransferState) {
    upgrade?.state = transfer
    if upgrade?.isBlank ?? false { upgrade = nil }
  }

  private mutating func enterIfLegal(_ next: ItemState, told: ByteCount? = nil) throws(IllegalTransition) {
    guard next.name.predecessors.contains(state.name) else {
      throw IllegalTransition(from: state.name, to: next.name)
    }
    enter(next, told: told)
  }

  /// Changes the state. The size of the file, whether measured or stated, outlives the file.
  private mutating func enter(_ next: ItemState, told: ByteCount? = nil) {
    let known = next.lastFile == nil ? (told ?? state.lastFile?.size).map(DeclaredSize.about) ?? item.size : nil
    if item.size != known { item.size = known }
    if next.name != .completed { upgrade = nil }
    lostFile = lostFile(after: next)
    // A file that only changes keeps what was told about it.
    let tells = $license != nil && (next.name != .completed || state.name != .completed)
    state = next
    guard tells else { return }
    let told = toldOfflineState
    license?.told = told
  }

  /// The offline state once its file has come or gone. A file comes only with a licence; one that is over is noticed by
  /// the next run.
  private var toldOfflineState: OfflineState {
    guard state.name == .completed else { return .notOfflined }
    return license?.license == nil ? .offlinedButNotValid : .offlinedAndValid
  }

  /// The lost file once the item is in the next state. A file that a person or a rule removed is not lost.
  private func lostFile(after next: ItemState) -> StoredFile? {
    guard next.name != .completed, next.name != .removed else { return nil }
    switch state {
    case .completed(let file): return file
    case .removed(let removal): return removal.cause == .lost ? removal.file : nil
    default: return lostFile
    }
  }
}

/// An item's position in one playlist, counted from 1.
package struct Membership: Hashable, Sendable {
  package var playlist: PlaylistName
  package var position: Int
  package init(playlist: PlaylistName, position: Int) {
    self.playlist = playlist
    self.position = position
  }
}

/// The rule that recognised an item of a source.
package enum IdentityRule: String, CaseIterable, Sendable {
  case id, guid
  case musicBrainz = "musicbrainz_id"
  case isrc, url
  case titleDateDuration = "title_date_duration"
  /// For songs without a date: title, artist, album and duration.
  case titleAlbumDuration = "title_album_duration"
}

/// A field that this version does not know: its name and its value as JSON text.
package struct UnknownField: Hashable, Sendable {
  package var name: String
  package var json: [UInt8]
  package init(name: String, json: [UInt8]) {
    self.name = name
    self.json = json
  }
}
