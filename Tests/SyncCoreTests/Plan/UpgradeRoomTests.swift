// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("room beside the file that is to be replaced")
struct UpgradeRoomTests {
  private struct Row {
    var used: Int64
    var old: Int64
    var new: Int64
    var present: Int64 = 0
    var free: Int64 = 10_000
    /// Nil if there is room.
    var lacking: Int64?
  }

  // A budget of 1000 with trigger 950 and target 850. At least 100 of the disk must stay free.
  private static let rows: [Row] = [
    Row(used: 500, old: 100, new: 200),
    // A larger file must leave the usage below the target in the end.
    Row(used: 750, old: 100, new: 200), Row(used: 751, old: 100, new: 200, lacking: 1),
    // A file that is not larger may exceed the budget for a while, because it takes no room in the end.
    Row(used: 950, old: 100, new: 51), Row(used: 1000, old: 100, new: 50), Row(used: 1000, old: 100, new: 100),
    Row(used: 1000, old: 100, new: 101, lacking: 151),
    // The bytes of it that are present already count as used.
    Row(used: 980, old: 100, new: 50, present: 30),
    Row(used: 500, old: 100, new: 50, free: 149, lacking: 1),
    // The size is unknown until the server states it.
    Row(used: 1000, old: 100, new: 0),
  ]

  @Test("is for both files, and nothing goes for it", arguments: rows.indices)
  func table(row: Int) throws {
    let row = Self.rows[row]
    var policy = StoragePolicy()
    (policy.budget, policy.minFree) = (ByteCount(1000), ByteCount(100))
    let swap = UpgradeRoom.Swap(
      old: ByteCount(row.old), new: ByteCount(row.new), missing: ByteCount(row.new) - ByteCount(row.present))
    let file = Evictable(
      id: try id("x"), size: ByteCount(300), completedAt: Timestamp(secondsSince1970: 0), score: 0)
    var room = RoomPlanner(
      policy: policy, .init(used: ByteCount(row.used), free: ByteCount(row.free)),
      evictable: row.used > 950 ? [] : [file])
    let victims = room.victimCount
    let verdict: RoomPlanner.Verdict = row.lacking.map { .deferred(.beside(lacking: ByteCount($0))) } ?? .admitted
    #expect(room.admit(swap) == verdict)
    #expect(room.victimCount == victims)

    // A run checks the sizes that servers state by the same rule.
    var journal = SpaceReservations(
      policy: policy, usedAfterPlan: ByteCount(row.used), freeAfterPlan: ByteCount(row.free))
    let item = try id("a")
    journal.expect(item, ByteCount(row.present), replacing: ByteCount(row.old))
    let shortage = journal.need(item, ByteCount(row.new))
    #expect(shortage == row.lacking.map { .beside(lacking: ByteCount($0)) })
  }

  @Test("files that go in the same plan make room only for what grows into it")
  func several() {
    var policy = StoragePolicy()
    (policy.budget, policy.minFree) = (ByteCount(1000), .zero)
    var room = RoomPlanner(policy: policy, .init(used: ByteCount(700), free: ByteCount(10_000)), evictable: [])
    let swap = UpgradeRoom.Swap(old: ByteCount(100), new: ByteCount(150), missing: ByteCount(150))
    #expect(room.admit(swap) == .admitted)
    #expect(room.admit(swap) == .admitted)
    #expect(room.admit(swap) == .deferred(.beside(lacking: ByteCount(150))))
  }
}
