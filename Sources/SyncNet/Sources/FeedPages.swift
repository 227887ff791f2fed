// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// Reads the pages of a feed that follow its first (RFC 5005 §3 and §4, `next_url` of JSON Feed), one after another. No
/// page is requested twice, and all of them together may be as large as one document.
struct FeedPages<Reader: ListingReader & ~Copyable> {
  let address: SourceAddress
  /// The URL of the feed in the manifest, whose origin alone gets credentials.
  let declared: RemoteURL
  /// Nil if nothing may be requested.
  let access: SourceAccess?

  /// The pages of a feed, joined.
  struct Reading {
    var joined: ListingPages
    /// True if all further pages are those of the last reading.
    var isUnchanged = true
    fileprivate var pages: [KeptPage] = []
    fileprivate let before: [KeptPage]
    fileprivate let keeper: KeptPages?

    /// Keeps the pages for the next run. After a failure, those that were not reached stay.
    func keep(_ access: SourceAccess) {
      let urls = Set(pages.map(\.url))
      let unread = joined.listing.completeness.hasEnd ? [] : before.filter { !urls.contains($0.url) }
      if !isUnchanged, pages + unread != before { keeper?.keep(pages + unread, access) }
    }
  }

  private enum Page {
    case unchanged
    case read(KeptPage, size: Int64)
    case failed(SourceProblem)
  }

  private var limit: Int { address.playlist.select.pages.limit }

  /// - Parameters:
  ///   - first: The first page.
  ///   - places: The URLs at which it is.
  func read(after first: Listing, at places: [RemoteURL]) async -> Reading {
    var reading = begin(first)
    var visited = Set(places.map(\.text))
    var (next, number, size) = (first.next, 1, Int64(0))
    while let page = next, limit > 1, first.completeness.hasEnd, !reading.joined.isFull {
      guard case .at(let url) = page else {
        reading.joined.end(.continued)
        break
      }
      guard visited.insert(url.text).inserted else {
        reading.joined.end(.continued, .repeatedPage(number))
        break
      }
      guard number < limit else {
        // A number of pages in the manifest is a choice, like the first page alone.
        if address.playlist.select.pages == .all { reading.joined.end(.continued, .morePages(number)) }
        break
      }
      number += 1
      let known = reading.before.first { $0.url == url }
      switch await fetch(url, known, ByteCount(Reader.maximumSize.bytes - size)) {
      case .failed(let problem):
        reading.joined.end(.partial(.page(number, problem)))
        return reading
      case .unchanged: next = reading.take(known)
      case .read(let page, let pageSize):
        size += pageSize
        next = reading.take(page, isChanged: page != known)
        if case .partial(let problem) = page.listing.completeness {
          reading.joined.end(.partial(.page(number, problem)))
          return reading
        }
      }
    }
    reading.isUnchanged = reading.isUnchanged && reading.pages.map(\.url) == reading.before.map(\.url)
    return reading
  }

  /// The pages at the last reading, without any request.
  func last(after first: Listing) -> Listing {
    var reading = begin(first)
    var (next, number) = (first.next, 1)
    while case .at(let url) = next, number < limit, !reading.joined.isFull,
      let page = reading.before.first(where: { $0.url == url })
    {
      number += 1
      next = reading.take(page)
    }
    return reading.joined.listing
  }

  private func begin(_ first: Listing) -> Reading {
    let place = limit == 1 || first.next == nil ? nil : address.pages
    let keeper = place.map {
      KeptPages(files: address.library.files, place: $0, revision: Reader.revision, source: declared)
    }
    return Reading(joined: ListingPages(first), before: keeper?.pages ?? [], keeper: keeper)
  }

  private func fetch(_ url: RemoteURL, _ known: KeptPage?, _ room: ByteCount) async -> Page {
    guard let fetcher = access?.fetcher else { preconditionFailure("a source with a URL needs a fetcher") }
    let name = address.playlist.name
    let request = SourceRequest(
      url: url, declared: declared, etag: known?.etag, lastModified: known?.lastModified, playlist: name,
      isFromSource: name.isFromSource)
    let intake = DocumentIntake<Reader>(source: declared, spool: nil, limit: room)
    switch await fetcher.fetch(request, into: intake) {
    case .success(.notModified): return known == nil ? .failed(.unreachable(.http(status: 304))) : .unchanged
    case .success(.document(let head)):
      let size = intake.size
      guard let document = intake.finish(kept: { _ in nil }) else { return .failed(.empty) }
      let page = KeptPage(
        url: url, etag: head.etag, lastModified: head.lastModified, listing: document.listing)
      return .read(page, size: size)
    case .failure(.tooLarge): return .failed(.excessive("\(Reader.maximumSize.words) in all pages"))
    case .failure(let failure): return .failed(.unreachable(failure))
    }
  }
}

extension FeedPages.Reading where Reader: ~Copyable {
  /// Adds a page that is the next one.
  /// - Returns: the page behind it.
  fileprivate mutating func take(_ page: KeptPage?, isChanged: Bool = false) -> NextPage? {
    guard let page else { return nil }
    joined.append(page.listing)
    if isChanged { isUnchanged = false }
    if page.listing.completeness.hasEnd { pages.append(page) }
    return page.listing.next
  }
}
