// SPDX-License-Identifier: Apache-2.0

/// The protection that the manifest asks for, as far as the keys allow it.
package struct ProtectionTarget: Equatable, Sendable {
  /// The bytes that one run seals or opens at most, beside those that it fetches. One file is always done.
  package static let bytesPerRun = ByteCount(4 << 30)

  /// The key that seals. Nil for a library in clear.
  package var seals: KeyID?
  /// The keys that open files.
  package var opens: Set<KeyID>

  package init(seals: KeyID? = nil, opens: Set<KeyID> = []) { (self.seals, self.opens) = (seals, opens) }

  /// The target for a library.
  /// - Parameter keys: Nil without keys.
  package init(_ policy: ProtectPolicy, _ keys: Keyset?) {
    seals = policy.mode == .encrypt ? keys?.primary.id : nil
    opens = Set(keys?.keys.map(\.id) ?? [])
  }

  /// The change that a file needs. Nil if it is as wanted, or if no key opens it.
  func change(of file: StoredFile) -> ProtectionChange? {
    if file.sealed?.isByContentKey ?? false { return nil }
    guard let sealed = file.sealed else { return seals.map { _ in .seal } }
    guard sealed.key != seals, opens.contains(sealed.key) else { return nil }
    return seals == nil ? .unseal : .reseal
  }
}

extension ProtectionChange {
  func path(from path: LibraryPath) -> LibraryPath {
    switch self {
    case .seal: path.sealed
    case .unseal: path.unsealed
    case .reseal: path
    }
  }
}

extension PlanDraft {
  /// Seals, opens or seals again the files that stay, in the order of the manifest, as many as one run may.
  mutating func placeProtection() {
    let evicted = Set(room.victims.map(\.position))
    let target = options.protection
    var bytes = ByteCount.zero
    let entries = reconciliation.entries
    for order in entries.indices where target.seals != nil || entries[order].queued.state.isSealed {
      let entry = entries[order]
      guard entry.isKept, entry.isInScope, steps.isFree(order), !evicted.contains(order), !entry.isChangedByOthers,
        let file = entry.queued.state.storedFile
      else { continue }
      guard let change = target.change(of: file) else {
        if let sealed = file.sealed, sealed.key != target.seals, !sealed.isByContentKey { closedFiles += 1 }
        continue
      }
      if change == .unseal, forbidsClear(entry) {
        sealedByLicense += 1
        continue
      }
      guard bytes == .zero || bytes + file.size <= ProtectionTarget.bytesPerRun else {
        laterProtected = (laterProtected.files + 1, laterProtected.bytes + file.size)
        continue
      }
      bytes += file.size
      let step = ProtectStep(
        item(entry, .protection(change, from: file.path)), path: change.path(from: file.path), size: file.size, change)
      steps.set(.protect(step), at: order)
    }
  }
}
