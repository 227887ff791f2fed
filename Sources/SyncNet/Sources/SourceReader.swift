// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats

/// Reads the sources of a manifest: checks if they changed, keeps copies, and uses the copies if the sources fail.
package struct SourceReader {
  let library: Library
  let fetcher: any SourceFetcher
  /// True if fetched documents may be kept for the next run.
  let keeps: Bool
  /// The space that copies must leave free on the file system.
  let minimumFree: ByteCount
  let client: HTTPClient
  let now: Timestamp
  /// The digest of the parts of the manifest that affect a run.
  let manifestDigest: @Sendable () -> SHA256Digest
  let emit: @Sendable (RunEvent) -> Void

  package init(
    library: Library, fetcher: any SourceFetcher, keeps: Bool, minimumFree: ByteCount, client: HTTPClient,
    now: Timestamp, manifestDigest: @escaping @Sendable () -> SHA256Digest, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.library = library
    self.fetcher = fetcher
    self.keeps = keeps
    self.minimumFree = minimumFree
    self.client = client
    self.now = now
    self.manifestDigest = manifestDigest
    self.emit = emit
  }

  /// The number of flaws of one listing that are reported one by one. A source may have thousands. The JSON report lists
  /// them all.
  private static let toldFlaws = 3

  /// The number of sources that are read at once. The fetcher enforces the limits per host.
  private static let width = 8

  /// A playlist's source and the facts recorded about it.
  private struct SourceTask {
    let playlist: Playlist
    let source: FeedSource
    let state: SourceState?
    let health: SourceHealth

    var name: PlaylistName { playlist.name }

    /// The part of a document that the playlist can use.
    func used(_ listing: Listing) -> Listing { listing.used(by: playlist.select, before: state?.itemCount) }

    func used(_ copy: SealedCopy) -> Listing { used(copy.listing) }
  }

  /// Returns one reading for each playlist of `scope` with a source.
  package func read(
    _ playlists: [Playlist], states: [PlaylistName: SourceState], scope: Set<PlaylistName>?
  ) async -> [SourceReading] {
    let store = SourceHealthStore(library: library)
    var healths = store.read()
    let tasks = playlists.compactMap { playlist -> SourceTask? in
      guard case .feed(let feed) = playlist.source, scope?.contains(playlist.name) ?? true else { return nil }
      return SourceTask(
        playlist: playlist, source: feed, state: states[playlist.name],
        health: healths[playlist.name] ?? SourceHealth(states[playlist.name]))
    }
    let readings = await withTaskGroup(of: SourceReading.self) { group in
      var readings: [SourceReading] = []
      for (index, task) in tasks.enumerated() {
        if index >= Self.width, let reading = await group.next() { readings.append(reading) }
        group.addTask { await read(task) }
      }
      for await reading in group { readings.append(reading) }
      return readings
    }
    if keeps {
      let named = Set(playlists.map(\.name))
      healths = healths.filter { named.contains($0.key) }
      for reading in readings { healths[reading.playlist] = reading.health }
      store.write(healths)
    }
    return readings
  }

  private func read(_ task: SourceTask) async -> SourceReading {
    var reading =
      switch task.source.location {
      case .remote(let url): await fetch(task, url)
      case .file(let path): readFile(task, path)
      }
    reading.health = task.health
    reading.listing = client.settings.mask.masked(reading.listing)
    // A run that is being stopped did not read the source to its end.
    guard !Task.isCancelled else { return reading }
    let isOffline = await isOffline(reading)
    switch reading.listing.completeness {
    case .whole, .followedByContent: reading.health.succeed(with: reading.listing.contents, at: now)
    case .partial where isOffline: break
    case .partial(let problem):
      reading.health.fail(problem, message: problem.words, at: now, manifest: manifestDigest)
    }
    announce(reading, task.source.location.shown, isOffline: isOffline)
    return reading
  }

  private func announce(_ reading: SourceReading, _ location: String, isOffline: Bool) {
    let outcome: SourceSummary.Outcome
    switch reading.listing.completeness {
    case .whole, .followedByContent:
      outcome = reading.isUnchanged ? .unchanged : .changed
      if reading.listing.isBare { emit(.warned(.sourceEmpty(reading.playlist))) }
    case .partial(let problem):
      outcome = .problem(problem)
      if !isOffline {
        let failure = reading.health.failure
        let since = failure?.isPermanent ?? false && problem.severity == .doubtful ? failure?.unusableSince : nil
        emit(.warned(.sourceNotWhole(reading.playlist, problem, unusableSince: since)))
      }
    }
    let flaws = reading.listing.flaws
    for flaw in flaws.listed.prefix(Self.toldFlaws) { emit(.warned(.listingFlaw(reading.playlist, flaw))) }
    if flaws.count > Self.toldFlaws { emit(.warned(.moreListingFlaws(reading.playlist, flaws.count - Self.toldFlaws))) }
    emit(
      .sourceRead(
        SourceSummary(
          playlist: reading.playlist, location: location, outcome: outcome, items: reading.listing.entries.count,
          flaws: flaws, health: reading.health)))
  }

  /// True if there is no network. This is not a problem of the source and is reported once for all of them.
  private func isOffline(_ reading: SourceReading) async -> Bool {
    guard case .partial(.unreachable) = reading.listing.completeness, await client.isOffline else { return false }
    await client.announceOffline()
    return true
  }

  // MARK: Over the network

  private func fetch(_ task: SourceTask, _ url: RemoteURL) async -> SourceReading {
    let (name, state) = (task.name, task.state)
    let cached = cache.copy(of: name, from: url)
    if let manifest = task.health.failure?.goneFor, manifest == manifestDigest() {
      return fallback(task, Listing(completeness: .partial(.unreachable(.http(status: 410)))), cached)
    }
    let hasCopy = cached != nil
    let request = SourceRequest(
      url: url, etag: hasCopy ? state?.etag : nil, lastModified: hasCopy ? state?.lastModified : nil,
      playlist: name)
    let intake = DocumentIntake(source: url, spool: spool(for: name))
    switch await fetcher.fetch(request, into: intake) {
    case .success(.notModified):
      let listing = cached.map { task.used($0) } ?? task.used(FeedReader.read([]))
      return SourceReading(
        playlist: name, listing: listing, isUnchanged: true, etag: state?.etag, lastModified: state?.lastModified)
    case .success(.document(let head)): return reading(task, head, intake, cached)
    case .failure(let failure):
      intake.discard()
      let problem: SourceProblem =
        if case .tooLarge(let limit) = failure { .excessive(limit.words) } else { .unreachable(failure) }
      return fallback(task, Listing(completeness: .partial(problem)), cached)
    }
  }

  /// The reading of a document that arrived whole. The document becomes the copy for the next run.
  private func reading(
    _ task: SourceTask, _ head: FetchedDocument, _ intake: DocumentIntake, _ cached: SealedCopy?
  ) -> SourceReading {
    guard var document = intake.finish() else { return fallback(task, FeedReader.read([]), cached) }
    let listing = task.used(document.listing)
    guard listing.completeness.hasEnd else {
      document.discard()
      return fallback(task, listing, cached)
    }
    let isSame = document.seal == cached?.seal
    if isSame { document.discard() } else { document.keep() }
    let state = task.state
    return SourceReading(
      playlist: task.name, listing: listing,
      isUnchanged: isSame && head.etag == state?.etag && head.lastModified == state?.lastModified,
      etag: head.etag, lastModified: head.lastModified)
  }

  /// Combines the entries that arrived with those of the copy. A source that was not read whole may add items but never
  /// remove any.
  private func fallback(_ task: SourceTask, _ listing: Listing, _ cached: SealedCopy?) -> SourceReading {
    var listing = listing
    if let cached {
      let before = task.used(cached)
      let urls = Set(listing.entries.map(\.url))
      listing.title = listing.title ?? before.title
      for entry in before.entries where !urls.contains(entry.url) { listing.entries.append(entry) }
    }
    return SourceReading(playlist: task.name, listing: listing, isUnchanged: true)
  }

  private var cache: SourceCache { SourceCache(library: library) }

  private func spool(for playlist: PlaylistName) -> DocumentSpool? {
    guard keeps, let place = library.cache(playlist) else { return nil }
    return DocumentSpool(files: library.files, place: place, minimumFree: minimumFree)
  }

  // MARK: Files

  private func readFile(_ task: SourceTask, _ path: String) -> SourceReading {
    let listing = task.used(LocalFeed(path: path).listing)
    if case .partial(.unreadableFile) = listing.completeness {
      return SourceReading(playlist: task.name, listing: listing, isUnchanged: true)
    }
    return SourceReading(playlist: task.name, listing: listing, isUnchanged: false)
  }
}

extension SourceHealth {
  /// Creates the health of a source for which none is recorded, from the facts in the queue.
  package init(_ state: SourceState?) {
    self.init()
    (succeededAt, changedAt) = (state?.checkedAt, state?.changedAt)
  }
}

extension Listing {
  /// The digest of its entries, regardless of the rest of the document.
  fileprivate var contents: SHA256Digest {
    var digest = RunningDigest()
    for entry in entries {
      Array("\(entry.guid ?? "")\0\(entry.title ?? "")\0\(entry.url.identity)\n".utf8).withUnsafeBytes {
        digest.update($0)
      }
    }
    return digest.finish().sha256
  }
}
