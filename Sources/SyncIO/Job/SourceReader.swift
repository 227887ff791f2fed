// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Reads the sources of a manifest: asks whether they changed, keeps what they said, falls back on that when they fail.
struct SourceReader {
  let library: Library
  let fetcher: any SourceFetcher
  /// Whether what was fetched may be kept for the next run.
  let keeps: Bool
  let watch: RequestWatch
  let tell: @Sendable (RunEvent) -> Void

  /// A feed may have thousands of flaws of one kind; the JSON report has all of them.
  private static let toldNotes = 3

  /// How many sources are read at once; the fetcher keeps the limits per host.
  private static let width = 8

  /// One reading for each playlist of `scope` with a source.
  func read(
    _ playlists: [Playlist], memories: [PlaylistName: SourceMemory], scope: Set<PlaylistName>?
  ) async -> [SourceReading] {
    let feeds = playlists.compactMap { playlist -> (PlaylistName, FeedSource)? in
      guard case .feed(let feed) = playlist.source, scope?.contains(playlist.name) ?? true else { return nil }
      return (playlist.name, feed)
    }
    return await withTaskGroup(of: SourceReading.self) { group in
      var readings: [SourceReading] = []
      for (index, (name, feed)) in feeds.enumerated() {
        if index >= Self.width, let reading = await group.next() { readings.append(reading) }
        group.addTask { await read(name, feed, memory: memories[name]) }
      }
      for await reading in group { readings.append(reading) }
      return readings
    }
  }

  private func read(_ name: PlaylistName, _ source: FeedSource, memory: SourceMemory?) async -> SourceReading {
    var reading: SourceReading
    let location: String
    switch source.location {
    case .remote(let url):
      location = url.redacted
      reading = await fetch(name, url, memory)
    case .file(let path):
      location = path
      reading = readFile(name, path)
    }
    if reading.feed.completeness == .whole, reading.feed.episodes.isEmpty, let before = memory?.itemCount, before > 0 {
      reading.feed.completeness = .partial(.suddenlyEmpty(before: before))
    }
    // A run that is ending did not hear the source out.
    if !Task.isCancelled { announce(reading, location) }
    return reading
  }

  private func announce(_ reading: SourceReading, _ location: String) {
    let outcome: SourceSummary.Outcome
    switch reading.feed.completeness {
    case .whole: outcome = reading.isUnchanged ? .unchanged : .changed
    case .partial(let problem):
      outcome = .problem(problem)
      if !isForWantOfNetwork(problem) { tell(.warned(.sourceNotWhole(reading.playlist, problem))) }
    }
    for note in reading.feed.notes.prefix(Self.toldNotes) { tell(.warned(.feedNote(reading.playlist, note))) }
    let rest = reading.feed.notes.count - Self.toldNotes
    if rest > 0 { tell(.warned(.moreFeedNotes(reading.playlist, rest))) }
    tell(
      .sourceRead(
        SourceSummary(
          playlist: reading.playlist, location: location, outcome: outcome, items: reading.feed.episodes.count,
          notes: reading.feed.notes)))
  }

  /// Then it is no source's problem, and is said once for all of them.
  private func isForWantOfNetwork(_ problem: SourceProblem) -> Bool {
    guard case .unreachable = problem, watch.isOffline else { return false }
    watch.announceOffline()
    return true
  }

  // MARK: Over the network

  private func fetch(_ name: PlaylistName, _ url: RemoteURL, _ memory: SourceMemory?) async -> SourceReading {
    let cached = cached(name)
    let hasCopy = cached != nil
    let request = SourceRequest(
      url: url, etag: hasCopy ? memory?.etag : nil, lastModified: hasCopy ? memory?.lastModified : nil,
      playlist: name)
    switch await fetcher.fetch(request) {
    case .success(.notModified):
      let feed = FeedReader.read(cached ?? [])
      return SourceReading(
        playlist: name, feed: feed, isUnchanged: true, etag: memory?.etag, lastModified: memory?.lastModified)
    case .success(.body(let bytes, let etag, let lastModified)):
      let feed = FeedReader.read(bytes)
      guard feed.completeness == .whole else { return fallback(name, feed, cached) }
      if keeps, bytes != cached { keep(bytes, name) }
      let isUnchanged = bytes == cached && etag == memory?.etag && lastModified == memory?.lastModified
      return SourceReading(
        playlist: name, feed: feed, isUnchanged: isUnchanged, etag: etag, lastModified: lastModified)
    case .failure(.tooLarge(let limit)):
      return fallback(name, Feed(completeness: .partial(.excessive("\(limit.bytes) bytes"))), cached)
    case .failure(let failure):
      return fallback(name, Feed(completeness: .partial(.unreachable(failure))), cached)
    }
  }

  /// What came, and behind it what was known before: a source that was not whole may add, never take away.
  private func fallback(_ name: PlaylistName, _ feed: Feed, _ cached: [UInt8]?) -> SourceReading {
    var feed = feed
    if let cached {
      let before = FeedReader.read(cached)
      let urls = Set(feed.episodes.map(\.url))
      feed.title = feed.title ?? before.title
      feed.episodes += before.episodes.filter { !urls.contains($0.url) }
    }
    return SourceReading(playlist: name, feed: feed, isUnchanged: true)
  }

  // MARK: The cache

  private func cached(_ name: PlaylistName) -> [UInt8]? {
    guard let place = library.cache(name) else { return nil }
    // A cache that cannot be read, or is not what was kept, is no cache: the source is asked for everything.
    do throws(FileError) {
      let limit = FeedReader.maximumSize + ByteCount(Int64(SealedCopy.sealLength))
      return try library.files.read(place, limit: limit).flatMap(SealedCopy.init(file:))?.bytes
    } catch { return nil }
  }

  /// A failure costs one more full request at the next run, nothing else.
  private func keep(_ bytes: [UInt8], _ name: PlaylistName) {
    guard let place = library.cache(name) else { return }
    do throws(FileError) { try library.files.replace(place, SealedCopy(bytes).file, mode: .privateFile) } catch {
      do throws(FileError) { try library.files.removeFileIfPresent(place) } catch {
        // Nothing to do: an old copy with an old validator is still a pair that fits.
      }
    }
  }

  // MARK: Files

  private func readFile(_ name: PlaylistName, _ path: String) -> SourceReading {
    do throws(ManifestFile.Problem) {
      let file = try ManifestFile.read(path)
      return SourceReading(playlist: name, feed: FeedReader.read(file.bytes), isUnchanged: false)
    } catch {
      let feed = Feed(completeness: .partial(.unreadableFile(path: path, error.code)))
      return SourceReading(playlist: name, feed: feed, isUnchanged: true)
    }
  }
}
