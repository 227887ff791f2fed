// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("making room, whatever there is")
struct RoomPlannerPropertyTests {
  private static let day = Timestamp(secondsSince1970: 1_700_000_000)

  private struct Case {
    var policy = StoragePolicy()
    var used: Int64
    var free: Int64
    var trash: Int64
    var files: [Evictable] = []
    var wants: [RoomPlanner.Want] = []

    init(_ random: inout SeededGenerator) throws {
      policy.budget = Bool.random(using: &random) ? ByteCount(.random(in: 0...3000, using: &random)) : nil
      policy.minFree = ByteCount(.random(in: 0...300, using: &random))
      for number in 0..<Int.random(in: 0...30, using: &random) { files.append(try Self.file(number, &random)) }
      trash = .random(in: 0...200, using: &random)
      used = files.map(\.size.bytes).reduce(0, +) + trash + .random(in: 0...500, using: &random)
      free = .random(in: 0...2000, using: &random)
      for number in 100..<Int.random(in: 100...115, using: &random) {
        let finished = try Self.file(number, &random)
        wants.append(
          RoomPlanner.Want(
            asFinished: finished, missing: finished.size,
            claim: [.fresh, .backlog, .returning].randomElement(using: &random) ?? .fresh,
            isPinned: Int.random(in: 0..<5, using: &random) == 0))
      }
    }

    private static func file(_ number: Int, _ random: inout SeededGenerator) throws -> Evictable {
      Evictable(
        id: try id("\(number)"), size: ByteCount(.random(in: 0...200, using: &random)),
        completedAt: RoomPlannerPropertyTests.day - .days(.random(in: 0...3, using: &random)),
        score: Double(Int.random(in: 0...5, using: &random)) / 5, isOrphan: Int.random(in: 0..<6, using: &random) == 0)
    }

    func planner(_ files: [Evictable]) -> RoomPlanner {
      RoomPlanner(
        policy: policy, .init(used: ByteCount(used), free: ByteCount(free), trash: ByteCount(trash)), evictable: files)
    }
  }

  @Test("the usage never ends above trigger because of what was admitted, nor free space below its floor")
  func limits() throws {
    var random = SeededGenerator(3)
    for _ in 0..<2000 {
      let it = try Case(&random)
      var room = it.planner(it.files)
      var admitted: Int64 = 0
      for want in it.wants {
        let usedBefore = room.usedAfter
        guard room.admit(want) == .admitted else {
          #expect(room.usedAfter == usedBefore, "a deferral changes nothing")
          continue
        }
        admitted += want.missing.bytes
        if let budget = it.policy.budget { #expect(room.usedAfter <= budget * it.policy.evict.trigger) }
        let freed = it.used + admitted - room.usedAfter.bytes
        #expect(it.free + freed - admitted >= it.policy.minFree.bytes)
      }
      let usedBefore = room.usedAfter
      room.spareNeedless()
      if let budget = it.policy.budget, room.usedAfter > usedBefore {
        #expect(room.usedAfter <= budget * it.policy.evict.target)
      }
    }
  }

  @Test("what was used and admitted, less what was freed, is what is used")
  func balance() throws {
    var random = SeededGenerator(4)
    for _ in 0..<2000 {
      let it = try Case(&random)
      var room = it.planner(it.files)
      let admitted = it.wants.filter { room.admit($0) == .admitted }.map(\.missing).sum()
      room.spareNeedless()
      let gone = room.victims.map(\.size).sum() + ByteCount(room.emptiesTrash ? it.trash : 0)
      #expect(room.usedAfter + gone == ByteCount(it.used) + admitted)
      #expect(Set(room.victims.map(\.id)).count == room.victims.count)
      #expect(Set(room.victims).isSubset(of: it.files), "only what may go is chosen")
    }
  }

  @Test("nobody who was evicted fits back below target")
  func noReturn() throws {
    var random = SeededGenerator(5)
    for _ in 0..<2000 {
      let it = try Case(&random)
      var room = it.planner(it.files)
      for want in it.wants where want.claim == .fresh { _ = room.admit(want) }
      room.spareNeedless()
      for victim in room.victims where !victim.rank.isOrphan {
        var after = room
        let verdict = after.admit(.init(asFinished: victim, missing: victim.size, claim: .returning))
        #expect(verdict == .deferred(.noRoomToReturn))
      }
    }
  }

  @Test("the order in which the files are given does not matter")
  func inputOrder() throws {
    var random = SeededGenerator(6)
    for _ in 0..<500 {
      let it = try Case(&random)
      var (one, other) = (it.planner(it.files), it.planner(it.files.shuffled(using: &random)))
      for want in it.wants { #expect(one.admit(want) == other.admit(want)) }
      #expect(one.victims == other.victims)
      #expect(one.usedAfter == other.usedAfter)
    }
  }
}
