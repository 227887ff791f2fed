// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SyncCore

/// A list of songs whose ids are single letters.
private func list(_ text: String) -> [ListElement] { text.map { .song(String($0)) } }
private func text(_ list: [ListElement]) -> String { list.songs.joined() }

@Suite("a three-way merge of playlists")
struct ListMergeTests {
  @Test(
    "additions stay, deletions propagate, and moves come from the side that moved",
    arguments: [
      // base, local, server, result
      ("abc", "abc", "abc", "abc"), ("abc", "abcd", "abc", "abcd"), ("abc", "abc", "abce", "abce"),
      ("abc", "abcd", "abce", "abcde"), ("abc", "ac", "abc", "ac"), ("abc", "abc", "bc", "bc"),
      ("abc", "ac", "ab", "a"), ("abc", "", "abc", ""), ("abc", "", "abcd", "d"),
      ("abcd", "dabc", "abcd", "dabc"), ("abcd", "abcd", "bcda", "bcda"), ("abcd", "dabc", "abcde", "dabce"),
      ("abcd", "dabc", "abd", "dab"), ("abc", "xabc", "abcy", "xabcy"), ("", "ab", "cd", "abcd"),
      // Additions that both sides made are one.
      ("abc", "abcd", "abcd", "abcd"), ("", "ab", "ab", "ab"), ("a", "ab", "abc", "abc"),
      // The same song several times.
      ("aa", "a", "aa", "a"), ("aa", "aaa", "aa", "aaa"), ("aba", "ab", "aba", "ab"), ("aba", "ba", "abac", "bac"),
      ("aab", "aab", "aaba", "aaba"), ("a", "aa", "a", "aa"), ("a", "aa", "aa", "aa"), ("aa", "a", "a", "a"),
      ("a", "aa", "", "a"),
    ])
  func table(_ base: String, _ local: String, _ server: String, _ result: String) {
    let merge = ListMerge(base: list(base), local: list(local), server: list(server))
    #expect(text(merge.result) == result)
    #expect(merge.conflicts.isEmpty, "\(merge.conflicts)")
    let exchanged = ListMerge(base: list(base), local: list(server), server: list(local))
    #expect(text(exchanged.result) == result)
  }

  @Test(
    "a conflict is decided by its rule, or by the preferred side",
    arguments: [
      // base, local, server, kind, by rule, local, server
      ("abcd", "bcda", "bacd", ListConflict.Kind.movedTwice, "bacd", "bcda", "bacd"),
      ("abc", "axbc", "abcx", .addedTwice, "axbc", "axbc", "abcx"),
      ("abc", "bc", "bca", .removedHereMovedThere, "bc", "bc", "bca"),
      ("abc", "bca", "bc", .movedHereRemovedThere, "bc", "bca", "bc"),
    ])
  func conflicts(
    _ base: String, _ local: String, _ server: String, _ kind: ListConflict.Kind, _ byRule: String, _ ofLocal: String,
    _ ofServer: String
  ) {
    for (preferred, result) in [(nil, byRule), (.local, ofLocal), (.server, ofServer)] as [(ListConflict.Side?, String)]
    {
      let merge = ListMerge(base: list(base), local: list(local), server: list(server), preferred: preferred)
      #expect(text(merge.result) == result, "\(String(describing: preferred))")
      #expect(merge.conflicts.map(\.kind) == [kind])
      if let preferred { #expect(merge.conflicts.map(\.taken) == [preferred]) }
    }
  }

  @Test("changes that both sides made alike are told")
  func alike() {
    let merge = ListMerge(base: list("abcd"), local: list("bdax"), server: list("bdax"))
    #expect(text(merge.result) == "bdax")
    #expect(merge.alike.map(\.kind) == [.removed, .moved, .added])
  }

  @Test("the founding rule has the server's order, then local additions, and deletes nothing")
  func classic() {
    for (local, server, result) in [
      ("abc", "cba", "cba"), ("abcd", "ba", "bacd"), ("ab", "", "ab"), ("", "ab", "ab"), ("aab", "ab", "aba"),
    ] {
      #expect(text(ListMerge(classic: list(local), server: list(server)).result) == result)
      #expect(text(ListMerge(classic: list(result), server: list(result)).result) == result)
    }
  }

  @Test("lines that are not songs stay at their places here")
  func foreign() {
    let own = ListElement.foreign("/music/own.mp3")
    let merge = ListMerge(base: list("ab"), local: [.song("a"), own, .song("b")], server: list("abc"))
    #expect(merge.result == [.song("a"), own, .song("b"), .song("c")])
  }
}

/// Random lists and edits.
private struct Player {
  var generator: SeededGenerator
  var next = 0

  mutating func list(upTo count: Int, of songs: Int) -> [ListElement] {
    (0..<Int.random(in: 0...count, using: &generator)).map { _ in
      .song("s\(Int.random(in: 0..<songs, using: &generator))")
    }
  }

  /// Some edits: removals, moves, additions of known songs and of new ones.
  mutating func edited(_ list: [ListElement], songs: Int, edits: Int = 3) -> [ListElement] {
    var list = list
    for _ in 0..<Int.random(in: 0...edits, using: &generator) {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0 where !list.isEmpty: list.remove(at: Int.random(in: list.indices, using: &generator))
      case 1 where !list.isEmpty:
        let element = list.remove(at: Int.random(in: list.indices, using: &generator))
        list.insert(element, at: Int.random(in: 0...list.count, using: &generator))
      case 2:
        list.insert(
          .song("s\(Int.random(in: 0..<songs, using: &generator))"),
          at: Int.random(in: 0...list.count, using: &generator))
      default:
        next += 1
        list.insert(.song("n\(next)"), at: Int.random(in: 0...list.count, using: &generator))
      }
    }
    return list
  }
}

@Suite("a three-way merge of any playlists")
struct ListMergePropertyTests {
  private func count(_ list: [ListElement]) -> [ListElement: Int] {
    list.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  @Test("the result is the same whoever merges, and each song is there as often as the changes of both sides say")
  func convergence() {
    for seed in 1...3000 {
      var player = Player(generator: SeededGenerator(seed))
      let base = player.list(upTo: 12, of: 8)
      let (local, server) = (player.edited(base, songs: 8), player.edited(base, songs: 8))
      let merge = ListMerge(base: base, local: local, server: server)
      let exchanged = ListMerge(base: base, local: server, server: local)
      #expect(merge.result == exchanged.result, "seed \(seed)")
      let (before, here, there, after) = (count(base), count(local), count(server), count(merge.result))
      for element in Set(local + server + base) {
        let (b, l, s) = (before[element] ?? 0, here[element] ?? 0, there[element] ?? 0)
        let expected: ClosedRange<Int> =
          l >= b && s >= b ? max(l, s)...max(l, s) : max(0, l + s - b)...max(0, min(l, s), l + s - b)
        #expect(expected.contains(after[element] ?? 0), "seed \(seed): \(element), \(b) \(l) \(s)")
      }
    }
  }

  @Test("a second merge changes nothing, whether the server has the first one or not")
  func idempotence() {
    for seed in 1...2000 {
      var player = Player(generator: SeededGenerator(seed))
      let base = player.list(upTo: 12, of: 8)
      let (local, server) = (player.edited(base, songs: 8), player.edited(base, songs: 8))
      let merged = ListMerge(base: base, local: local, server: server).result
      // The base is the server's list from the first merge on.
      for again in [
        ListMerge(base: server, local: merged, server: server), ListMerge(base: server, local: merged, server: merged),
        ListMerge(base: merged, local: merged, server: merged),
      ] {
        #expect(again.result == merged && again.conflicts.isEmpty, "seed \(seed)")
      }
      // A side that did not change decides nothing.
      #expect(ListMerge(base: base, local: local, server: base).result == local)
      #expect(ListMerge(base: base, local: base, server: server).result == server)
    }
  }

  @Test("the order of entries that only one side touched is that side's")
  func order() {
    for seed in 1...1000 {
      var player = Player(generator: SeededGenerator(seed))
      // Each song once, so that its place is known.
      let base = (0..<10).map { ListElement.song("s\($0)") }
      var local = base
      let moved = local.remove(at: Int.random(in: local.indices, using: &player.generator))
      local.insert(moved, at: Int.random(in: 0...local.count, using: &player.generator))
      let server = base.filter { $0 == moved || Bool.random(using: &player.generator) } + [.song("zz")]
      let merged = ListMerge(base: base, local: local, server: server)
      #expect(merged.result == local.filter(server.contains) + [.song("zz")], "seed \(seed)")
    }
  }

  @Test("three devices in any order end with the server's list, no deleted song returns and no addition is lost")
  func devices() {
    for seed in 1...1500 {
      var player = Player(generator: SeededGenerator(seed))
      var server = ServerList(id: "1", title: "Gym", songs: (0..<6).map { "s\($0)" })
      var devices: [SyncedList?] = [nil, nil, nil]
      var (deleted, added): (Set<String>, Set<String>) = ([], [])
      // Additions whose answer was lost. If somebody removes one on the server, nobody can tell that it was ever there.
      var unanswered: Set<String> = []
      for _ in 0..<Int.random(in: 4...14, using: &player.generator) {
        let index = devices.indices.randomElement(using: &player.generator) ?? 0
        if Bool.random(using: &player.generator), var device = devices[index] {
          edit(&device, &player, &deleted, &added)
          devices[index] = device
        } else {
          sync(&devices[index], &server, &player, &unanswered, loses: true)
        }
      }
      // All that is edited here and there is exchanged, whoever begins.
      for _ in 0..<2 {
        for index in devices.indices.shuffled(using: &player.generator) {
          sync(&devices[index], &server, &player, &unanswered, loses: false)
        }
      }
      for device in devices { #expect(device?.local.songs == server.songs, "seed \(seed)") }
      let back = deleted.subtracting(unanswered).intersection(server.songs)
      #expect(back.isEmpty, "seed \(seed): \(back)")
      #expect(added.subtracting(deleted).isSubset(of: server.songs), "seed \(seed)")
      #expect(Set(server.songs).count == server.songs.count, "seed \(seed): \(server.songs)")
    }
  }

  /// Each song is added once, so that one that returns after its deletion is seen.
  private func edit(
    _ device: inout SyncedList, _ player: inout Player, _ deleted: inout Set<String>, _ added: inout Set<String>
  ) {
    var list = device.local
    switch Int.random(in: 0..<3, using: &player.generator) {
    case 0 where !list.isEmpty:
      let gone = list.remove(at: Int.random(in: list.indices, using: &player.generator))
      if let song = gone.song { deleted.insert(song) }
    case 1 where !list.isEmpty:
      let element = list.remove(at: Int.random(in: list.indices, using: &player.generator))
      list.insert(element, at: Int.random(in: 0...list.count, using: &player.generator))
    default:
      player.next += 1
      added.insert("n\(player.next)")
      list.insert(.song("n\(player.next)"), at: Int.random(in: 0...list.count, using: &player.generator))
    }
    device.local = list
  }

  /// A sync that may be killed after any of its steps: before the state is recorded, before the request, before its answer.
  private func sync(
    _ device: inout SyncedList?, _ server: inout ServerList, _ player: inout Player, _ unanswered: inout Set<String>,
    loses: Bool
  ) {
    let end = loses ? Int.random(in: 0..<8, using: &player.generator) : 8
    guard end > 0, let name = PlaylistName("gym"), let home = PlaylistName("home"),
      let sync = ListSync(device, server, of: name, on: home, policy: ListSyncPolicy())
    else { return }
    device = sync.state
    guard end > 1, case .replace(_, let songs, _)? = sync.request else { return }
    let new = Set(songs).subtracting(server.songs)
    server.songs = songs
    guard end > 2 else { return unanswered.formUnion(new) }
    device = sync.stateAfterPush()
  }
}
