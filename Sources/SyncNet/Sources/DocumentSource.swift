// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// A source that is one document, at a URL or in a file. A copy of a fetched document is kept. It saves the next request
/// if the document is unchanged, and supplements a document that did not arrive whole.
struct DocumentSource<Reader: ListingReader & ~Copyable>: Source {
  let address: SourceAddress

  func read(_ past: SourcePast, _ access: SourceAccess) async -> SourceReading {
    switch address.location {
    case .remote(let url): await fetch(url, past, access)
    case .file(let path): readFile(path, past)
    }
  }

  /// A copy that cannot be read counts as never read.
  func lastListing() -> Listing? {
    switch address.location {
    case .remote(let url): return lastReading(of: url).map { lastPages(of: url, $0) }
    case .file(let path):
      let listing = contents(of: path)
      if case .partial(let problem) = listing.completeness, problem.isOfFile { return nil }
      return listing
    }
  }

  private var name: PlaylistName { address.playlist.name }

  private func used(_ listing: Listing, _ past: SourcePast) -> Listing {
    listing.used(by: address.playlist.select, before: past.state?.itemCount)
  }

  /// The listing of a document without any bytes.
  private var nothing: Listing {
    let reader = Reader(base: nil, charset: nil)
    return reader.finish()
  }

  // MARK: Over the network

  /// Asks at the address to which the source has moved. If it cannot be read there, that of the manifest is asked.
  private func fetch(_ url: RemoteURL, _ past: SourcePast, _ access: SourceAccess) async -> SourceReading {
    guard let move = past.health.move, move.from == url, past.health.failure?.goneFor == nil else {
      return await fetch(url, at: url, past, access)
    }
    var reading = await fetch(url, at: move.to, past, access)
    guard reading.listing.completeness.hasEnd || Task.isCancelled else {
      return await fetch(url, at: url, past, access)
    }
    reading.move = reading.move ?? move
    return reading
  }

  /// - Parameters:
  ///   - url: The address in the manifest, which the copy belongs to.
  ///   - place: The address that is asked.
  private func fetch(
    _ url: RemoteURL, at place: RemoteURL, _ past: SourcePast, _ access: SourceAccess
  ) async -> SourceReading {
    let (state, cached) = (past.state, lastReading(of: url))
    if let manifest = past.health.failure?.goneFor, manifest == access.manifestDigest() {
      return fallback(Listing(completeness: .partial(.unreachable(.http(status: 410)))), of: url, past, cached)
    }
    let hasCopy = cached != nil
    let request = SourceRequest(
      url: place, declared: url, etag: hasCopy ? state?.etag : nil, lastModified: hasCopy ? state?.lastModified : nil,
      playlist: name, isFromSource: name.isFromSource)
    let intake = DocumentIntake<Reader>(source: url, spool: spool(access))
    guard let fetcher = access.fetcher else { preconditionFailure("a source with a URL needs a fetcher") }
    switch await fetcher.fetch(request, into: intake) {
    case .success(.notModified):
      let first = cached.map { lastListing(in: $0, access) } ?? nothing
      let pages = await pages(of: url, access).read(after: first, at: [url, place])
      let listing = joined(pages, of: url, past, pages.isUnchanged ? nil : cached, access)
      guard listing.completeness.hasEnd else { return fallback(listing, of: url, past, cached) }
      return SourceReading(
        playlist: name, listing: listing, isUnchanged: pages.isUnchanged, etag: state?.etag,
        lastModified: state?.lastModified)
    case .success(.document(let head)): return await reading(head, of: url, intake, past, cached, access)
    case .failure(let failure):
      intake.discard()
      let problem: SourceProblem =
        if case .tooLarge(let limit) = failure { .excessive(limit.words) } else { .unreachable(failure) }
      return fallback(Listing(completeness: .partial(problem)), of: url, past, cached)
    }
  }

  /// The reading of a document that arrived whole. The document becomes the copy for the next run, unless one of its
  /// further pages is missing: the next run has to find what is new in all of them.
  private func reading(
    _ head: FetchedDocument, of url: RemoteURL, _ intake: DocumentIntake<Reader>, _ past: SourcePast,
    _ cached: LastReading?, _ access: SourceAccess
  ) async -> SourceReading {
    guard var document = intake.finish(kept: { seal in seal == cached?.copy.seal ? cached?.listing : nil }) else {
      return fallback(nothing, of: url, past, cached)
    }
    let pages = await pages(of: url, access).read(after: document.listing, at: [url, head.url])
    let listing = joined(pages, of: url, past, cached, access)
    guard listing.completeness.hasEnd else {
      document.discard()
      return fallback(listing, of: url, past, cached)
    }
    let isSame = document.seal == cached?.copy.seal
    if isSame { document.discard() } else { document.keep() }
    if document.isParsed { kept?.keep(document.listing, of: document.seal, access) }
    let hasValidators = head.etag == past.state?.etag && head.lastModified == past.state?.lastModified
    return SourceReading(
      playlist: name, listing: listing, isUnchanged: isSame && pages.isUnchanged && hasValidators,
      etag: head.etag, lastModified: head.lastModified,
      move: move(from: url, to: document.listing.newAddress ?? head.movedTo, access))
  }

  /// An address with a login or a secret of the run is not stored.
  private func move(from url: RemoteURL, to address: RemoteURL?, _ access: SourceAccess) -> SourceMove? {
    guard let address, address != url, !address.hasCredentials, !access.mask.finds(in: address.text)
    else { return nil }
    return SourceMove(from: url, to: address)
  }

  /// Combines the entries that arrived with those of the copy. A source that was not read whole may add items but never
  /// remove any.
  private func fallback(
    _ listing: Listing, of url: RemoteURL, _ past: SourcePast, _ cached: LastReading?
  ) -> SourceReading {
    var listing = listing
    if let cached {
      let before = used(lastPages(of: url, cached), past)
      let urls = Set(listing.entries.map(\.url))
      listing.title = listing.title ?? before.title
      listing.author = listing.author ?? before.author
      listing.image = listing.image ?? before.image
      listing.language = listing.language ?? before.language
      for entry in before.entries where !urls.contains(entry.url) { listing.entries.append(entry) }
    }
    return SourceReading(playlist: name, listing: listing, isUnchanged: true)
  }

  /// The copy of a document, and its listing if that is kept.
  private struct LastReading {
    let copy: SealedCopy
    let listing: Listing?
  }

  /// The last reading of the document that `url` leads to. Nil if it cannot be read or is not what was kept: the whole
  /// document is requested again. A kept listing proves itself, and was made of the document that the seal names, so that
  /// the document need not be read.
  private func lastReading(of url: RemoteURL) -> LastReading? {
    guard let place = address.copy else { return nil }
    do throws(FileError) {
      guard let copy = try SealedCopy(address.library.files.open(place, for: .reading), limit: Reader.maximumSize),
        copy.origin.isOf(url)
      else { return nil }
      if let listing = kept?.listing(of: copy.seal) { return LastReading(copy: copy, listing: listing) }
      return try copy.isIntact() ? LastReading(copy: copy, listing: nil) : nil
    } catch { return nil }
  }

  /// - Parameter access: Nil if nothing may be written.
  private func lastListing(in last: LastReading, _ access: SourceAccess? = nil) -> Listing {
    if let listing = last.listing { return listing }
    let listing = last.copy.listing(Reader.self)
    // Reading ends early if the run is being stopped.
    if let access, !Task.isCancelled { kept?.keep(listing, of: last.copy.seal, access) }
    return listing
  }

  // MARK: Pages

  private func pages(of url: RemoteURL, _ access: SourceAccess? = nil) -> FeedPages<Reader> {
    FeedPages(address: address, declared: url, access: access)
  }

  /// The listing of a feed and its further pages, which are kept for the next run.
  /// - Parameter last: The last reading if it may have entries that are missing now.
  private func joined(
    _ pages: FeedPages<Reader>.Reading, of url: RemoteURL, _ past: SourcePast, _ last: LastReading?,
    _ access: SourceAccess
  ) -> Listing {
    var pages = pages
    if let last, address.playlist.select.pages.limit > 1 { pages.joined.hold(lastPages(of: url, last)) }
    if !Task.isCancelled { pages.keep(access) }
    return used(pages.joined.listing, past)
  }

  /// All pages at the last reading.
  private func lastPages(of url: RemoteURL, _ last: LastReading) -> Listing {
    pages(of: url).last(after: lastListing(in: last))
  }

  private var kept: KeptListing? {
    address.listing.map { KeptListing(files: address.library.files, place: $0, revision: Reader.revision) }
  }

  private func spool(_ access: SourceAccess) -> DocumentSpool? {
    guard access.keeps, let place = address.copy else { return nil }
    return DocumentSpool(files: address.library.files, place: place, minimumFree: access.minimumFree)
  }

  // MARK: Files

  private func readFile(_ path: String, _ past: SourcePast) -> SourceReading {
    var listing = used(contents(of: path), past)
    // For the plan. The copy looks again.
    listing.entries.measureFiles(LocalFile.size)
    let isUnread = if case .partial(let problem) = listing.completeness { problem.isOfFile } else { false }
    return SourceReading(playlist: name, listing: listing, isUnchanged: isUnread)
  }

  /// The file is read piece by piece. A run that is being stopped reads no further.
  private func contents(of path: String) -> Listing {
    var reader = Reader.reader(ofFile: path, address.playlist.source.localRoots)
    do throws(FileError) {
      let pieces = try InputFile(path, limit: Reader.maximumSize, patience: SecretCommand.timeout).pieces()
      while !Task.isCancelled, let piece = try pieces.next() { reader.feed(piece[...]) }
    } catch {
      let problem: SourceProblem =
        switch error.cause {
        case .tooLarge(let limit): .excessive(limit.words)
        case .noWriter(let time): .unfinishedFile(path: error.path, after: time)
        default: .unreadableFile(path: error.path, error.code ?? .eio)
        }
      return Listing(completeness: .partial(problem))
    }
    return reader.finish()
  }
}
