// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Plans the rebuild of a state that is lost: finds the files of wanted items in the library. A file at an item's path
/// becomes its file if it is media and does not contradict the declared size and checksum; where neither is declared
/// exactly, the path proves it with low confidence. A file elsewhere is matched by its declared size.
package struct LibraryRebuild {
  let library: Library
  let manifest: Manifest
  let loss: StateLoss
  let now: Timestamp
  /// Nil without keys. Sealed files are then matched to no item.
  let opening: SealSettings?
  let emit: @Sendable (RunEvent) -> Void

  package init(
    library: Library, manifest: Manifest, loss: StateLoss, now: Timestamp, opening: SealSettings? = nil,
    emit: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) {
    self.emit = emit
    self.library = library
    self.manifest = manifest
    self.loss = loss
    self.now = now
    self.opening = opening
  }

  /// - Returns: nil when the task was cancelled: half a rebuild is useless.
  package func plan(_ queue: Queue, _ desired: DesiredState) async throws(FileError) -> Plan? {
    let finds = try LibraryWalk(library: library, since: loss.since).media()
    var files = finds.media
    for item in queue.items { if let path = item.state.storedFile?.path { files[path] = nil } }
    let wanted = desired.items.filter { queue[$0.item.id]?.state.storedFile == nil }
    let match = RebuildMatch(wanted, files: files, naming: library.rules.naming)
    guard let adoptions = await adoptions(match.candidates) else { return nil }
    let adopted = Set(adoptions.values.map(\.file.path))
    let bytes = try LibraryObserver(library: library, manifest: manifest, trustsPartialLengths: false, now: now).bytes()
    let stock = RebuildFindings(
      adoptions: adoptions, unmatched: files.keys.filter { !adopted.contains($0) }.sorted(), partial: bytes.partial,
      trash: bytes.trash, free: bytes.free)
    var plan = Plan(rebuilding: stock, desired: desired, queue: queue, budget: manifest.storage.budget, now: now)
    plan.warnings += finds.closed.map { .folderPassedOver($0) }
    return plan
  }

  private func adoptions(_ candidates: [RebuildMatch.Candidate]) async -> [ItemID: Adoptable]? {
    guard let root = library.mediaRoot else { return [:] }
    let digests = await ParallelHasher(files: library.files).digests(
      of: candidates.map { ParallelHasher.Order(place: root[$0.path], algorithm: $0.item.checksum?.algorithm) },
      telling: emit)
    guard !Task.isCancelled else { return nil }
    var adoptions: [ItemID: Adoptable] = [:]
    for (candidate, digest) in zip(candidates, digests) {
      // A file that cannot be read is matched to no item: it stays, and is reported.
      guard case .success(let digest)? = digest else { continue }
      adoptions[candidate.item.id] =
        candidate.path.isSealed ? sealed(candidate, digest) : candidate.adoptable(digest, at: now)
      // The stop may have come while a sealed file was opened.
      guard !Task.isCancelled else { return nil }
    }
    return adoptions
  }

  /// A sealed file as the item's. Nil if no key opens all of it as the file of this item.
  private func sealed(_ candidate: RebuildMatch.Candidate, _ digest: FileDigest) -> Adoptable? {
    guard let opening, let root = library.mediaRoot else { return nil }
    do throws(SealedFile.Problem) {
      let sealed = try SealedFile(
        root[candidate.path], in: library.files, opening.openingKeys(of: candidate.item.id),
        opening.associatedData(candidate.item.id))
      var file = StoredFile(path: candidate.path, size: digest.size, sha256: digest.sha256, completedAt: now)
      file.sealed = SealedContent(sha256: try sealed.digest(), size: sealed.size, key: sealed.key.id)
      return Adoptable(file: file, proof: .seal)
    } catch {
      // It stays, and is reported.
      return nil
    }
  }
}

extension RebuildMatch.Candidate {
  /// The file as the item's; nil when its contents cannot be the item's.
  func adoptable(_ digest: FileDigest, at now: Timestamp) -> Adoptable? {
    proof(digest).map { proof in
      let file = StoredFile(
        path: path, size: digest.size, sha256: digest.sha256, completedAt: now,
        confidence: proof == .name ? .low : .normal)
      return Adoptable(file: file, proof: proof)
    }
  }

  private func proof(_ digest: FileDigest) -> AdoptionProof? {
    guard digest.size == size, digest.content.media != nil else { return nil }
    if let checksum = item.checksum { return digest.declared == checksum.hex ? .declaredChecksum : nil }
    if case .exact? = item.size { return .declaredSize }
    return isInPlace ? .name : nil
  }
}
