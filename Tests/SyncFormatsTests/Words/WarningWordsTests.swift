// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("warnings in words")
struct WarningWordsTests {
  private static let moment = Timestamp(secondsSince1970: 1_800_000_000)

  @Test("every warning has its sentence")
  func warnings() throws {
    let news = try #require(PlaylistName("news"))
    let rows: [(Warning, String)] = [
      (
        .usageAboveWarning(used: ByteCount(900), budget: ByteCount(1000)),
        "the library holds 900 B of its budget of 1000 B (90 %)"
      ),
      (
        .usageAboveWarning(used: ByteCount(1), budget: .zero), "the library holds 1 B of its budget of 0 B (100 %)"
      ),
      (
        .durationDiffers(title: "A", declared: .seconds(225), actual: .seconds(3700)),
        "\"A\" plays 1:01:40, not 3:45 as declared (checks.duration)"
      ),
      (
        .durationsUnknown(.libraryMissing),
        "TagLib is missing (libtag.so.1), so no duration was checked; install libtag1v5, or set checks.duration to off"
      ),
      (
        .durationsUnknown(.programMissing),
        "the program syncjob-tags is missing, so no duration was checked; put it beside syncjob, or into"
          + " ../libexec/syncjob, or set checks.duration to off"
      ),
      (
        .durationsUnknown(.notStarted(.eacces)),
        "the program syncjob-tags cannot be started (permission denied), so no duration was checked; look at its mode and at"
          + " the limits of this user, or set checks.duration to off"
      ),
      (
        .tagsNotWritten(.programTooOld),
        "the program syncjob-tags is of an earlier version, so files were published without new tags, and they stay without;"
          + " install the one that came with this syncjob, then fetch them again (syncjob remove and syncjob retry), or set"
          + " tags.mode to off"
      ),
      (
        .notTagged(title: "A", .noRoom(lacking: ByteCount(5))),
        "\"A\" was published without new tags: the copy that gets the tags needs 5 B more on the disk"
      ),
      (
        .notTagged(title: "A", .format("webm")),
        "\"A\" was published without new tags: syncjob-tags writes no tags into webm files"
      ),
      (
        .notTagged(title: "A", .refused(.eacces)),
        "\"A\" was published without new tags: the copy that gets the tags could not be written (permission denied)"
      ),
      (
        .notAttached(.picture, title: "A", .notFetched(.http(status: 404))),
        "the picture of \"A\" was not fetched: the server answered 404 (not found)"
      ),
      (
        .notAttached(.picture, title: "A", .notOfThatKind),
        "the picture of \"A\" was left out: the server sent neither a JPEG nor a PNG"
      ),
      (
        .notAttached(.chapters, title: "A", .noPlace(fileExtension: "m4a")),
        "the chapters of \"A\" were left out: TagLib has no place for them in m4a files"
      ),
      (
        .pinsOverBudget(lacking: ByteCount(5)),
        "pinned items alone exceed the budget by 5 B; unpin some or raise storage.budget"
      ),
      (
        .protectedOverBudget(lacking: ByteCount(5)),
        "items that may not be evicted (pinned, half played, or held by a keep rule) are 5 B over the budget by themselves, so"
          + " nothing else was evicted for it; relax a rule, or raise storage.budget"
      ),
      (
        .overBudget(lacking: ByteCount(5)),
        "the library is 5 B over its budget, and the rest may not be evicted: it is pinned, half played, held by a keep rule,"
          + " or younger than storage.evict.min_age; relax one of them, or raise storage.budget"
      ),
      (
        .pinsOverShare(news, lacking: ByteCount(5)),
        "pinned items of news alone exceed its share of the budget by 5 B; unpin some or raise playlists.news.budget"
      ),
      (
        .playlistOverBudget(news, lacking: ByteCount(5)),
        "news is 5 B over its share of the budget, and the rest of it may not be evicted: it is pinned, half played, held by a"
          + " keep rule, or younger than storage.evict.min_age; relax one of them, or raise playlists.news.budget"
      ),
      (
        .freeSpaceBelowMinimum(free: ByteCount(5), minimum: ByteCount(10)),
        "the file system has 5 B free, less than storage.min_free (10 B)"
      ),
      (
        .changedByOthers(path: try #require(LibraryPath("Mix/a\u{1B}.mp3"))),
        "\"Mix/a\\u{1B}.mp3\" is not the file that was stored there and is left alone; move it away, or return its item to"
          + " the queue with `verify --repair`"
      ),
      (.sourceNotWhole(news, .empty), "news: the source is empty; its items stay as they are"),
      (
        .sourceNotWhole(news, .empty, unusableSince: Timestamp(secondsSince1970: 0)),
        "news: the source is empty; it has been like this since 1970-01-01T00:00:00Z; its items stay as they are"
      ),
      (
        .sourceEmpty(news, isServer: true),
        "news: the server found no songs; if there should be some, check what the playlist asks for under \"subsonic\""
      ),
      (
        .serverNotRead(news, .unreachable(.http(status: 404))),
        "news: the server answered 404 (not found); look at servers.news.url; the items of its playlists stay as they are"
      ),
      (
        .serverNotRead(news, .unreachable(.http(status: 401))),
        "news: the server refused the login (it answered 401); look at servers.news.auth; the items of its playlists stay"
          + " as they are"
      ),
      (
        .serverNotRead(news, .refused(code: 40, message: "Wrong")),
        "news: the server refused a request: \"Wrong\" (Subsonic error 40); look at the user and the password of"
          + " servers.news.auth; the items of its playlists stay as they are"
      ),
      (
        .serverNotRead(news, .notSubsonic),
        "news: the answer is not one of the Subsonic API; look at servers.news.url; the items of its playlists stay as they"
          + " are"
      ),
      (
        .privateAddress("::1", items: 2),
        "2 items of the plan are at the private address ::1, which a source may not name; allow it with"
          + " downloads.network.allow_private: [\"::1\"]"
      ),
      (
        .searchUnavailable(.tooOld(version: "2023.01.02"), PlannedSearches(only: 1, asLastResort: 4)),
        "1 item of the plan is searched for, but yt-dlp 2023.01.02 is too old, 2024.01.01 is the oldest that is used;"
          + " update it, for example with `pipx upgrade yt-dlp`"
      ),
      (
        .searchUnavailable(.notInstalled, PlannedSearches(asLastResort: 2)),
        "2 items of the plan are searched for if all else fails, but yt-dlp is not installed, or not in PATH; install it,"
          + " for example with `pipx install yt-dlp`"
      ),
      (
        .sourceStale(news, .published(Timestamp(secondsSince1970: 0)), limit: .seconds(90 * 86_400)),
        "news: the newest entry is from 1970-01-01, longer ago than report.stale_after allows (90 d); see whether the source"
          + " has ended or moved"
      ),
      (
        .sourceStale(news, .changed(Timestamp(secondsSince1970: 0)), limit: .seconds(86_400)),
        "news: the entries have not changed since 1970-01-01, longer ago than report.stale_after allows (1 d); see whether"
          + " the source has ended or moved"
      ),
      (.sourceEmpty(news), "news: the source has no entries; if it should have some, look for another address"),
      (
        .listingFlaw(news, ListingFlaw(.onlyImage(title: "Map"))),
        "news: \"Map\" has only an image; match: { type: \"image/*\" } asks for images"
      ),
      (
        .hostLeftAlone(try RemoteURL("https://a.example/x").origin, times: 10, .http(status: 500)),
        "a.example failed 10 times in a row (the server answered 500 (internal server error)) and is left alone for the"
          + " rest of this run; the next one tries again"
      ),
      (.listingFlaw(news, ListingFlaw(.badDate("soon"), line: 12, entry: 2)), "news: line 12: \"soon\" is not a date"),
      (
        .implausibleClock(now: Timestamp(secondsSince1970: 0), latestSeen: Timestamp(secondsSince1970: 0)),
        "the clock says 1970-01-01T00:00:00Z, which is before this program was written; nothing will expire or be removed"
      ),
      (
        .implausibleClock(now: ClockRule.earliest, latestSeen: Self.moment),
        "the clock says 2026-11-01T00:00:00Z, but an earlier run saw 2027-01-15T08:00:00Z; "
          + "nothing will expire or be removed"
      ),
      (
        .folderPassedOver(FileError(.list, "/l/lost+found", code: .eacces)),
        "cannot list the folder \"/l/lost+found\": permission denied; check who owns it and who may write there; its"
          + " contents were not looked at"
      ),
      (
        .playlistFileTaken(try #require(PlaylistName("mix")), name: "Mix.m3u8", instead: nil),
        "\"Mix.m3u8\" is not a file of syncjob and is left alone; the playlist file of mix is not written; move the other"
          + " file away to have it there"
      ),
      (
        .folderObstructed(path: try #require(LibraryPath("Roads")), files: 2),
        "\"Roads\" is not a folder, and 2 files of the plan belong into it; move it out of the way"
      ),
      (
        .filesUnreachable(path: try #require(LibraryPath("Roads")), .eacces, files: 2),
        "2 files in \"Roads\" cannot be examined and stay as they are: permission denied; check who owns it and who may"
          + " read there"
      ),
      (
        .folderClosed(path: try #require(LibraryPath("Roads")), .eacces, files: 1),
        "no file can be put into the folder \"Roads\", and 1 file of the plan belongs there: permission denied;"
          + " check who owns it and who may write there"
      ),
      (
        .runUnderWay(holder: "process 7"),
        "a run is under way (process 7); this leaves out what it has not recorded yet"
      ),
      (
        .stateOpenToOthers(path: "/l/My state", isClosed: false),
        "other users can write into \"/l/My state\" and change the job's state, and it belongs to one of them; make"
          + " it yours alone, as root, with: chown -R USER '/l/My state' && chmod 700 '/l/My state'"
      ),
      (
        .stateReadableByOthers(path: "/l/.syncjob"),
        "other users could list \"/l/.syncjob\"; it is open to its owner alone now (mode 0700)"
      ),
      (
        .offline,
        "no host can be reached, so nothing was fetched; partial downloads are kept, and the next run goes on with them"
          + " (--wait-for-network 10m waits for a connection)"
      ),
      (.recovered(.journalTailTorn), "the last change of an interrupted run was cut off and is set aside"),
    ]
    for (warning, sentence) in rows { #expect(warning.words == sentence) }
  }

  @Test(
    "every note of a feed",
    arguments: [
      (ListingNote.withoutEnclosure(title: "One"), "\"One\" has nothing to fetch"),
      (.badURL("a b"), "\"a b\" is not a URL that can be fetched"), (.badDate("soon"), "\"soon\" is not a date"),
      (
        .localFile("/m/a.mp3"),
        "\"/m/a.mp3\" is a local file, which only a list in a file may name; copy the list here, or give its files URLs"
      ),
      (
        .outsideRoots("../a.mp3"),
        "\"../a.mp3\" is neither below the list's folder nor below one of its roots; add its folder to roots"
      ),
      (.unknownReference("&nbsp;"), "\"&nbsp;\" is not valid XML and was read as text"),
      (
        .repairedEncoding,
        "the document has bytes outside its declared encoding, or characters that XML forbids; they were replaced"
      ),
      (
        .contentAfterEnd,
        "more content follows the end of the document and was ignored; it may be damaged, so nothing in it counts as gone"
      ),
      (
        .repeatedPage(3),
        "page 3 of the feed names a page as the next one that was read before; nothing in the feed counts as gone"
      ), (.morePages(100), "the feed has more than the 100 pages that were read; nothing in it counts as gone"),
      (
        .unmatchedPattern(key: "skip", "Tlaks*", names: ["News/World", "Talks"]),
        "\"Tlaks*\" (skip) matches no folder or title; the document has \"News/World\", \"Talks\""
      ),
      (.badPage, "the address of the next page cannot be requested; nothing in the feed counts as gone"),
    ])
  func notes(note: ListingNote, sentence: String) { #expect(note.words == sentence) }

  @Test(
    "every problem of a source",
    arguments: [
      (
        SourceProblem.unreachable(.http(status: 404)),
        "the source could not be fetched: the server answered 404 (not found); put the source's new address into the manifest, or"
          + " take the playlist out"
      ),
      (
        .unreachable(.http(status: 403)),
        "the source could not be fetched: the server answered 403 (forbidden); look at the playlist's auth, and whether the source"
          + " is still public"
      ),
      (
        .unreachable(.http(status: 410)),
        "the source could not be fetched: the server answered 410 (gone for good); put the source's new address into the manifest,"
          + " or take the playlist out; it is not asked for again until the manifest changes"
      ),
      (
        .unreachable(.http(status: 500)),
        "the source could not be fetched: the server answered 500 (internal server error)"
      ),
      (
        .nothingUsable(entries: 2),
        "the source has 2 entries, and none of them can be fetched; look for the address of one with media"
      ), (.unreadableFile(path: "/x", ErrnoCode(2)), "cannot read the source \"/x\": no such file or directory"),
      (
        .unfinishedFile(path: "/x", after: .seconds(30)),
        "cannot read the source \"/x\": it is not a plain file, and its writer did not finish within 30 s"
      ),
      (.otherKind(.list), "the address gives a list, so write \"list:\" for it"),
      (.otherKind(.feed), "the address gives a feed, so write \"feed:\" for it"),
      (.otherKind(.opml), "the address gives an OPML document, a list of feeds, so write \"opml:\" for it"),
      (
        .outsideRoots(entries: 3),
        "each of the 3 files of the list lies outside of its folder and its roots; add the folder of the files to roots"
      ),
      (
        .outsideRoots(entries: 1),
        "the only file of the list lies outside of its folder and its roots; add the folder of the files to roots"
      ),
      (
        .page(4, .unreachable(.http(status: 404))),
        "page 4 of the feed is missing: the server answered 404 (not found); select.pages: 3 leaves it out"
      ),
      (.webPage, "the address gives a web page; look for the address of the feed or list itself"),
      (.empty, "the source is empty"), (.page(2, .empty), "page 2 of the feed: the source is empty"),
      (.notAJSONFeed, "the document is JSON, but not a JSON Feed (it has no version of that format)"),
      (.notAFeed(root: "opml"), "the document is not a feed (its root is <opml>)"),
      (.notAList(.text), "the document is not a list: it is neither M3U, PLS, XSPF nor JSPF"),
      (.notAList(.json), "the document is JSON, but not a list in JSPF (it has no \"playlist\")"),
      (.notAList(.xml(root: "smil")), "the document is not a list in XSPF (its root is <smil>)"),
      (
        .notAList(.hls(tag: "#EXT-X-VERSION")),
        "the list describes the parts of one HLS stream (#EXT-X-VERSION), which are no items; only lists of whole files are"
          + " read"
      ),
      (.malformed(line: 7, detail: "x\u{7}"), "the source breaks off or is damaged at line 7 (x\\u{7})"),
      (.excessive("entities"), "the source has more than is accepted: entities"),
      (.suddenlyEmpty(before: 300), "the source has no item, and had 300 before"),
      (
        .noReader(detail: "libxml2.so.2: cannot open shared object file: No such file or directory"),
        "XML cannot be read here: libxml2.so.2: cannot open shared object file: No such file or directory; install libxml2"
      ),
    ])
  func problems(problem: SourceProblem, sentence: String) { #expect(problem.words == sentence) }

  @Test("a safety stop says how to go on")
  func safetyStop() {
    #expect(
      SafetyStop.tooManyDepartures(count: 2, earlier: 14, limit: 15, base: 60).words
        == "2 items would be removed because their sources no longer list them, and 14 went for that reason in the last seven"
        + " days: together more than storage.max_delete allows (15 of 60); look at it with `syncjob plan`, then allow it once"
        + " with --max-delete 16")
    #expect(
      SafetyStop.tooManyRemovals(count: 40, limit: 25, finished: 100).words
        == "40 of 100 finished items would be removed, more than storage.max_delete allows (25)"
        + "; look at it with `syncjob plan`, then allow it once with --max-delete 40")
    for (origin, name) in [(LimitOrigin.flag, "--max-delete"), (.environment, "$SYNCJOB_MAX_DELETE")] {
      let stop = SafetyStop.tooManyRemovals(count: 40, limit: 25, finished: 100, setBy: origin)
      #expect(stop.words.hasPrefix("40 of 100 finished items would be removed, more than \(name) allows (25); "))
    }
  }
}
