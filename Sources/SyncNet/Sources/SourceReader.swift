// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats

/// The stage that reads the sources of the playlists. It knows no kind of source.
package struct SourceReader {
  let library: Library
  let access: SourceAccess
  let now: Timestamp
  let emit: @Sendable (RunEvent) -> Void
  /// Returns true if there is no network at all, which is reported once for all sources.
  let isOffline: @Sendable () async -> Bool
  var factory = SourceFactory.standard

  package init(
    library: Library, access: SourceAccess, now: Timestamp,
    emit: @escaping @Sendable (RunEvent) -> Void, isOffline: @escaping @Sendable () async -> Bool
  ) {
    self.library = library
    self.access = access
    self.now = now
    self.emit = emit
    self.isOffline = isOffline
  }

  /// The number of flaws of one listing that are reported one by one. A source may have thousands. The JSON report lists
  /// them all.
  private static let shownFlaws = 3

  /// The number of sources that are read at once. The fetcher enforces the limits per host.
  private static let width = 8

  /// A source and the facts recorded about it.
  private struct SourceTask {
    let source: any Source
    /// For display.
    let location: String
    /// The patterns for the outlines of its document. Nil for other sources.
    let filter: OutlineFilter?
    let past: SourcePast
    /// True if its entries are found by a server.
    let isOfServer: Bool
  }

  /// Reads the sources of the playlists in `scope`, first those that the manifest names, then those that these list.
  package func read(
    _ playlists: [Playlist], states: [PlaylistName: SourceState], scope: Set<PlaylistName>?
  ) async -> Resolution {
    let store = SourceHealthStore(library: library)
    let healths = store.read()
    let wanted = playlists.filter { scope?.includesAny(of: $0.name) ?? true }
    let named = await read(wanted, states, healths, after: 0)
    var outlines: [PlaylistName: Outline] = [:]
    var resolution = Resolution([])
    for playlist in playlists {
      let reading = named[playlist.name]
      resolution.playlists.append(ResolvedPlaylist(playlist, reading: reading))
      let known = playlist.source.listsPlaylists ? healths.compactMapValues(\.outline) : [:]
      for (found, outline) in playlist.playlists(in: reading?.listing, known: known)
      where !playlist.skips(outline, for: playlists) {
        outlines[found.name] = outline
        outlines[found.name]?.feedTitle = known[found.name]?.feedTitle
        resolution.playlists.append(ResolvedPlaylist(found, declaredName: playlist.name))
      }
    }
    let listed = resolution.playlists.map(\.playlist).filter { outlines[$0.name] != nil }
    let found = listed.filter { scope?.includes($0.name) ?? true }
    let readings = await read(found, states, healths, after: named.count)
    for index in resolution.playlists.indices {
      let name = resolution.playlists[index].playlist.name
      guard let reading = readings[name] else { continue }
      resolution.playlists[index].reading = reading
      // A server may know no titles. The feed knows its own.
      if let outline = outlines[name], outline.title == nil, let title = reading.listing.title {
        outlines[name]?.feedTitle = title
        resolution.playlists[index].playlist.title = title
      }
    }
    if access.keeps { store.write(remembered(resolution, outlines, before: healths)) }
    return resolution
  }

  /// The health of each source of a resolution.
  private func remembered(
    _ resolution: Resolution, _ outlines: [PlaylistName: Outline], before: [PlaylistName: SourceHealth]
  ) -> [PlaylistName: SourceHealth] {
    var healths: [PlaylistName: SourceHealth] = [:]
    for resolved in resolution.playlists {
      let name = resolved.playlist.name
      guard var health = resolved.reading?.health ?? before[name] ?? outlines[name].map({ _ in SourceHealth() })
      else { continue }
      health.outline = outlines[name]
      healths[name] = health
    }
    return healths
  }

  /// - Parameter done: The number of sources that were read before.
  private func read(
    _ playlists: [Playlist], _ states: [PlaylistName: SourceState], _ healths: [PlaylistName: SourceHealth],
    after done: Int
  ) async -> [PlaylistName: SourceReading] {
    let tasks = playlists.compactMap { playlist -> SourceTask? in
      guard let source = factory.source(of: playlist, in: library), let location = playlist.source.shownLocation
      else { return nil }
      let state = states[playlist.name]
      return SourceTask(
        source: source, location: location, filter: playlist.source.outlineFilter,
        past: SourcePast(state: state, health: healths[playlist.name] ?? SourceHealth(state)),
        isOfServer: playlist.source.query != nil)
    }
    return Dictionary(await read(tasks, after: done).map { ($0.playlist, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func read(_ tasks: [SourceTask], after done: Int) async -> [SourceReading] {
    await withTaskGroup(of: SourceReading.self) { group in
      var readings: [SourceReading] = [] {
        didSet { tell() }
      }
      func tell() {
        emit(.worked(RunWork(.readingSources, done: done + readings.count, of: done + tasks.count)))
      }
      if !tasks.isEmpty { tell() }
      for (index, task) in tasks.enumerated() {
        if index >= Self.width, let reading = await group.next() { readings.append(reading) }
        group.addTask { await read(task) }
      }
      for await reading in group { readings.append(reading) }
      return readings
    }
  }

  private func read(_ task: SourceTask) async -> SourceReading {
    var reading = await task.source.read(task.past, access)
    reading.health = task.past.health
    reading.listing = access.mask.masked(reading.listing)
    if let filter = task.filter { reading.listing = reading.listing.filtered(by: filter) }
    // A run that is being stopped did not read the source to its end.
    guard !Task.isCancelled else { return reading }
    let isOffline = await isWithoutNetwork(reading)
    switch reading.listing.completeness {
    case .whole, .followedByContent, .continued:
      let isKnown = reading.isUnchanged && reading.health.contents != nil
      reading.health.succeed(with: isKnown ? nil : reading.listing.contents, at: now)
      reading.health.move = reading.move
      if let move = reading.move, move != task.past.health.move {
        emit(.warned(.sourceMoved(reading.playlist, to: move.to.redacted)))
      }
    case .partial where isOffline: break
    case .partial(let problem):
      reading.health.fail(problem, message: problem.words, at: now, manifest: access.manifestDigest)
    }
    await announce(reading, task, isOffline: isOffline)
    return reading
  }

  private func announce(_ reading: SourceReading, _ task: SourceTask, isOffline: Bool) async {
    let outcome: SourceSummary.Outcome
    switch reading.listing.completeness {
    case .whole, .followedByContent, .continued:
      outcome = reading.isUnchanged ? .unchanged : .changed
      // A synced playlist may be empty because somebody here emptied it.
      if reading.listing.isBare, reading.listSync == nil {
        emit(.warned(.sourceEmpty(reading.playlist, isServer: task.isOfServer)))
      }
    case .partial(let problem):
      outcome = .problem(problem)
      if case .server(let name, let cause) = problem {
        if !isOffline, await access.servers.isNew(cause, of: name) { emit(.warned(.serverNotRead(name, cause))) }
      } else if !isOffline {
        let failure = reading.health.failure
        let since = failure?.isPermanent ?? false && problem.severity == .doubtful ? failure?.unusableSince : nil
        emit(.warned(.sourceNotWhole(reading.playlist, problem, unusableSince: since)))
      }
    }
    let flaws = reading.listing.flaws
    for flaw in flaws.listed.prefix(Self.shownFlaws) { emit(.warned(.listingFlaw(reading.playlist, flaw))) }
    if flaws.count > Self.shownFlaws {
      emit(.warned(.moreListingFlaws(reading.playlist, flaws.count - Self.shownFlaws)))
    }
    emit(
      .sourceRead(
        SourceSummary(
          playlist: reading.playlist, location: task.location, outcome: outcome, items: reading.listing.entries.count,
          flaws: flaws, health: reading.health)))
  }

  /// True if there is no network. This is not a problem of the source and is reported once for all of them.
  private func isWithoutNetwork(_ reading: SourceReading) async -> Bool {
    guard case .partial(let problem) = reading.listing.completeness, problem.isUnreachable else { return false }
    return await isOffline()
  }
}

extension Playlist {
  /// True for a subscription that the manifest itself names as a feed. It is one playlist then.
  fileprivate func skips(_ outline: Outline, for others: [Playlist]) -> Bool {
    source.subscriptions != nil && others.contains { $0.source.kind == .feed && $0.source.url == outline.url }
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
    var bytes: [UInt8] = []
    for index in entries.indices {
      bytes.append(contentsOf: (entries.guid(at: index) ?? "").utf8)
      bytes.append(0)
      bytes.append(contentsOf: (entries.title(at: index) ?? "").utf8)
      bytes.append(0)
      bytes.append(contentsOf: entries.url(at: index).identityBytes)
      bytes.append(UInt8(ascii: "\n"))
      guard bytes.count > 64 << 10 || index == entries.count - 1 else { continue }
      bytes.withUnsafeBytes { digest.update($0) }
      bytes.removeAll(keepingCapacity: true)
    }
    return digest.finishHash()
  }
}
