// SPDX-License-Identifier: Apache-2.0

/// The room that a run may still fill while sizes become known. No transfer may exceed the room that the plan left
/// free.
package struct SpaceReservations: Sendable {
  private let policy: StoragePolicy
  private let ceiling: ByteCount?
  private let minFree: ByteCount
  /// The used bytes if every admitted transfer turns out as expected.
  private var used: ByteCount
  private var free: ByteCount
  private var reserved: [ItemID: ByteCount] = [:]
  /// The playlists with a share of their own, after the same transfers.
  private var shares: [PlaylistName: RoomPlanner.Account]
  private var owners: [ItemID: PlaylistName] = [:]
  /// The sizes of the files that upgrades replace.
  private var replaced: [ItemID: ByteCount] = [:]

  /// - Parameters:
  ///   - used: The used bytes after evictions, including the bytes that every admitted transfer is expected to add.
  ///   - free: The free space on the file system after the same changes.
  package init(
    policy: StoragePolicy, usedAfterPlan used: ByteCount, freeAfterPlan free: ByteCount,
    shares: [RoomPlanner.Account] = []
  ) {
    self.shares = Dictionary(shares.map { ($0.playlist, $0) }, uniquingKeysWith: { first, _ in first })
    self.policy = policy
    ceiling = policy.budget.map { $0 * policy.evict.trigger }
    minFree = policy.minFree
    self.used = used
    self.free = free
  }

  /// Registers the bytes that the plan counted for an item: those of its file, including its partial.
  /// - Parameter old: The size of the file that it replaces.
  package mutating func expect(
    _ id: ItemID, _ bytes: ByteCount, of playlist: PlaylistName? = nil, replacing old: ByteCount? = nil
  ) {
    reserved[id] = bytes
    replaced[id] = old
    owners[id] = playlist.flatMap { shares[$0] == nil ? nil : $0 }
  }

  /// Adjusts the reservation: the item's file turns out to have `bytes` in total.
  package mutating func need(_ id: ItemID, _ bytes: ByteCount) -> RoomShortage? {
    let known = reserved[id] ?? .zero
    guard bytes > known else {
      give(back: known - bytes, of: id)
      reserved[id] = bytes
      return nil
    }
    let more = bytes - known
    if let old = replaced[id] {
      if let shortage = shortage(of: id, UpgradeRoom.Swap(old: old, new: bytes, missing: more)) { return shortage }
    } else if let shortage = shortage(of: id, more) {
      return shortage
    }
    used += more
    free -= more
    if let owner = owners[id] { shares[owner]?.used += more }
    reserved[id] = bytes
    return nil
  }

  private func shortage(of id: ItemID, _ swap: UpgradeRoom.Swap) -> RoomShortage? {
    let others = replaced.filter { $0.key != id }.values.sum()
    let room = UpgradeRoom(
      policy: policy, used: used, replaced: others, free: free, share: owners[id].flatMap { shares[$0] })
    return room.shortage(of: swap)
  }

  private func shortage(of id: ItemID, _ more: ByteCount) -> RoomShortage? {
    if let share = owners[id].flatMap({ shares[$0] }), share.used + more > share.ceiling {
      return .playlist(share.playlist, lacking: share.used + more - share.ceiling)
    }
    if let ceiling, used + more > ceiling { return .budget(lacking: used + more - ceiling) }
    if free < minFree + more { return .freeSpace(lacking: minFree + more - free) }
    return nil
  }

  /// As `need`, for an item that has grown to `bytes` and may still grow: nothing is given back.
  package mutating func grow(_ id: ItemID, _ bytes: ByteCount) -> RoomShortage? {
    bytes > (reserved[id] ?? .zero) ? need(id, bytes) : nil
  }

  /// Releases the reservation of an item whose transfer has ended.
  /// - Parameters:
  ///   - kept: The bytes that stay on disk in addition to those before the transfer.
  ///   - freed: The bytes by which a replaced file was larger.
  package mutating func release(_ id: ItemID, kept: ByteCount = .zero, freed: ByteCount = .zero) {
    replaced[id] = nil
    give(back: (reserved.removeValue(forKey: id) ?? .zero) - kept + freed, of: id)
  }

  private mutating func give(back bytes: ByteCount, of id: ItemID) {
    used -= bytes
    free += bytes
    if let owner = owners[id] { shares[owner]?.used -= bytes }
  }
}
