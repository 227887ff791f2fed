// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SyncCore

private func list(_ text: String) -> [ListElement] { text.map { .song(String($0)) } }
private func text(_ list: [ListElement]) -> String {
  list.map { $0.song ?? "?" }.joined()
}

private func fileDigest(_ number: Int) throws -> SHA256Digest {
  let digits = String(number, radix: 16)
  return try #require(SHA256Digest(hex: String(repeating: "0", count: 64 - digits.count) + digits))
}

private func home() throws -> PlaylistName { try #require(PlaylistName("home")) }
private func gym() throws -> PlaylistName { try #require(PlaylistName("gym")) }

@Suite("an edited playlist file")
struct EditedListFileTests {
  /// - Parameter written: The entries of the file that the job wrote.
  private func state(_ local: String, written: String) throws -> SyncedList {
    var state = SyncedList(server: try home(), title: "Gym", local: list(local))
    state.base = state.local.songs
    state.file = ListFile(name: "Gym.m3u8", digest: try fileDigest(1), entries: list(written))
    return state
  }

  private func edited(_ entries: String, _ number: Int = 2, hasEnd: Bool = true) throws -> EditedListFile {
    EditedListFile(
      name: "Gym.m3u8", digest: try fileDigest(number), entries: list(entries), hasEnd: hasEnd,
      changedAt: Timestamp(secondsSince1970: 100))
  }

  @Test(
    "its difference from what the job wrote is merged into the list",
    arguments: [
      // local, written, file, with its last line, result, spared
      ("abc", "abc", "ac", true, "ac", ""), ("abc", "abc", "cab", true, "cab", ""),
      ("abc", "abc", "abcd", true, "abcd", ""), ("abc", "abc", "ab", true, "ab", ""),
      // Songs that are not here yet are not in the file.
      ("axbc", "abc", "ac", true, "axc", ""), ("abcx", "abc", "bc", true, "bcx", ""),
      // A command came between.
      ("bc", "abc", "acd", true, "cd", ""), ("abcd", "abc", "bca", true, "bcad", ""),
      // The file was cut, or a player dropped its comments.
      ("abcd", "abcd", "ab", false, "abcd", "cd"), ("abcd", "abcd", "bd", false, "bd", ""),
      ("abcd", "abcd", "bc", false, "bcd", "d"), ("abcd", "abcd", "abcde", false, "abcde", ""),
    ])
  func taken(
    _ local: String, _ written: String, _ file: String, _ hasEnd: Bool, _ result: String, _ spared: String
  ) throws {
    var state = try state(local, written: written)
    guard case .taken(_, let kept) = state.take(try edited(file, hasEnd: hasEnd)) else {
      Issue.record("nothing was taken")
      return
    }
    #expect(text(state.local) == result && text(kept) == spared)
    // It is read once.
    let after = state
    #expect(state.take(try edited(file, hasEnd: hasEnd)) == .unchanged && state == after)
  }

  @Test("a file without entries removes nothing, and one as it was written is no edit")
  func nothing() throws {
    var state = try state("abc", written: "abc")
    let before = state
    for hasEnd in [true, false] { #expect(state.take(try edited("", hasEnd: hasEnd)) == .empty && state == before) }
    #expect(state.take(try edited("abc", 1)) == .unchanged && state == before)
    // Only its comments changed.
    #expect(state.take(try edited("abc", 3)) == .taken([], spared: []) && state.local == before.local)
    #expect(state.editedAt == nil)
  }

  @Test("a run that was killed while it wrote the file has made no edit")
  func killed() throws {
    for number in [1, 5] {
      var state = try state("ab", written: "abc")
      state.nextFile = ListFile(name: "Gym.m3u8", digest: try fileDigest(5), entries: list("ab"))
      #expect(state.take(try edited(number == 1 ? "abc" : "ab", number)) == .unchanged)
      #expect(text(state.local) == "ab" && state.nextFile == nil)
    }
    // A person edited one of the two: the nearer one.
    for (file, result) in [("abcd", "abd"), ("abd", "abd"), ("b", "b"), ("bc", "b")] {
      var state = try state("ab", written: "abc")
      state.nextFile = ListFile(name: "Gym.m3u8", digest: try fileDigest(5), entries: list("ab"))
      _ = state.take(try edited(file))
      #expect(text(state.local) == result, "\(file)")
    }
  }
}

@Suite("an edit of a playlist")
struct ListEditTests {
  @Test("is carried out at its place")
  func places() throws {
    let cases: [(ListEdit, String, String)] = [
      (.add(["x", "y"], at: nil), "ab", "abxy"), (.add(["x"], at: 1), "ab", "xab"), (.add(["x"], at: 3), "ab", "abx"),
      (.add(["x"], at: 1), "", "x"), (.remove(["a"], at: nil), "aba", "b"), (.remove(["a"], at: 3), "aba", "ab"),
      (.remove(["a", "b"], at: nil), "abc", "c"), (.move("a", from: nil, to: 3), "abc", "bca"),
      (.move("c", from: nil, to: 1), "abc", "cab"), (.move("a", from: 3, to: 1), "aba", "aab"),
    ]
    for (edit, before, after) in cases { #expect(text(try edit.applied(to: list(before))) == after, "\(edit)") }
  }

  @Test("is refused with its reason")
  func refusals() {
    let cases: [(ListEdit, ListEdit.Refusal)] = [
      (.add(["x"], at: 5), .beyondEnd(5, count: 4)), (.remove(["z"], at: nil), .absent("z")),
      (.remove(["a"], at: 2), .notThere("a", place: 2)),
      (.move("a", from: nil, to: 1), .ambiguous("a", places: [1, 3])),
      (.move("b", from: nil, to: 4), .beyondEnd(4, count: 3)), (.move("z", from: nil, to: 1), .absent("z")),
    ]
    for (edit, refusal) in cases { #expect(throws: refusal) { try edit.applied(to: list("aba")) } }
  }
}

@Suite("the sync of a playlist")
struct ListSyncTests {
  private func server(_ songs: String, readOnly: Bool = false) -> ServerList {
    ServerList(id: "1", title: "Gym", songs: songs.map(String.init), isReadOnly: readOnly)
  }

  private func state(_ base: String?, _ local: String, _ fate: SyncedList.Fate = .kept) throws -> SyncedList {
    var state = SyncedList(server: try home(), title: "Gym", local: list(local))
    (state.base, state.fate) = (base.map { $0.map(String.init) }, fate)
    state.listID = base == nil ? nil : "1"
    return state
  }

  private func sync(_ state: SyncedList?, _ found: ServerList?, _ policy: ListSyncPolicy = .init()) throws -> ListSync?
  {
    ListSync(state, found, of: try gym(), on: try home(), policy: policy)
  }

  @Test("asks for what the playlist needs on its server")
  func requests() throws {
    let before = ["a", "b"]
    let cases: [(SyncedList?, ServerList?, ListSync.Request?)] = [
      (nil, server("ab"), nil), (try state("ab", "ab"), server("ab"), nil), (try state("ab", "ab"), server("abc"), nil),
      (try state("ab", "b"), server("ab"), .replace(id: "1", songs: ["b"], before: before)),
      (try state("ab", ""), server("ab"), .replace(id: "1", songs: [], before: before)),
      (try state(nil, "b", .toCreate), nil, .create(title: "Gym", songs: ["b"])),
      // Somebody made it meanwhile.
      (
        try state(nil, "c", .toCreate), server("ab"),
        .replace(id: "1", songs: ["c", "a", "b"].sorted(), before: before)
      ),
      (try state("ab", "ab", .toDelete), server("ab"), .delete(id: "1")), (try state("ab", "ab", .toDelete), nil, nil),
      (try state("ab", "ab", .toDelete), server("abc"), nil), (try state(nil, "", .deleted), nil, nil),
      (try state(nil, "", .deleted), server("ab"), nil), (try state("ab", "ab"), nil, nil),
      (try state("ab", "abc"), nil, .create(title: "Gym", songs: ["a", "b", "c"])),
      (try state("ab", "abc"), server("ab", readOnly: true), nil),
    ]
    for (state, found, request) in cases {
      let planned = try #require(try sync(state, found))
      #expect(planned.request == request, "\(String(describing: state)) \(String(describing: found))")
    }
    #expect(try sync(nil, nil) == nil)
  }

  @Test("a second sync changes nothing, whether the server did what it was asked for or not")
  func again() throws {
    let first = try #require(try sync(try state("abcd", "dabx"), server("abcdy")))
    #expect(text(first.state.local) == "dabxy" && first.state.base == ["a", "b", "c", "d", "y"])
    let unsent = try #require(try sync(first.state, server("abcdy")))
    #expect(unsent.state == first.state && unsent.request == first.request && unsent.result.pulled.isEmpty)
    for state in [first.state, first.stateAfterPush()] {
      let sent = try #require(try sync(state, server("dabxy")))
      #expect(sent.request == nil && sent.result.pulled.isEmpty && sent.result.pushed.isEmpty)
      #expect(text(sent.state.local) == "dabxy" && sent.state == first.stateAfterPush())
    }
    // What was sent without an answer and removed here since does not come back.
    var edited = first.state
    edited.local.removeAll { $0 == .song("x") }
    let removed = try #require(try sync(edited, server("dabxyz")))
    #expect(text(removed.state.local) == "dabyz" && removed.request != nil)
  }

  @Test("a list that was not read leaves everything as it is")
  func unread() throws {
    let state = try state("ab", "b")
    let sync = ListSync(unread: state, of: try gym())
    #expect(sync.state == state && sync.request == nil && sync.result.status == .waiting(.notRead))
    #expect(sync.result.pushed == [ListChange(.removed, .song("a"), at: 1)])
  }
}
