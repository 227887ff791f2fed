// SPDX-License-Identifier: Apache-2.0

/// A problem that a person should know about although the run continues.
package enum Warning: Hashable, Sendable {
  case usageAboveWarning(used: ByteCount, budget: ByteCount)
  case pinsOverBudget(lacking: ByteCount)
  /// The files that must not be evicted exceed the budget by themselves. Nothing else was evicted for them.
  case protectedOverBudget(lacking: ByteCount)
  /// The usage exceeds the budget although everything that may be evicted is gone.
  case overBudget(lacking: ByteCount)
  case playlistOverBudget(PlaylistName, lacking: ByteCount)
  /// The pinned items of the playlist, present or still to come, exceed its share.
  case pinsOverShare(PlaylistName, lacking: ByteCount)
  case freeSpaceBelowMinimum(free: ByteCount, minimum: ByteCount)
  case changedByOthers(path: LibraryPath)
  /// The file stays where it is.
  case notMoved(path: LibraryPath, to: LibraryPath, FileError)
  /// The file should be removed, but its folder or the file system does not permit it.
  case notRemoved(path: LibraryPath, FileError)
  /// - Parameter unusableSince: Set if the document has been unusable for too long to be an accident.
  case sourceNotWhole(PlaylistName, SourceProblem, unusableSince: Timestamp? = nil)
  /// The whole server could not be read. Told once, whatever the number of its playlists.
  case serverNotRead(PlaylistName, SourceProblem)
  /// The source has moved to another address for good, and was read there.
  case sourceMoved(PlaylistName, to: String)
  /// The source has no entries and never had any.
  /// - Parameter isServer: True for songs of a server, which found none.
  case sourceEmpty(PlaylistName, isServer: Bool = false)
  /// The source has had nothing new for longer than `limit`.
  case sourceStale(PlaylistName, SourceReading.LatestNews, limit: Duration)
  /// Items of sources are at a private address that the manifest does not allow. Only a plan says so: a run says it of
  /// each item.
  case privateAddress(String, items: Int)
  /// yt-dlp, which searches for items of the plan, does not work. Only a plan says so: a run says it of each item.
  case searchUnavailable(ExtractionProblem, PlannedSearches)
  /// - Parameter key: The key in the manifest that asks for it.
  case reportNotWritten(key: String, FileError)
  /// The kept report does not have the warning about the hook of the run.
  case reportNotAmended(reason: String)
  /// The monitor of `report.ping` was not told.
  case pingFailed(PingSignal, PingProblem)
  case hookFailed(HookProblem)
  /// The hook of the items was not called for the rest of the files.
  case hookLeftOut(files: Int, HookOmission, isFatal: Bool)
  case historyNotRead(path: String, HistoryProblem)
  /// The player's local times were read as UTC.
  case historyZoneAssumed(path: String, isImport: Bool)
  /// New files are fetched in a lower quality than the manifest wants.
  case qualityLimited(QualityCap, to: Quality, items: Int)
  /// Plays could not be pushed to a server, and wait.
  case playsWaiting(Int, PushedAction.Noun = .play, server: PlaylistName, HistoryProblem)
  /// A server could not be told of these feeds. Nil if the next run tries again.
  case notSubscribed([PlaylistName], server: PlaylistName, HistoryProblem?)
  /// Plays are not pushed to a server any more.
  case playsDropped([ItemID], PushedAction.Noun = .play, server: PlaylistName, PlayDrop)
  /// The outbox of plays, or the log of plays, cannot be read or written, so that nothing is pushed.
  case outboxUnusable(FileError)
  /// The outbox of plays is damaged.
  case outboxDamaged
  case list(PlaylistName, ListTrouble)
  /// There is no log of plays although plays were recorded.
  case playLogMissing
  case listingFlaw(PlaylistName, ListingFlaw)
  /// The number of further flaws in the same feed. The JSON report lists them.
  case moreListingFlaws(PlaylistName, Int)
  case implausibleClock(now: Timestamp, latestSeen: Timestamp)
  case recovered(RecoveryNote)
  /// The library or its state is on a disk that other machines may use too.
  case sharedDisk(path: String, type: String)
  /// Other users could write to the state folder.
  /// - Parameter isClosed: True if they no longer can.
  case stateOpenToOthers(path: String, isClosed: Bool)
  /// Other users could read the contents of the folder. They no longer can.
  case stateReadableByOthers(path: String)
  /// A folder of the library that syncjob has no permission to read. Its contents were not inspected.
  case folderPassedOver(FileError)
  /// Something other than a folder is where files are to be put.
  case folderObstructed(path: LibraryPath, files: Int)
  /// A folder that accepts no new files, where files are to go.
  case folderClosed(path: LibraryPath, ErrnoCode, files: Int)
  /// A folder that may not be searched, where finished files should be. They are neither fetched again nor changed.
  case filesUnreachable(path: LibraryPath, ErrnoCode, files: Int)
  /// The playlist's file would have this name, but a file that is not ours has it.
  /// - Parameter instead: The name that the playlist's file has. Nil if it is not written.
  case playlistFileTaken(PlaylistName, name: String, instead: String?)
  /// Another run is using the inspected library.
  /// - Parameter holder: The holder of the lock. Nil if it did not record itself.
  case runUnderWay(holder: String?)
  /// The protection of these files changes in later runs.
  case protectionGoesOn(files: Int, ByteCount)
  /// These files were removed before the library was sealed.
  case trashInClear(files: Int)
  /// There were no keys to open these files with.
  case sealedFilesNotOpened(Int)
  /// No key opens these files, so they stay as they are.
  case sealedFilesStay(Int)
  /// Their licences forbid media in clear.
  case sealedByLicense(Int)
  /// The file is here and has no new licence. `expiresAt` is the end of the one that it has. Nil without a valid one.
  case notLicensed(title: String, LicenseProblem, server: String, expiresAt: Timestamp?)
  /// The same for many files. `areOver` is true for files without a valid licence.
  case manyNotLicensed(Int, LicenseProblem, server: String, areOver: Bool)
  /// Their content keys are destroyed, because their licences are over.
  case keysDestroyed(Int)
  /// The file with the content keys could not be used and is kept there.
  case licensesDamaged(path: String)
  /// The licences of these files are due, and a plan requests none.
  case licensesDue(Int)
  /// The file stays as it is, sealed or not.
  case notProtected(path: LibraryPath, ProtectionFailure)
  /// A file with a secret that every user of the machine can read.
  case secretIsPublic(path: String)
  /// The file plays longer or shorter than declared, and was published all the same.
  case durationDiffers(title: String, declared: Duration, actual: Duration)
  /// No duration was measured in this run.
  case durationsUnknown(TagProblem)
  /// No tags were written in this run.
  case tagsNotWritten(TagProblem)
  /// The file was published as it was received.
  case notTagged(title: String, TagFailure)
  /// The item's picture or chapters are not where they should be. Its file was published all the same.
  case notAttached(AttachmentKind, title: String, AttachmentFailure)
  /// Nothing at all could be reached.
  case offline
  /// The circuit is open: the host failed this many times in a row, last with this failure. It is not asked again in
  /// this run.
  case hostLeftAlone(RemoteURL.Origin, times: Int, Failure)
}

extension Warning {
  /// The status with which a run will end for the sake of this warning of a plan.
  package var statusOfPlan: ExitStatus {
    if case .searchUnavailable(_, let searches) = self, searches.only > 0 { .temporary } else { .ok }
  }

  /// True if it tells of this problem already.
  package func tells(of problem: ExtractionProblem) -> Bool {
    if case .sourceNotWhole(_, .unreachable(.extraction(problem)), _) = self { true } else { false }
  }

  /// True if a hook was not called, or failed.
  package var isOfHook: Bool {
    switch self {
    case .hookFailed, .hookLeftOut: true
    default: false
    }
  }

  /// True if the hooks of the manifest have to succeed and did not.
  package var isOfFatalHook: Bool {
    switch self {
    case .hookFailed(let problem): problem.isFatal
    case .hookLeftOut(_, _, let isFatal): isFatal
    default: false
    }
  }

  package var isOfClock: Bool { if case .implausibleClock = self { true } else { false } }
}
