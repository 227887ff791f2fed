// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// The listing of a source's document, kept beside the copy so that an unchanged document is not parsed again.
///
/// Its first line names everything that it rests on: the format of the file, the revision of the reader, and the seal of
/// the document, which covers the document's bytes and its origin. The line ends with the SHA-256 of the rest. A file that
/// differs in any of these counts as missing, so it need not survive a power cut.
struct KeptListing {
  let files: any FileSystem
  let place: FilePlace
  /// The revision of the reader.
  let revision: Int

  private static let limit = ByteCount(ListingFile.maximumSize.bytes + 512)

  /// Nil if the file does not hold the listing of this document.
  func listing(of seal: SourceSeal) -> Listing? { listing(of: seal.sha256) }

  /// - Parameter identity: The digest of everything that the listing rests on.
  func listing(of identity: SHA256Digest) -> Listing? {
    do throws(FileError) {
      guard let bytes = try files.read(place, limit: Self.limit) else { return nil }
      let start = opening(identity)
      guard bytes.starts(with: start), let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      guard bytes[start.count..<end].elementsEqual(Self.digest(of: bytes[(end + 1)...])) else { return nil }
      return ListingFile.decode(bytes[(end + 1)...])
    } catch { return nil }
  }

  /// Replaces the file. If that fails, the next run parses the document again.
  ///
  /// A listing that contains a secret of the run is not kept. The copy has the document as the server sent it, where
  /// references may disguise the secret, and the listing would have it in clear.
  func keep(_ listing: Listing, of seal: SourceSeal, _ access: SourceAccess) { keep(listing, of: seal.sha256, access) }

  func keep(_ listing: Listing, of identity: SHA256Digest, _ access: SourceAccess) {
    guard access.keeps else { return }
    guard !access.mask.finds(in: listing), let body = ListingFile.encode(listing) else { return remove() }
    let bytes = opening(identity) + Self.digest(of: body[...]) + [UInt8(ascii: "\n")] + body
    do throws(FileError) { try files.replaceCache(place, bytes, minimumFree: access.minimumFree) } catch {
      // The next opening of the library removes what is left.
    }
  }

  /// Removes the listing of an earlier document.
  private func remove() {
    do throws(FileError) { try files.removeFileIfPresent(place) } catch {
      // Its seal still belongs to the earlier document.
    }
  }

  private func opening(_ identity: SHA256Digest) -> [UInt8] {
    Array("\(ListingFile.format) \(ListingFile.version) \(revision) \(identity.hex) ".utf8)
  }

  private static func digest(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digest = RunningDigest()
    bytes.withUnsafeBytes { digest.update($0) }
    return Array(digest.finishHash().hex.utf8)
  }
}
