// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the files of a collection and the items that lack theirs")
struct CollectionMatchTests {
  private func lacking(_ id: String, title: String, artist: String? = nil, size: Int64? = nil) throws -> LackingItem {
    var item = try item(id)
    (item.title, item.artist) = (title, artist)
    item.size = size.map { .exact(ByteCount($0)) }
    let memberships = [Membership(playlist: try playlistName("mix"), position: 1)]
    let desired = DesiredItem(
      Boxed(item), memberships: memberships, priority: .normal, isPinned: false, layout: .item, playlistTitle: "mix",
      unselected: nil, isFromSource: false)
    let queued = QueueItem(item: item, memberships: memberships, queuedAt: Timestamp(secondsSince1970: 0))
    return LackingItem(Boxed(queued), Boxed(desired), FileNaming(isPortable: true))
  }

  private func file(_ place: String, _ size: Int64 = 1000) throws -> CollectionMatch.File {
    .init(path: try path(place), size: ByteCount(size))
  }

  /// - Parameter bytes: For each file a number, which is that of the files with the same bytes.
  private func match(
    _ items: [LackingItem], _ files: [CollectionMatch.File], names: [Int: MediaNames] = [:], bytes: [Int]? = nil
  ) throws -> CollectionMatch {
    var match = CollectionMatch(items, files: files)
    match.match([:])
    var hashes: [Int: CollectionMatch.Hashes] = [:]
    for file in match.filesToCompare(names) {
      hashes[file] = .init(sha256: try digest(bytes?[file] ?? file))
    }
    match.matchByNames(hashes)
    return match
  }

  @Test("of which several have one name are one doubt, and nothing else is in doubt because of them")
  func oneName() throws {
    let items = try (0..<3).map { try lacking("e\($0)", title: "Episode") } + [lacking("other", title: "Other")]
    let files = try ["a/Episode.mp3", "b/Episode.mp3", "c/Other.mp3"].map { try file($0) }
    let match = try match(items, files)
    #expect(match.pairs == [.init(item: 3, file: 2, rule: .name)])
    #expect(match.doubts == [.init(items: [0, 1, 2], files: [0, 1], rule: .name)])
  }

  @Test("and are one by their bytes are still in doubt if several items have their name")
  func equalBytes() throws {
    let files = try ["a/Episode.mp3", "b/Episode.mp3"].map { try file($0) }
    let one = try match([try lacking("e", title: "Episode")], files, bytes: [7, 7])
    #expect(one.pairs == [.init(item: 0, file: 0, rule: .name)] && one.doubts.isEmpty && one.undecided.isEmpty)
    let several = try match((0..<2).map { try lacking("e\($0)", title: "Episode") }, files, bytes: [7, 7])
    #expect(several.pairs.isEmpty)
    #expect(several.doubts == [.init(items: [0, 1], files: [0], rule: .name)])
  }

  @Test("and are claimed by an item that has no other, and by one that has, are nobody's")
  func overlappingClaims() throws {
    // The size makes the first file the only one of the second item.
    let items = try [lacking("a", title: "Episode"), lacking("b", title: "Episode", size: 5)]
    let match = try match(items, [file("x/Episode.mp3", 5), file("y/Episode.mp3", 6)])
    #expect(match.pairs == [.init(item: 0, file: 1, rule: .name), .init(item: 1, file: 0, rule: .sizeAndName)])
    let titled = MediaNames(title: "Episode", artist: "Anna")
    let tagged = try self.match(
      [lacking("a", title: "Episode", artist: "Anna"), lacking("b", title: "Episode", artist: "Anna", size: 5)],
      [file("x/1.mp3", 5), file("y/2.mp3", 6)], names: [0: titled, 1: titled])
    #expect(tagged.pairs.isEmpty)
    #expect(
      tagged.doubts == [
        .init(items: [0], files: [0, 1], rule: .tags), .init(items: [0, 1], files: [0], rule: .tags),
      ])
  }

  @Test("and have equal bytes give the first by its path, whatever the rule")
  func firstOfEqual() throws {
    let sum = Checksum(.sha256, hex: try digest(7).hex)
    var item = try lacking("a", title: "Episode")
    item.desired.item.checksum = sum
    let files = try (0..<50).map { try file("\($0 + 10)/x.mp3") }
    var match = CollectionMatch([item], files: files)
    let hashes = CollectionMatch.Hashes(sha256: try digest(7))
    #expect(match.filesToHash.count == 50)
    var declared = hashes
    declared.declared[.sha256] = try digest(7).hex
    match.match(Dictionary(uniqueKeysWithValues: files.indices.map { ($0, declared) }))
    #expect(match.pairs == [.init(item: 0, file: 0, rule: .checksum)] && match.undecided.isEmpty)
  }

  @Test("are decided in time if thousands of both have one name", .timeLimit(.minutes(1)))
  func manyOfOneName() throws {
    let count = 4000
    let items = try (0..<count).map { try lacking("e\($0)", title: "Episode", artist: "Anna") }
    let files = try (0..<count).map { try file("\($0)/Episode.mp3", Int64($0 + 1)) }
    let titled = MediaNames(title: "Episode", artist: "Anna")
    for names in [[:], Dictionary(uniqueKeysWithValues: files.indices.map { ($0, titled) })] {
      let match = try match(items, files, names: names)
      let rule: CollectionMatch.Rule = names.isEmpty ? .name : .tags
      #expect(match.pairs.isEmpty && match.undecided.isEmpty)
      #expect(match.doubts == [.init(items: Array(0..<count), files: Array(0..<count), rule: rule)])
    }
  }
}
