// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the queue")
struct QueueTests {
  private static let day = Timestamp(secondsSince1970: 1_700_000_000)

  private func entry(_ name: String, pinned: Bool = false) throws -> QueueItem {
    var entry = QueueItem(item: try item(name), memberships: [], queuedAt: Self.day)
    entry.pinned = pinned
    return entry
  }

  private func queue(_ names: [String]) throws -> Queue {
    Queue(libraryID: "1", savedAt: Self.day, items: try names.map { try entry($0) })
  }

  private func names(_ queue: Queue) -> [String] { queue.items.map(\.id.text) }

  @Test("keeps the order in which items became known, and finds each by its id")
  func order() throws {
    var queue = try queue(["b", "a"])
    queue[try id("c")] = try entry("c")
    #expect(names(queue) == ["b", "a", "c"])
    queue[try id("a")] = try entry("a", pinned: true)
    #expect(names(queue) == ["b", "a", "c"])
    #expect(queue[try id("a")]?.pinned == true)
    queue[try id("b")] = nil
    queue[try id("x")] = nil
    #expect(names(queue) == ["a", "c"])
    #expect(queue[try id("c")]?.id.text == "c")
    #expect(queue[try id("b")] == nil)
  }

  @Test("several go in one pass")
  func removal() throws {
    var queue = try queue(["a", "b", "c", "d"])
    queue.remove(Set(try ["a", "c", "x"].map(id)))
    #expect(names(queue) == ["b", "d"])
    #expect(queue[try id("d")]?.id.text == "d")
    queue.remove([])
    #expect(names(queue) == ["b", "d"])
  }

  @Test("a change holds the whole entry")
  func changes() throws {
    var queue = try queue(["a"])
    let news = try playlistName("news")
    let memory = SourceState(changedAt: Self.day, checkedAt: Self.day, itemCount: 3)
    queue.apply([.item(try entry("b")), .itemDropped(try id("a")), .source(news, memory)])
    #expect(names(queue) == ["b"])
    #expect(queue.sources == [news: memory])
    queue.apply([.sourceDropped(news)])
    #expect(queue.sources.isEmpty)
  }

  @Test("changes are applied in their order, and those that say nothing new are not counted")
  func changesInOrder() throws {
    var queue = try queue(["a", "b", "c"])
    let (a, d) = (try entry("a"), try entry("d"))
    let drop = { (name: String) throws in QueueChange.itemDropped(try id(name)) }
    let news = queue.apply([try drop("a"), try drop("a"), .item(d), .item(a), try drop("c"), try drop("x"), .item(a)])
    #expect(news == [try drop("a"), .item(d), .item(a), try drop("c")])
    #expect(names(queue) == ["b", "d", "a"])
    #expect(queue[a.id] == a && queue[d.id] == d)
  }

  @Test("to drop many items takes time as many, not as their square", .timeLimit(.minutes(2)))
  func manyDrops() throws {
    let names = (0..<300_000).map { "i\($0)" }
    var queue = try queue(names)
    // One after the other takes many minutes.
    queue.apply(try names.dropLast().map { .itemDropped(try id($0)) })
    #expect(queue.items.map(\.id.text) == names.suffix(1))
  }

  @Test("knows the items of each playlist")
  func playlists() throws {
    let (one, two) = (try playlistName("one"), try playlistName("two"))
    var a = try entry("a")
    a.memberships = [Membership(playlist: one, position: 1), Membership(playlist: two, position: 5)]
    var b = try entry("b")
    b.memberships = [Membership(playlist: two, position: 6)]
    let queue = Queue(libraryID: "1", savedAt: Self.day, items: [a, b])
    #expect(queue.itemsByPlaylist([one, two]) == [one: [a], two: [a, b]])
    #expect(queue.itemsByPlaylist([two]) == [two: [a, b]])
    #expect(queue.itemsByPlaylist([]).isEmpty)
  }

  @Test("a place in the line is not the day that it became known")
  func line() throws {
    var item = try entry("a")
    let first = item.queuedAt
    #expect(item.knownSince == first && item.knownBefore == nil)
    item.lineUp(at: first + .days(3))
    item.lineUp(at: first + .days(5))
    #expect(item.queuedAt == first + .days(5) && item.knownSince == first)
    item.lineUp(at: first)
    #expect(item.knownBefore == nil)
  }

  @Test("what is known of a size outlives the file, and nothing is kept beside the file's own")
  func size() throws {
    var item = try entry("a")
    item.requeue(told: ByteCount(9))
    #expect(item.knownSize == ByteCount(9))
    try item.cancel(at: Self.day)
    #expect(item.knownSize == ByteCount(9))
    let file = try storedFile("a.mp3", size: 7, completedAt: Self.day)
    item.complete(file)
    #expect(item.knownSize == ByteCount(7) && item.item.size == nil)
    item.remove(Removal(cause: .lost, at: Self.day, file: file))
    #expect(item.knownSize == ByteCount(7) && item.item.size == nil)
    item.requeue()
    #expect(item.item.size == .about(ByteCount(7)))
  }

  @Test("each state has its name, its partial and its file")
  func states() throws {
    let partial = PartialDownload(name: "p", received: ByteCount(5), url: try RemoteURL("https://a.example/"))
    let file = try storedFile("a.mp3", completedAt: Self.day)
    let error = ErrorRecord(kind: .http, status: 404, message: "gone", at: Self.day)
    let attempt = Attempt(candidate: 0, attempts: 1, partial: partial)
    let rows: [(ItemState, ItemState.Name, PartialDownload?, StoredFile?)] = [
      (.queued(Pending(partial: partial)), .queued, partial, nil), (.downloading(attempt), .downloading, partial, nil),
      (.retrying(attempt, nextAttemptAt: Self.day), .retrying, partial, nil),
      (.paused(Pending(partial: partial)), .paused, partial, nil),
      (.completed(file), .completed, nil, file),
      (
        .failed(FailureRecord(error: error, isTemporary: true, candidate: 0, attempts: 1, partial: partial)), .failed,
        partial, nil
      ), (.cancelled(at: Self.day), .cancelled, nil, nil),
      (.removed(Removal(cause: .user, at: Self.day, file: file)), .removed, nil, nil),
    ]
    #expect(rows.map(\.1) == ItemState.Name.allCases)
    for (state, name, partial, file) in rows {
      #expect(state.name == name)
      #expect(state.partial == partial)
      #expect(state.storedFile == file)
    }
  }
}
