// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension Warning {
  /// One sentence without a full stop.
  package var words: String {
    switch self {
    case .usageAboveWarning(let used, let budget):
      "the library holds \(used.words) of its budget of \(budget.words)"
        + " (\((Double(used.bytes) / Double(max(1, budget.bytes))).percentWords))"
    case .pinsOverBudget(let lacking):
      "pinned items alone exceed the budget by \(lacking.words); unpin some or raise storage.budget"
    case .protectedOverBudget(let lacking):
      "items that may not be evicted (pinned, half played, or held by a keep rule) are \(lacking.words) over the budget by themselves,"
        + " so nothing else was evicted for it; relax a rule, or raise storage.budget"
    case .overBudget(let lacking):
      "the library is \(lacking.words) over its budget, and the rest may not be evicted: it is pinned, half played, held by a"
        + " keep rule, or younger than storage.evict.min_age; relax one of them, or raise storage.budget"
    case .playlistOverBudget(let playlist, let lacking):
      "\(playlist) is \(lacking.words) over its share of the budget, and the rest of it may not be evicted: it is pinned, half"
        + " played, held by a keep rule, or younger than storage.evict.min_age; relax one of them, or raise"
        + " playlists.\(playlist).budget"
    case .pinsOverShare(let playlist, let lacking):
      "pinned items of \(playlist) alone exceed its share of the budget by \(lacking.words); unpin some or raise"
        + " playlists.\(playlist).budget"
    case .freeSpaceBelowMinimum(let free, let minimum):
      "the file system has \(free.words) free, less than storage.min_free (\(minimum.words))"
    case .notMoved(let path, let target, let error):
      "\(path.text.quoted) stays where it is instead of moving to \(target.text.quoted): \(error.words)"
    case .notRemoved(let path, let error): error.wordsOfRemoval(of: path)
    case .changedByOthers(let path):
      "\(path.text.quoted) is not the file that was stored there and is left alone; move it away, or return its item to the"
        + " queue with `verify --repair`"
    case .sourceNotWhole(let playlist, let problem, let since):
      "\(playlist): \(problem.words)\(since.map { "; it has been like this since \($0.rfc3339)" } ?? "")"
        + "; its items stay as they are"
    case .sourceMoved(let playlist, let address):
      "\(playlist): the feed has moved to \(address.printable), where it is read from now on; put that address into the manifest"
    case .serverNotRead(let server, let problem):
      "\(server): \(problem.words(ofServer: server)); the items of its playlists stay as they are"
    case .sourceEmpty(let playlist, isServer: false):
      "\(playlist): the source has no entries; if it should have some, look for another address"
    case .sourceEmpty(let playlist, isServer: true):
      "\(playlist): the server found no songs; if there should be some, check what the playlist asks for under \"subsonic\""
    case .sourceStale(let playlist, .published(let time), let limit):
      "\(playlist): the newest entry is from \(time.rfc3339.prefix(10)), longer ago than report.stale_after allows (\(limit.spanWords)); see"
        + " whether the source has ended or moved"
    case .sourceStale(let playlist, .changed(let time), let limit):
      "\(playlist): the entries have not changed since \(time.rfc3339.prefix(10)), longer ago than report.stale_after allows"
        + " (\(limit.spanWords)); see whether the source has ended or moved"
    case .historyNotRead(let path, let problem): problem.words(path: path)
    case .qualityLimited(let cap, let quality, let items):
      "the battery is at \(cap.battery.words), so \(items.counted("new item")) \(items == 1 ? "is" : "are") fetched in"
        + " \(quality.words) (\(cap.limit.key))"
    case .playsWaiting(let count, let noun, let server, let problem):
      "\(count.counted(noun.rawValue)) could not be pushed to \(server), and the next run tries again: \(problem.reason)"
    case .notSubscribed(let feeds, let server, let problem?):
      "\(server) could not be told of \(HistoryWords.names(of: feeds)), and the next run tries again: \(problem.reason)"
    case .notSubscribed(let feeds, let server, nil):
      "\(server) does not take the subscription to \(HistoryWords.names(of: feeds)); it is not told of it again"
    case .playsDropped(let items, let noun, let server, let reason):
      "\(items.count.counted(noun.rawValue)) (\(HistoryWords.names(of: items))) will not be pushed to \(server): \(reason.words)"
    case .outboxUnusable(let error): "no play is pushed: \(error.words)"
    case .list(let playlist, let trouble): trouble.words(of: playlist)
    case .outboxDamaged:
      "the outbox of plays is damaged and begins anew: earlier plays that were not pushed yet will not be pushed"
    case .historyZoneAssumed(let path, let isImport): HistoryWords.zoneAssumed(path, isImport: isImport)
    case .playLogMissing:
      "there is no log of the plays that were counted (plays.jsonl); it begins anew, and what was played before the last recorded play"
        + " of an item is not counted again"
    case .folderPassedOver(let error): "\(error.words); its contents were not looked at"
    case .playlistFileTaken(let playlist, let name, let instead):
      "\(name.quoted) is not a file of syncjob and is left alone; the playlist file of \(playlist) is "
        + (instead.map { "\($0.quoted) instead" } ?? "not written") + "; move the other file away to have it there"
    case .folderObstructed(let path, let files):
      "\(path.text.quoted) is not a folder, and \(files.counted("file")) of the plan \(files == 1 ? "belongs" : "belong") into"
        + " it; move it out of the way"
    case .folderClosed(let path, let code, let files):
      "no file can be put into the folder \(path.text.quoted), and \(files.counted("file")) of the plan"
        + " \(files == 1 ? "belongs" : "belong") there: \(code.words); \(code.folderAdvice)"
    case .filesUnreachable(let path, let code, let files):
      "\(files.counted("file")) in \(path.text.quoted) cannot be examined and"
        + " \(files == 1 ? "stays as it is" : "stay as they are"): \(code.words); \(code.searchAdvice)"
    case .protectionGoesOn(let files, let bytes):
      "\(files.counted("more file")), \(bytes.words) in all, \(files == 1 ? "is" : "are") left as"
        + " \(files == 1 ? "it is" : "they are"), sealed or not; the next runs go on"
    case .trashInClear(let files):
      "\(files.counted("file")) in the trash \(files == 1 ? "is" : "are") in clear until storage.trash.keep has passed; to be rid"
        + " of \(files == 1 ? "it" : "them") now, set that to 0s for one run"
    case .sealedFilesNotOpened(let count):
      "\(count.counted("sealed file")) \(count == 1 ? "was" : "were") compared, but not opened, because there are no keys"
    case .sealedFilesStay(let count):
      "\(count.counted("file")) \(count == 1 ? "stays" : "stay") sealed as \(count == 1 ? "it is" : "they are"): no key"
        + " of protect.keys_file opens \(count == 1 ? "it" : "them")"
    case .sealedByLicense(let count):
      "\(count.counted("file")) \(count == 1 ? "stays" : "stay") sealed, because \(count == 1 ? "its licence forbids" : "their licences forbid")"
        + " to have \(count == 1 ? "it" : "them") in clear"
    case .notLicensed(let title, let problem, let server, let expiresAt):
      problem.words(of: title, server, expiresAt: expiresAt)
    case .manyNotLicensed(let count, let problem, let server, let areOver):
      problem.words(ofMany: count, server, areOver: areOver)
    case .keysDestroyed(let count):
      "the content \(count == 1 ? "key" : "keys") of \(count.counted("file")) \(count == 1 ? "is" : "are") destroyed, because"
        + " \(count == 1 ? "its licence is" : "their licences are") over; new licences bring \(count == 1 ? "it" : "them") back"
    case .licensesDamaged(let path):
      "licenses.json was damaged and is kept as \(path.quoted); new licences bring its content keys back"
    case .licensesDue(let count):
      "\(count.counted("licence")) \(count == 1 ? "is" : "are") due; a run asks for new ones first, and this plan does not"
    case .notProtected(let path, let failure): failure.words(path)
    case .runUnderWay(let holder):
      "a run is under way\(holder.map { " (\($0.printable))" } ?? ""); this leaves out what it has not recorded yet"
    case .privateAddress(let address, let items):
      "\(items.counted("item")) of the plan \(items == 1 ? "is" : "are") at the private address \(address.printable), which a"
        + " source may not name; \(PrivateAddressWords.allowing(address))"
    case .searchUnavailable(let problem, let searches):
      searches.only > 0
        ? "\(searches.only.counted("item")) of the plan \(searches.only == 1 ? "is" : "are") searched for, but \(problem.words)"
        : "\(searches.asLastResort.counted("item")) of the plan \(searches.asLastResort == 1 ? "is" : "are") searched for if"
          + " all else fails, but \(problem.words)"
    case .reportNotWritten(let key, let error): "\(key): \(error.words)"
    case .reportNotAmended(let reason): "the kept report does not say that the hook failed: \(reason)"
    case .pingFailed(let signal, let problem): "report.ping: \(problem.words(signal))"
    case .hookFailed(let problem): "hooks.\(problem.kind.rawValue): \(problem.words)"
    case .hookLeftOut(let files, .failures(let count), _):
      "hooks.item: not called for \(files.counted("more file")), because \(count) calls in a row came to no end of their own"
    case .hookLeftOut(let files, .stopped, _):
      "hooks.item: not called for \(files.counted("more file")), because the run was stopped"
    case .listingFlaw(let playlist, let flaw): "\(playlist): \(flaw.words)"
    case .moreListingFlaws(let playlist, let count):
      "\(playlist): \(count.counted("more flaw")); the JSON report lists them in \"flaws\" of this source"
    case .implausibleClock(let now, _) where now < ClockRule.earliest:
      "the clock says \(now.rfc3339), which is before this program was written; nothing will expire or be removed"
    case .implausibleClock(let now, let latest):
      "the clock says \(now.rfc3339), but an earlier run saw \(latest.rfc3339); nothing will expire or be removed"
    case .recovered(let note): note.words
    case .sharedDisk(let path, let type):
      "\(path.quoted) lies on a network file system (\(type.printable)), where the locks of other machines may not be seen:"
        + " let runs be started on one machine only"
    case .stateOpenToOthers(let path, isClosed: true):
      "other users could write into \(path.quoted) and change the job's state; it is open to its owner alone now"
        + " (mode 0700)"
    case .stateOpenToOthers(let path, isClosed: false):
      "other users can write into \(path.quoted) and change the job's state, and it belongs to one of them; make it"
        + " yours alone, as root, with: chown -R USER \(path.operandWord) && chmod 700 \(path.operandWord)"
    case .stateReadableByOthers(let path):
      "other users could list \(path.quoted); it is open to its owner alone now (mode 0700)"
    case .secretIsPublic(let path):
      "\(path.quoted) holds a secret that every user of this machine can read; `chmod go= \(path.printable)` takes that away"
    case .durationDiffers(let title, let declared, let actual):
      "\(title.quoted) plays \(actual.clockWords), not \(declared.clockWords) as declared (checks.duration)"
    case .durationsUnknown(let problem):
      "\(problem.words), so no duration was checked; \(problem.advice), or set checks.duration to off"
    case .tagsNotWritten(let problem):
      "\(problem.words), so files were published without new tags, and they stay without; \(problem.advice), then fetch"
        + " them again (syncjob remove and syncjob retry), or set tags.mode to off"
    case .notTagged(let title, let failure):
      "\(title.quoted) was published without new tags: \(failure.words)"
    case .notAttached(let kind, let title, let failure):
      "\(kind.words) of \(title.quoted) \(failure.words(kind))"
    case .offline:
      "no host can be reached, so nothing was fetched; partial downloads are kept, and the next run goes on with them"
        + " (--wait-for-network 10m waits for a connection)"
    case .hostLeftAlone(let host, let times, let failure):
      "\(host.text.printable) failed \(times) times in a row (\(failure.words)) and is left alone for the rest of this"
        + " run; the next one tries again"
    }
  }
}

extension HookProblem {
  fileprivate var words: String {
    let subject = program.quoted + (title.map { " for \($0.quoted)" } ?? "")
    let said = message.map { ": \($0.printable)" } ?? ""
    return switch cause {
    case .exited(let status): "\(subject) ended with status \(status)\(said)"
    case .signalled(let signal): "\(subject) was ended by signal \(signal)\(said)"
    case .notStarted(let code): "cannot start \(subject): \(code.words)"
    case .tookTooLong(let limit):
      "\(subject) did not end within \(limit.spanWords) (hooks.timeout) and was ended\(said)"
    case .stopped: "\(subject) was ended or not called, because the run was stopped"
    }
  }
}

extension PingProblem {
  fileprivate func words(_ signal: PingSignal) -> String {
    let message = signal == .start ? "the run began" : "the run ended"
    switch self {
    case .file(let problem): return "\(problem.words), so nobody was told that \(message)"
    case .notURL(let path): return "\(path.quoted) does not contain a URL, so nobody was told that \(message)"
    case .request(let host, .http(status: 404)):
      return "\(host.printable) does not know this URL (it answered 404) and was not told that \(message)"
    case .request(let host, let failure):
      return "\(host.printable) was not told that \(message): \(failure.words)"
    case .tooSlow(let host, let after):
      return "\(host.printable) was not told that \(message): it did not answer within \(after.spanWords)"
    }
  }
}

enum PrivateAddressWords {
  /// The key that allows the address, as it is written.
  static func allowing(_ address: String) -> String {
    let value = address.contains(":") ? address.quoted : address.printable
    return "allow it with downloads.network.allow_private: [\(value)]"
  }
}

extension ListingFlaw {
  /// The line number comes first, as in compiler messages.
  package var words: String { (line.map { "line \($0): " } ?? "") + note.words }
}

extension ListingNote {
  package var words: String {
    switch shortened {
    case .withoutEnclosure(let title): "\(title.quoted) has nothing to fetch"
    case .onlyImage(let title): "\(title.quoted) has only an image; match: { type: \"image/*\" } asks for images"
    case .live(let title): "\(title.quoted) is live, or has not begun; it is fetched when it is over"
    case .badURL(let text): "\(text.withoutLogin.quoted) is not a URL that can be fetched"
    case .localFile(let text):
      "\(text.withoutLoginInPath.quoted) is a local file, which only a list in a file may name; copy the list here, or give its files URLs"
    case .outsideRoots(let text):
      "\(text.withoutLoginInPath.quoted) is neither below the list's folder nor below one of its roots; add its folder to roots"
    case .withoutFeed(let title): "the outline \(title.quoted) has no xmlUrl, the address of a feed"
    case .repeatedFeed(let title): "\(title.quoted) has the address of a feed that is listed before and was skipped"
    case .notFollowed(let text):
      "\(text.withoutLogin.quoted) is another document, which is not followed"
    case .unmatchedPattern(let key, let pattern, let names):
      "\(pattern.quoted) (\(key)) matches no folder or title; the document has \(names.choice)"
    case .badDate(let text): "\(text.quoted) is not a date"
    case .unknownReference(let text): "\(text.quoted) is not valid XML and was read as text"
    case .repairedEncoding:
      "the document has bytes outside its declared encoding, or characters that XML forbids; they were replaced"
    case .contentAfterEnd:
      "more content follows the end of the document and was ignored; it may be damaged, so nothing in it counts as gone"
    case .repeatedPage(let number):
      "page \(number) of the feed names a page as the next one that was read before; nothing in the feed counts as gone"
    case .morePages(let number):
      "the feed has more than the \(number) pages that were read; nothing in it counts as gone"
    case .badPage:
      "the address of the next page cannot be requested; nothing in the feed counts as gone"
    }
  }
}

extension [String] {
  /// The number of names that a sentence lists.
  private static let listed = 8

  /// The names, as far as a sentence can hold them.
  fileprivate var choice: String {
    let shown = prefix(Self.listed).map(\.quoted).joined(separator: ", ")
    return count > Self.listed ? "\(shown) and \(count - Self.listed) more" : shown
  }
}

extension SourceProblem {
  package var words: String {
    switch self {
    case .unreachable(let failure):
      "the source could not be fetched: \(failure.words)" + (Self.remedy(failure).map { "; " + $0 } ?? "")
    case .unreadableFile(let path, let code): "cannot read the source \(path.quoted): \(code.words)"
    case .unfinishedFile(let path, let time):
      "cannot read the source \(path.quoted): it is not a plain file, and its writer did not finish within "
        + time.spanWords
    case .webPage: "the address gives a web page; look for the address of the feed or list itself"
    case .empty: "the source is empty"
    case .notAJSONFeed: "the document is JSON, but not a JSON Feed (it has no version of that format)"
    case .notAFeed(let root): "the document is not a feed (its root is <\(root.excerpt.printable)>)"
    case .notAnOutline(let root): "the document is not OPML (its root is <\(root.excerpt.printable)>)"
    case .notAList(.text): "the document is not a list: it is neither M3U, PLS, XSPF nor JSPF"
    case .notAList(.json): "the document is JSON, but not a list in JSPF (it has no \"playlist\")"
    case .notAList(.xml(let root)): "the document is not a list in XSPF (its root is <\(root.excerpt.printable)>)"
    case .notAList(.hls(let tag)):
      "the list describes the parts of one HLS stream (\(tag.excerpt.printable)), which are no items; only lists of whole"
        + " files are read"
    case .malformed(let line, let detail):
      "the source breaks off or is damaged at line \(line) (\(detail.excerpt.printable))"
    case .excessive(let what): "the source has more than is accepted: \(what.excerpt.printable)"
    case .suddenlyEmpty(let before): "the source has no item, and had \(before) before"
    case .notAllListed(let listed, let count):
      "the server listed \(listed) of the \(count) entries of the playlist"
    case .server(let name, let problem): problem.words(ofServer: name)
    case .otherKind(let kind): "the address gives \(kind.document), so write \"\(kind.rawValue):\" for it"
    case .outsideRoots(let entries):
      "\(entries == 1 ? "the only file" : "each of the \(entries) files") of the list lies outside of its folder and its"
        + " roots; add the folder of the files to roots"
    case .nothingUsable(let entries):
      "the source has \(entries == 1 ? "1 entry" : "\(entries) entries"), and none of them can be fetched; look for the"
        + " address of one with media"
    case .refused(let code, let message):
      "the server refused a request: \(message.excerpt.quoted) (Subsonic error \(code))"
        + (Self.remedy(code).map { "; " + $0 } ?? "")
    case .notSubsonic: "the answer is not one of the Subsonic API; look at the server's url"
    case .notSubscriptions: "the answer does not list subscriptions; look at the server's url"
    case .unknownName(let name): "the server has nothing called \(name.quoted)"
    case .noneChosen(let patterns, let names):
      (patterns.isEmpty
        ? "only and skip together leave no feed"
        : "\(patterns.choice) (only) matches no folder or title, so that no feed is left")
        + "; the document has \(names.choice), and the feeds that were there before stay"
    case .page(let number, .unreachable(.http(let status))) where [404, 410].contains(status):
      "page \(number) of the feed is missing: \(Failure.http(status: status).words); select.pages: \(number - 1) leaves it"
        + " out"
    case .page(let number, let problem): "page \(number) of the feed: \(problem.words)"
    case .noReader(let detail): "XML cannot be read here: \(detail.printable); install libxml2"
    }
  }

  /// The problem of a whole server.
  fileprivate func words(ofServer server: PlaylistName) -> String {
    switch self {
    case .unreachable(.http(let status)) where status == 404:
      "the server answered 404 (not found); look at servers.\(server).url"
    case .unreachable(.http(let status)) where [401, 403].contains(status):
      "the server refused the login (it answered \(status)); look at servers.\(server).auth"
    case .notSubsonic: "the answer is not one of the Subsonic API; look at servers.\(server).url"
    case .refused(let code, let message):
      "the server refused a request: \(message.quoted) (Subsonic error \(code)); look at "
        + (code == 40 ? "the user and the password of " : "") + "servers.\(server).auth"
    default: words
    }
  }

  /// A person's remedy for an error of the Subsonic API.
  private static func remedy(_ code: Int) -> String? {
    switch code {
    case 10, 41, 42, 43, 44: "look at the server's auth"
    case 40: "look at the user and the password of the server's auth"
    case 50: "give the user the right to download on the server"
    default: nil
    }
  }

  /// A person's remedy for a source that its server does not deliver.
  private static func remedy(_ failure: Failure) -> String? {
    switch failure {
    case .http(403): "look at the playlist's auth, and whether the source is still public"
    case .http(404): "put the source's new address into the manifest, or take the playlist out"
    case .http(410):
      "put the source's new address into the manifest, or take the playlist out; it is not asked for again until the manifest"
        + " changes"
    default: nil
    }
  }
}

extension SourceKind {
  /// The documents of this kind.
  fileprivate var document: String {
    switch self {
    case .feed: "a feed"
    case .list: "a list"
    case .opml: "an OPML document, a list of feeds"
    case .subsonic: "an answer of the Subsonic API"
    case .ytdlp: "a page"
    case .gpodder: "a list of subscriptions"
    }
  }
}

extension SafetyStop {
  package var words: String { words(Invocation()) }

  package func words(_ invocation: Invocation) -> String {
    switch self {
    case .tooManyRemovals(let count, let limit, let finished, let origin):
      "\(count) of \(finished.counted("finished item")) would be removed, more than \(origin.words(of: "max-delete", key: "storage.max_delete")) allows (\(limit))"
        + "; look at it with `\(invocation.command("plan"))`, then allow it once with --max-delete \(count)"
    case .tooManyDepartures(let count, let earlier, let limit, let base, let origin):
      "\(count.counted("item")) would be removed because their sources no longer list them, and \(earlier) went for that"
        + " reason in the last seven days: together more than \(origin.words(of: "max-delete", key: "storage.max_delete")) allows (\(limit) of \(base))"
        + "; look at it with `\(invocation.command("plan"))`, then allow it once with --max-delete \(count + earlier)"
    }
  }
}

extension LimitOrigin {
  /// The setting that a person has to check.
  /// - Parameter flag: Without dashes: `max-delete`.
  func words(of flag: String, key: String) -> String {
    switch self {
    case .manifest: key
    case .environment: "$" + VariableSettings.variable(of: flag)
    case .flag: "--" + flag
    }
  }
}
