// SPDX-License-Identifier: Apache-2.0

/// A simulated library. Plans are made for it and carried out without touching files.
package struct SimulatedLibrary: Sendable {
  package var manifest: Manifest
  package var queue: Queue
  package var seen: LibraryObservation
  /// The readings of the playlists with a source.
  package var readings: [SourceReading] = []
  package var options: PlanOptions
  /// The playlists in scope. Nil for all.
  package var scope: Set<PlaylistName>?
  /// The real sizes of files, found when they are fetched. Files without an entry have the size that the plan expects.
  package var sizes: [ItemID: ByteCount] = [:]
  /// The positions of items in their playlists, if they differ from the order of the manifest.
  package var places: [ItemID: [Membership]] = [:]
  package var now: Timestamp

  package init(_ manifest: Manifest, queue: Queue, seen: LibraryObservation, now: Timestamp) {
    self.manifest = manifest
    self.queue = queue
    self.seen = seen
    self.now = now
    options = PlanOptions(maxDelete: manifest.storage.maxDelete)
  }

  package func reconciliation() -> Reconciliation {
    var desired = DesiredState(
      Resolution(manifest.playlists, readings), layout: manifest.library.layout, queue: queue, now: now)
    if !places.isEmpty {
      for index in desired.items.indices {
        if let known = places[desired.items[index].id] { desired.items[index].memberships = known }
      }
    }
    return Reconciliation(
      desired: desired, queue: queue, seen: seen, terms: .init(manifest.storage, scope: scope), now: now)
  }

  package func plan() -> Plan { Plan(reconciliation(), seen: seen, manifest: manifest, options: options, now: now) }

  /// Does exactly what the plan says, without taking time. Does nothing if the plan must not be carried out.
  package mutating func carryOut(_ plan: Plan) {
    guard plan.safetyStop == nil else { return }
    queue.apply(plan.bookkeeping)
    for name in plan.strayPartials { seen.freeSpace += seen.partials.removeValue(forKey: name)?.size ?? .zero }
    if plan.expiresTrash {
      seen.freeSpace += seen.expiredTrashBytes
      seen.trashBytes -= seen.expiredTrashBytes
      seen.expiredTrashBytes = .zero
    }
    for step in plan.steps { carryOut(step) }
    if plan.emptiesTrash {
      seen.freeSpace += seen.trashBytes
      seen.trashBytes = .zero
    }
    fetch(plan)
    for index in readings.indices { readings[index].isUnchanged = true }
  }

  private mutating func carryOut(_ step: Step) {
    switch step {
    case .remove(let removal): remove(step.id, removal.cause, intoTrash: manifest.storage.trashKeep > .zero)
    case .evict: remove(step.id, .evicted, intoTrash: false)
    case .adopt(let adoption): complete(step.id, adoption.file)
    case .move(let move):
      if let file = queue[step.id]?.state.storedFile { complete(step.id, file.at(move.path)) }
    case .protect(let protect):
      if let file = queue[step.id]?.state.storedFile { complete(step.id, file.at(protect.path)) }
    // Downloads and upgrades begin when everything else is done.
    case .download, .upgrade, .push, .defer, .keep, .skip, .ignore: break
    }
  }

  private mutating func remove(_ id: ItemID, _ cause: Removal.Cause, intoTrash: Bool) {
    guard let file = queue[id]?.state.storedFile else { return }
    queue[id]?.remove(Removal(cause: cause, at: now, file: file))
    seen.finished[id] = nil
    if intoTrash { seen.trashBytes += file.size } else { seen.freeSpace += file.size }
  }

  private mutating func complete(_ id: ItemID, _ file: StoredFile) {
    queue[id]?.complete(file)
    seen.finished[id] = .file(size: file.size)
    seen.adoptable[id] = nil
  }

  /// Fetches in the order of the plan. As in a run, a file that is larger than the remaining room is deferred.
  private mutating func fetch(_ plan: Plan) {
    let expected = plan.room(free: seen.freeSpace)
    var room = SpaceReservations(
      policy: manifest.storage, usedAfterPlan: expected.used, freeAfterPlan: expected.free, shares: plan.shares)
    let downloads = plan.downloads
    for download in downloads {
      room.expect(
        download.id, download.present + download.reserved, of: download.playlists.first,
        replacing: download.replaced?.size)
    }
    for download in downloads {
      let (id, expected) = (download.id, download.present + download.room)
      let size = sizes[id] ?? expected
      guard download.reserved == download.room && size == expected || room.need(id, size) == nil else {
        room.release(id)
        putOff(download, size)
        continue
      }
      finish(download, size)
    }
  }

  private mutating func putOff(_ download: PlannedDownload, _ size: ByteCount) {
    if let goal = download.goal {
      queue[download.id]?.upgrade = Upgrade(goal, size: size)
    } else {
      queue[download.id]?.requeue(told: size)
    }
  }

  private mutating func finish(_ download: PlannedDownload, _ size: ByteCount) {
    if let partial = download.task.partial { seen.partials[partial.name] = nil }
    seen.freeSpace -= size - download.present
    let place = download.layout.path(
      download.fields, fileExtension: download.item.expectedExtension,
      naming: manifest.library.profile.rules(on: seen.fileSystem).naming, attempt: download.nameAttempt)
    if let old = download.replaced {
      seen.freeSpace += old.size
      queue[download.id]?.item.main = download.item.main
    }
    complete(
      download.id,
      StoredFile(
        path: download.replaced?.path ?? place, size: size, sha256: .simulated,
        completedAt: download.replaced?.completedAt ?? now, quality: download.quality))
    queue[download.id]?.upgrade = nil
  }
}

extension SHA256Digest {
  /// The digest of a file without bytes.
  static let simulated: SHA256Digest = {
    guard let digest = SHA256Digest(hex: String(repeating: "0", count: 64)) else {
      preconditionFailure("64 zeros are a digest")
    }
    return digest
  }()
}
