// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// The listing of a source's document, kept beside the copy so that an unchanged document is not parsed again.
///
/// It rests on the format of the file, the revision of the reader, and the seal of the document, which covers the
/// document's bytes and its origin.
struct KeptListing {
  let files: any FileSystem
  let place: FilePlace
  /// The revision of the reader.
  let revision: Int

  /// Nil if the file does not hold the listing of this document.
  func listing(of seal: SourceSeal) -> Listing? { listing(of: seal.sha256) }

  /// - Parameter identity: The digest of everything that the listing rests on.
  func listing(of identity: SHA256Digest) -> Listing? { file(identity).contents().flatMap { ListingFile.decode($0) } }

  /// Replaces the file. If that fails, the next run parses the document again.
  ///
  /// A listing that contains a secret of the run is not kept. The copy has the document as the server sent it, where
  /// references may disguise the secret, and the listing would have it in clear.
  func keep(_ listing: Listing, of seal: SourceSeal, _ access: SourceAccess) { keep(listing, of: seal.sha256, access) }

  func keep(_ listing: Listing, of identity: SHA256Digest, _ access: SourceAccess) {
    guard access.keeps else { return }
    let file = file(identity)
    guard !access.mask.finds(in: listing), let body = ListingFile.encode(listing) else { return file.remove() }
    file.replace(body, minimumFree: access.minimumFree)
  }

  private func file(_ identity: SHA256Digest) -> ProvenFile {
    ProvenFile(
      files, place, basis: "\(ListingFile.format) \(ListingFile.version) \(revision) \(identity.hex)",
      limit: ListingFile.maximumSize)
  }
}

/// The further pages of a feed, kept with their validators so that unchanged pages are not sent again.
struct KeptPages {
  let files: any FileSystem
  let place: FilePlace
  /// The revision of the reader.
  let revision: Int
  /// The URL of the feed in the manifest.
  let source: RemoteURL

  /// The pages at the last reading. None if the file does not hold those of this feed.
  var pages: [KeptPage] { file.contents().flatMap { PagesFile.decode($0) } ?? [] }

  /// Replaces the file. If that fails, the next run requests whole pages. A page that contains a secret of the run is not
  /// kept.
  func keep(_ pages: [KeptPage], _ access: SourceAccess) {
    guard access.keeps else { return }
    let mask = access.mask
    let kept = pages.filter { !mask.finds(in: $0.url.text) && !mask.finds(in: $0.listing) }
    if kept.isEmpty { file.remove() } else { file.replace(PagesFile.encode(kept), minimumFree: access.minimumFree) }
  }

  private var file: ProvenFile {
    let identity = SHA256Digest(of: Array(source.text.utf8)).hex
    let basis = "\(PagesFile.format) \(PagesFile.version).\(ListingFile.version) \(revision) \(identity)"
    return ProvenFile(files, place, basis: basis, limit: PagesFile.maximumSize)
  }
}
