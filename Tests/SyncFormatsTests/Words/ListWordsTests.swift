// SPDX-License-Identifier: Apache-2.0

import SyncCore
import Testing

@testable import SyncFormats

@Suite("the words about synced playlists")
struct ListWordsTests {
  private let gym: PlaylistName

  init() throws { gym = try #require(PlaylistName("gym")) }

  @Test("a trouble names the playlist, what happened and the way out")
  func troubles() throws {
    let rows: [(ListTrouble, String)] = [
      (
        .fileNotText("Gym.m3u8"),
        "\"Gym.m3u8\" is not text any more, so nothing is taken from it and it stays as it is; delete it, and the next run"
          + " writes it again"
      ),
      (
        .fileEmpty("Gym.m3u8"),
        "\"Gym.m3u8\" has no song of the playlist any more, which is not taken for a wish to remove them all; delete the file, and the"
          + " next run writes it again, or remove songs with `syncjob playlist remove`"
      ),
      (
        .fileCut("Gym.m3u8", spared: 1),
        "\"Gym.m3u8\" has lost its last line, as a file does that was cut; 1 song at its end stays in the playlist; remove"
          + " songs with `syncjob playlist remove`, or keep that line"
      ),
      (
        .linesKept("Gym.m3u8", count: 2, first: "a\u{1B}.mp3"),
        "\"Gym.m3u8\" names 2 entries that are not songs of the server (\"a\\u{1B}.mp3\", …); such entries stay in the file,"
          + " and the server does not get them"
      ),
      (
        .stateDamaged,
        "its state in the state folder was damaged and is kept aside; changes made here since the last sync are lost, and"
          + " the server's list counts"
      ),
      (
        .stateUnusable(FileError(.read, "/x", .notAFile)),
        "its state cannot be used, so it is not synced: \(FileError(.read, "/x", .notAFile).words)"
      ),
      (
        .notPushed(waiting: 1, .notRead),
        "1 change waits for the server: its list was not read; the next run tries again"
      ),
      (
        .notPushed(waiting: 2, .readOnly),
        "2 changes wait for the server: the server says that this user may not change the playlist; ask its owner, or write"
          + " sync: pull in the manifest"
      ),
      (
        .notPushed(waiting: 2, .refused(reason: "no")),
        "2 changes wait for the server: the server refused (no); see whether this user owns the playlist, or write sync:"
          + " pull in the manifest"
      ),
      (
        .notPushed(waiting: 2, .notTaken),
        "2 changes wait for the server: the server accepted the list, and has another one; the next run merges them"
      ),
      (
        .notPushed(waiting: 2, .unanswered(reason: "it is down")),
        "2 changes wait for the server: it is down; the next run tries again"
      ),
      (.editsDropped(3), "it is not synced any more, so 3 changes made here are dropped"),
    ]
    for (trouble, words) in rows { #expect(Warning.list(gym, trouble).words == "playlist \"gym\": \(words)") }
  }

  @Test("a conflict says what was done on both sides, and what counts")
  func conflicts() {
    let rows: [(ListConflict.Kind, ListConflict.Side, String)] = [
      (.movedTwice, .local, "moved to different places on both sides; the change made here counts"),
      (.addedTwice, .server, "added at different places on both sides; the change made on the server counts"),
      (.removedHereMovedThere, .local, "removed here and moved on the server; the change made here counts"),
      (.movedHereRemovedThere, .server, "moved here and removed on the server; the change made on the server counts"),
      (.deletedHereEditedThere, .local, "the playlist was deleted here and edited on the server; it is deleted"),
      (.deletedHereEditedThere, .server, "the playlist was deleted here and edited on the server; it stays"),
      (.editedHereDeletedThere, .local, "the playlist was edited here and deleted on the server; it is made again"),
      (
        .editedHereDeletedThere, .server,
        "the playlist was edited here and deleted on the server; the changes made here are dropped"
      ),
    ]
    for (kind, side, words) in rows { #expect(ListConflict(kind, taken: side).words == words) }
    #expect(Set(rows.map(\.0)) == Set(ListConflict.Kind.allCases))
  }

  @Test("a refused edit says why, and what to do")
  func edits() throws {
    let home = try #require(PlaylistName("home"))
    let titles = ["s1": "Night Drive"]
    let rows: [(ListEditProblem, String)] = [
      (.unknown("x", synced: []), "there is no playlist \"x\" to edit: no playlist of the manifest has sync: both"),
      (.unknown("x", synced: [gym]), "there is no playlist \"x\" to edit; those with sync: both are \"gym\""),
      (
        .notSynced(gym),
        "the playlist \"gym\" is not kept in step with a server: write sync: both in the manifest, where its source is a"
          + " playlist of a server"
      ),
      (.ofMany(gym), "\"gym\" stands for several playlists: name one of them, as `syncjob status` does"),
      (
        .notSyncedYet(gym),
        "the playlist \"gym\" was never synced, so its list is not known here: run `syncjob sync` first"
      ),
      (.deleted(gym), "the playlist \"gym\" is deleted here; `syncjob playlist create` makes it again"),
      (
        .notOfServer(try #require(ItemID("a")), home),
        "\"a\" is not a song of the server \"home\", which cannot have it in a playlist"
      ),
      (.refused(.absent("s1"), titles: titles), "the playlist does not have \"Night Drive\""),
      (
        .refused(.ambiguous("s1", places: [1, 3]), titles: titles),
        "the playlist has \"Night Drive\" at places 1, 3: say which one with --from"
      ),
      (.refused(.notThere("s2", place: 2), titles: titles), "\"s2\" is not at place 2 of the playlist"),
      (.refused(.beyondEnd(9, count: 1), titles: [:]), "there is no place 9: the playlist has 1 entry"),
      (.refused(.tooLong(limit: 5), titles: [:]), "the playlist would have more than 5 entries"),
      (.exists(gym, title: "Gym"), "the playlist \"gym\" (\"Gym\") is there already"),
      (
        .otherTitle(gym, declared: "Gym"),
        "the manifest calls the playlist \"gym\" \"Gym\" on its server; leave out --title"
      ),
      (.needsTitle(gym), "\"gym\" stands for several playlists: name the new one with --title"),
      (
        .notAdmitted(gym, "Work", patterns: ["Trip*"]),
        "\"Work\" would not be one of the playlists of \"gym\", which are \"Trip*\""
      ),
    ]
    for (problem, words) in rows { #expect(problem.words(Invocation()) == words && problem.status == .usage) }
    #expect(ListEditWords.done(0, gym, isDryRun: false) == "gym: nothing waits for the server")
    #expect(ListEditWords.done(1, gym, isDryRun: false) == "gym: 1 change waits for the next sync")
    #expect(ListEditWords.done(2, gym, isDryRun: true) == "gym: 2 changes would wait for the next sync")
    #expect(ListEditWords.deleteNeedsYes.contains("--yes") && ListEditWords.nothingSynced.contains("sync: both"))
  }
}
