// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("making room")
struct RoomPlannerTests {
  private static let day = Timestamp(secondsSince1970: 1_700_000_000)

  /// A budget of 1000 with trigger 950 and target 850, and no floor for free space.
  private func policy(budget: Int64? = 1000, minFree: Int64 = 0) -> StoragePolicy {
    var policy = StoragePolicy()
    policy.budget = budget.map(ByteCount.init)
    policy.minFree = ByteCount(minFree)
    return policy
  }

  private func file(_ name: String, _ size: Int64, score: Double = 0.1) throws -> Evictable {
    Evictable(id: try id(name), size: ByteCount(size), completedAt: Self.day, score: score)
  }

  private func want(
    _ missing: Int64, score: Double = 0.7, claim: RoomPlanner.Claim = .fresh, isPinned: Bool = false
  ) throws -> RoomPlanner.Want {
    RoomPlanner.Want(
      asFinished: try file("new", missing, score: score), missing: ByteCount(missing), claim: claim,
      isPinned: isPinned)
  }

  private func planner(
    _ policy: StoragePolicy, used: Int64, free: Int64 = 1_000_000, trash: Int64 = 0, _ files: [Evictable] = []
  ) -> RoomPlanner {
    RoomPlanner(
      policy: policy, .init(used: ByteCount(used), free: ByteCount(free), trash: ByteCount(trash)), evictable: files)
  }

  @Test("without need nobody is evicted")
  func noNeed() throws {
    var room = planner(policy(), used: 900, trash: 100, [try file("a", 100)])
    #expect(room.admit(try want(50)) == .admitted)
    #expect(room.victims.isEmpty)
    #expect(!room.emptiesTrash)
    #expect(room.usedAfter == ByteCount(950))
  }

  @Test("above trigger it goes down to target, the lowest score first")
  func aboveTrigger() throws {
    let files = try (0..<10).map { try file("\($0)", 20, score: Double($0)) }
    let room = planner(policy(), used: 951, files)
    #expect(room.victims.map(\.id.text) == ["0", "1", "2", "3", "4", "5"])
    #expect(room.usedAfter == ByteCount(831))
  }

  @Test("at trigger nothing goes")
  func atTrigger() throws { #expect(planner(policy(), used: 950, [try file("a", 500)]).victims.isEmpty) }

  @Test("a want that would lift the usage above trigger makes room down to target, itself counted")
  func admission() throws {
    let files = try (0..<10).map { try file("\($0)", 20, score: Double($0) / 100) }
    var room = planner(policy(), used: 940, files)
    #expect(room.admit(try want(11)) == .admitted)
    #expect(room.victims.count == 6)
    #expect(room.usedAfter == ByteCount(831))
  }

  @Test("only lower scores make way")
  func lowerScores() throws {
    var room = planner(policy(), used: 940, [try file("low", 30, score: 0.2), try file("high", 500, score: 0.9)])
    #expect(room.admit(try want(30)) == .admitted)
    #expect(room.victims.map(\.id.text) == ["low"])
    #expect(room.admit(try want(30)) == .deferred(.budget(lacking: ByteCount(20))))
    #expect(room.victims.count == 1)
  }

  @Test("what does not fit evicts nobody, and its lack is exact")
  func deferral() throws {
    var room = planner(policy(), used: 940, trash: 5, [try file("a", 30)])
    #expect(room.admit(try want(46)) == .deferred(.budget(lacking: ByteCount(1))))
    #expect(room.victims.isEmpty)
    #expect(!room.emptiesTrash)
    #expect(room.admit(try want(45)) == .admitted)
    #expect(room.usedAfter == ByteCount(950))
  }

  @Test("a pinned want moves whatever may go")
  func pinned() throws {
    var room = planner(policy(), used: 940, [try file("high", 500, score: 99)])
    #expect(room.admit(try want(30, isPinned: true)) == .admitted)
    #expect(room.victims.map(\.id.text) == ["high"])
  }

  @Test("the trash goes first, and whole")
  func trash() throws {
    var room = planner(policy(), used: 940, trash: 200, [try file("a", 30)])
    #expect(room.admit(try want(20)) == .admitted)
    #expect(room.emptiesTrash)
    #expect(room.victims.isEmpty)
    #expect(room.usedAfter == ByteCount(760))
  }

  @Test("the trash goes before a deferred item has to wait, if that is enough")
  func trashForBacklog() throws {
    var room = planner(policy(), used: 840, trash: 200, [try file("a", 30)])
    #expect(room.admit(try want(211, claim: .backlog)) == .deferred(.belowTarget(lacking: ByteCount(1))))
    #expect(!room.emptiesTrash)
    #expect(room.admit(try want(10, claim: .backlog)) == .admitted)
    #expect(!room.emptiesTrash)
    #expect(room.admit(try want(200, claim: .backlog)) == .admitted)
    #expect(room.emptiesTrash && room.victims.isEmpty)
    #expect(room.usedAfter == ByteCount(850))
  }

  @Test("the file system's free space stays above its floor")
  func minFree() throws {
    let files = try [file("a", 30, score: 0.1), file("b", 30, score: 0.2)]
    var room = planner(policy(budget: nil, minFree: 100), used: 500, free: 150, files)
    #expect(room.admit(try want(50)) == .admitted)
    #expect(room.victims.isEmpty)
    #expect(room.admit(try want(20)) == .admitted)
    #expect(room.victims.map(\.id.text) == ["a"])
    #expect(room.admit(try want(41)) == .deferred(.freeSpace(lacking: ByteCount(1))))
  }

  @Test("what was evicted comes back only into room below target, and nobody makes way")
  func returning() throws {
    var room = planner(policy(), used: 800, trash: 100, [try file("a", 300)])
    #expect(room.admit(try want(51, claim: .returning)) == .deferred(.noRoomToReturn))
    #expect(room.admit(try want(50, claim: .returning)) == .admitted)
    #expect(room.admit(try want(1, claim: .returning)) == .deferred(.noRoomToReturn))
    #expect(room.victims.isEmpty)
    #expect(!room.emptiesTrash)
  }

  @Test("room that is kept for others is not called a lack of room")
  func heldBack() throws {
    var room = planner(policy(), used: 410)
    let soon = Timestamp(secondsSince1970: 1_800_000_000)
    room.reserve(for: try file("evicted", 300, score: 0.5), until: soon + .days(-1))
    room.reserve(for: try file("lately", 100, score: 0.5), until: soon)
    #expect(room.admit(try want(41, claim: .backlog)) == .deferred(.heldBack(ByteCount(400), until: soon)))
    #expect(room.admit(try want(441, claim: .backlog)) == .deferred(.belowTarget(lacking: ByteCount(401))))
    #expect(room.admit(try want(40, claim: .backlog)) == .admitted)
  }

  @Test("nor is room for which a larger evicted file waits")
  func firstInLine() throws {
    var room = planner(policy(), used: 410)
    let large = RoomPlanner.Want(
      asFinished: try file("large", 800, score: 0.9), missing: ByteCount(800), claim: .returning)
    #expect(room.admit(large) == .deferred(.noRoomToReturn))
    let small = RoomPlanner.Want(
      asFinished: try file("small", 10, score: 0.1), missing: ByteCount(10), claim: .returning)
    #expect(room.admit(small) == .deferred(.heldBack(ByteCount(800), until: nil)))
  }

  @Test("nothing comes back below the floor of free space")
  func returningFreeSpace() throws {
    var room = planner(policy(budget: nil, minFree: 100), used: 0, free: 120)
    #expect(room.admit(try want(21, claim: .returning)) == .deferred(.noRoomToReturn))
    #expect(room.admit(try want(20, claim: .returning)) == .admitted)
  }

  @Test("an unknown size is admitted while there is room, and not above trigger")
  func unknownSize() throws {
    var room = planner(policy(), used: 950)
    #expect(room.admit(try want(0)) == .admitted)
    var full = planner(policy(), used: 960)
    #expect(full.admit(try want(0)) == .deferred(.budget(lacking: ByteCount(10))))
  }

  @Test("without a budget only free space counts")
  func noBudget() throws {
    var room = planner(policy(budget: nil), used: .max / 2, free: 10)
    #expect(room.admit(try want(10)) == .admitted)
    #expect(room.admit(try want(1)) == .deferred(.freeSpace(lacking: ByteCount(1))))
  }

  @Test("a victim that could come right back stays")
  func spare() throws {
    var room = planner(policy(), used: 940, [try file("small", 40, score: 0.1), try file("large", 400, score: 0.2)])
    #expect(room.admit(try want(11)) == .admitted)
    #expect(room.victims.map(\.id.text) == ["small", "large"])
    room.spareNeedless()
    #expect(room.victims.map(\.id.text) == ["large"])
    #expect(room.usedAfter == ByteCount(551))
  }

  @Test("nobody is spared below the floor of free space")
  func spareFreeSpace() throws {
    let files = try [file("small", 40, score: 0.1), file("large", 60, score: 0.2)]
    var room = planner(policy(budget: nil, minFree: 100), used: 500, free: 100, files)
    #expect(room.admit(try want(70)) == .admitted)
    room.spareNeedless()
    #expect(room.victims.map(\.id.text) == ["small", "large"])
  }
}
