// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the files of a library whose memory is lost")
struct RebuildMatchTests {
  private func wanted(_ id: String, title: String? = nil, size: Int64? = nil, isSelected: Bool = true) throws
    -> DesiredItem
  {
    let url = try RemoteURL("https://media.example/\(id).mp3")
    var item = Item(id: try #require(ItemID(id)), title: title ?? id, main: Candidate(url: url))
    item.size = size.map { .exact(ByteCount($0)) }
    let name = try #require(PlaylistName("mix"))
    return DesiredItem(
      Boxed(item), memberships: [Membership(playlist: name, position: 1)], priority: .normal,
      isPinned: false, layout: .item, playlistTitle: "mix",
      unselected: isSelected ? nil : .beforeFirstReading, isFromSource: false)
  }

  private func match(_ wanted: [DesiredItem], _ files: [String: Int64]) throws -> RebuildMatch {
    var known: [LibraryPath: ByteCount] = [:]
    for (path, size) in files { known[try #require(LibraryPath(path))] = ByteCount(size) }
    return RebuildMatch(wanted, files: known, naming: FileNaming(isPortable: true))
  }

  private func found(_ match: RebuildMatch) -> [String: String] {
    Dictionary(uniqueKeysWithValues: match.candidates.map { ($0.item.id.text, $0.path.text) })
  }

  @Test("a file is found at its place, whatever its ending, and not by another size than the declared one")
  func inPlace() throws {
    let items = [try wanted("a"), try wanted("b"), try wanted("c", size: 5)]
    let result = try match(items, ["mix/a.mp3": 1, "mix/b.opus": 2, "mix/c.mp3": 4, "other/a.mp3": 3])
    #expect(found(result) == ["a": "mix/a.mp3", "b": "mix/b.opus"])
    #expect(result.candidates.map(\.isInPlace) == [true, true])
    #expect(result.lacking.map(\.item.id.text) == ["c"])
  }

  @Test("of two items with one title each gets the file that has its tag")
  func tags() throws {
    let (a, b) = (try wanted("a", title: "Same"), try wanted("b", title: "Same"))
    let tagged = "mix/Same [\(b.item.id.tag)].mp3"
    for order in [[a, b], [b, a]] {
      #expect(found(try match(order, ["mix/Same.mp3": 1, tagged: 2])) == ["a": "mix/Same.mp3", "b": tagged])
    }
  }

  @Test("elsewhere a file is known by a declared size that nothing else has")
  func bySize() throws {
    let items = [try wanted("a", size: 7), try wanted("b", size: 8), try wanted("c", size: 8)]
    let result = try match(items, ["old/x.mp3": 7, "old/y.mp3": 8, "old/z.mp3": 9])
    #expect(found(result) == ["a": "old/x.mp3"])
    #expect(result.candidates.map(\.isInPlace) == [false])
    #expect(found(try match([items[1]], ["old/y.mp3": 8, "older/y.mp3": 8])).isEmpty)
  }

  @Test("what is not selected is found, and not missed")
  func unselected() throws {
    let items = [try wanted("a", isSelected: false), try wanted("b", isSelected: false)]
    let result = try match(items, ["mix/a.mp3": 1])
    #expect(found(result) == ["a": "mix/a.mp3"] && result.lacking.isEmpty)
  }
}
