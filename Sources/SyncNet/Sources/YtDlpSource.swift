// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// Pages that yt-dlp lists. There are no conditional requests, so the last listing is kept and compared.
struct YtDlpSource: Source {
  let playlist: Playlist
  let query: YtDlpQuery
  let library: Library

  func read(_ past: SourcePast, _ access: SourceAccess) async -> SourceReading {
    let last = lastListing()
    let before = past.state?.itemCount
    var listing: Listing
    do throws(Failure) {
      let (read, problem) = try await access.ytdlp.listing(query)
      listing = access.mask.masked(read).used(by: playlist.select, before: before)
      if let problem, listing.completeness.hasEnd { listing.completeness = .partial(.unreachable(problem)) }
    } catch {
      listing = Listing(
        entries: last?.used(by: playlist.select, before: before).entries ?? [],
        completeness: .partial(.unreachable(error)))
    }
    guard listing.completeness.hasEnd else {
      return SourceReading(playlist: playlist.name, listing: listing, isUnchanged: true)
    }
    let isUnchanged = listing.entries == last?.entries
    if !isUnchanged, !Task.isCancelled { kept?.keep(listing, of: identity, access) }
    return SourceReading(playlist: playlist.name, listing: listing, isUnchanged: isUnchanged)
  }

  func lastListing() -> Listing? { kept?.listing(of: identity) }

  private var kept: KeptListing? {
    library.cache(playlist.listingName).map {
      KeptListing(files: library.files, place: $0, revision: YtDlpListing.revision)
    }
  }

  /// Names the query in place of a document: the listing of another query is not this one's.
  private var identity: SHA256Digest {
    var digest = RunningDigest()
    for text in [query.text] + query.arguments {
      Array(text.utf8).withUnsafeBytes { digest.update($0) }
      [UInt8(0)].withUnsafeBytes { digest.update($0) }
    }
    return digest.finishHash()
  }
}
