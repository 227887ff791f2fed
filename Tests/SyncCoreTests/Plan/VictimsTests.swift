// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the line of victims")
struct VictimsTests {
  private static let day = Timestamp(secondsSince1970: 1_700_000_000)

  private func victim(
    _ name: String, score: Double = 0.5, size: Int64 = 10, age: Int64 = 0, isOrphan: Bool = false
  ) throws -> Evictable {
    Evictable(
      id: try id(name), size: ByteCount(size), completedAt: Self.day - .seconds(age), score: score, isOrphan: isOrphan)
  }

  @Test("an orphan goes first, then the lower score, the larger, the older, the first id")
  func order() throws {
    let line = try [
      victim("orphan", score: 9, isOrphan: true), victim("low", score: 0.1, size: 1),
      victim("large", size: 20), victim("old", age: 5), victim("a"), victim("b"), victim("high", score: 0.6, size: 99),
    ]
    #expect(line.reversed().sorted { $0.goesBefore($1) } == line)
  }

  @Test("of what came in one second the older episode goes first, before it what has no date")
  func published() throws {
    func episode(_ name: String, _ days: Int?) throws -> Evictable {
      var victim = try victim(name)
      victim.rank.published = days.map { Self.day - .days($0) }
      return victim
    }
    let line = try [episode("z", nil), episode("c", 30), episode("b", 20), episode("a", 10)]
    #expect(line.reversed().sorted { $0.goesBefore($1) } == line)
  }

  @Test("nobody goes before itself, and of two one goes first")
  func strictOrder() throws {
    let victims = try [victim("a"), victim("b"), victim("c", score: 0.1), victim("d", isOrphan: true)]
    for a in victims {
      for b in victims { #expect(a == b ? !a.goesBefore(b) : a.goesBefore(b) != b.goesBefore(a)) }
    }
  }

  @Test("as many are chosen as free enough, no more")
  func choose() throws {
    var line = EvictionOrder(try [victim("a", score: 0.1), victim("b", score: 0.2), victim("c", score: 0.3)])
    line.choose(freeing: ByteCount(11), before: nil)
    #expect(line.chosen.map(\.id.text) == ["a", "b"])
    #expect(line.chosenBytes == ByteCount(20))
    line.choose(freeing: ByteCount(1), before: nil)
    #expect(line.chosen.map(\.id.text) == ["a", "b", "c"])
    line.choose(freeing: ByteCount(1), before: nil)
    #expect(line.chosenBytes == ByteCount(30))
  }

  @Test("only those before a newcomer make way for it")
  func newcomer() throws {
    var line = EvictionOrder(try [victim("a", score: 0.1), victim("b", score: 0.9)])
    let newcomer = try victim("new", score: 0.5)
    #expect(line.available(before: newcomer.rank) == ByteCount(10))
    line.choose(freeing: ByteCount(20), before: newcomer.rank)
    #expect(line.chosen.map(\.id.text) == ["a"])
    #expect(line.available(before: newcomer.rank) == .zero)
    #expect(line.available(before: nil) == ByteCount(10))
  }

  @Test("what fits again is spared, the last of the line first, but for orphans")
  func spare() throws {
    var line = EvictionOrder(
      try [
        victim("o", size: 1, isOrphan: true), victim("a", score: 0.1, size: 3), victim("b", score: 0.2, size: 4),
        victim("c", score: 0.3, size: 50),
      ])
    line.choose(freeing: ByteCount(58), before: nil)
    line.spare(upTo: ByteCount(6))
    #expect(line.chosen.map(\.id.text) == ["o", "a", "c"])
    #expect(line.chosenBytes == ByteCount(54))
    line.spare(upTo: ByteCount(3))
    #expect(line.chosen.map(\.id.text) == ["o", "c"])
  }

  @Test("for one playlist only its own are chosen, and nobody is chosen twice")
  func accounts() throws {
    var files = try [
      victim("a", score: 0.1), victim("b", score: 0.2), victim("c", score: 0.3), victim("d", score: 0.4),
    ]
    (files[1].account, files[3].account) = (0, 0)
    var line = EvictionOrder(files, accounts: 1)
    #expect(line.available(before: nil, account: 0) == ByteCount(20))
    #expect(line.choose(freeing: ByteCount(1), before: nil, account: 0).map(\.id.text) == ["b"])
    #expect(line.available(before: nil, account: 0) == ByteCount(10))
    #expect(line.available(before: nil) == ByteCount(30))
    #expect(line.choose(freeing: ByteCount(15), before: nil).map(\.id.text) == ["a", "c"])
    #expect(line.chosen.map(\.id.text) == ["a", "b", "c"])
    #expect(line.choose(freeing: ByteCount(99), before: nil).map(\.id.text) == ["d"])
    #expect(line.available(before: nil, account: 0) == .zero)
  }

  @Test("whatever is chosen, the sums are those of a list that is added up each time")
  func sums() throws {
    var random = SeededGenerator(20)
    for _ in 0..<300 {
      let files = try (0..<Int.random(in: 0...40, using: &random)).map { number in
        var file = try victim(
          "\(number)", score: Double(Int.random(in: 0...9, using: &random)),
          size: .random(in: 0...50, using: &random), isOrphan: Int.random(in: 0..<5, using: &random) == 0)
        file.account = [nil, 0, 1].randomElement(using: &random) ?? nil
        return file
      }
      var line = EvictionOrder(files, accounts: 2)
      var left = files.sorted { $0.goesBefore($1) }
      for _ in 0..<12 {
        let account: Int? = [nil, 0, 1].randomElement(using: &random) ?? nil
        let newcomer = Bool.random(using: &random) ? try victim("new", score: 4.5).rank : nil
        let mine = left.filter { file in
          (account == nil || file.account == account) && (newcomer.map { file.rank < $0 } ?? true)
        }
        #expect(line.available(before: newcomer, account: account) == mine.map(\.size).sum())
        let wanted = ByteCount(.random(in: 0...120, using: &random))
        var freed = ByteCount.zero
        let expected = mine.prefix { file in
          defer { freed += file.size }
          return freed < wanted
        }
        #expect(line.choose(freeing: wanted, before: newcomer, account: account) == Array(expected))
        left.removeAll { expected.contains($0) }
      }
      #expect(line.chosenBytes == files.map(\.size).sum() - left.map(\.size).sum())
    }
  }
}
