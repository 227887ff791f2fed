// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A further page of a feed as it was last read, with the validators for the next request.
package struct KeptPage: Equatable, Sendable {
  /// The URL that was requested.
  package var url: RemoteURL
  package var etag: String?
  package var lastModified: String?
  package var listing: Listing
  package init(url: RemoteURL, etag: String?, lastModified: String?, listing: Listing) {
    (self.url, self.etag, self.lastModified, self.listing) = (url, etag, lastModified, listing)
  }
}

/// The further pages of a feed as rows of bytes. Their documents are not kept, because nothing is read from them again.
package enum PagesFile {
  package static let format = "syncjob-pages"
  package static let version = 1
  /// The size of the pages that are kept. The others are requested without validators.
  package static let maximumSize = ByteCount(16 << 20)

  /// Leaves out pages whose listing is not kept (`ListingFile`), and those for which there is no room.
  package static func encode(_ pages: [KeptPage]) -> [UInt8] {
    var rows = RowWriter()
    for page in pages where !page.url.hasCredentials {
      guard let listing = ListingFile.encode(page.listing) else { continue }
      var row = RowWriter()
      row.text(page.url.text)
      for text in [page.etag, page.lastModified] { row.optional(text) { $0.text($1) } }
      row.data(listing)
      guard rows.bytes.count + row.bytes.count < maximumSize.bytes else { continue }
      rows.data(row.bytes)
    }
    return rows.bytes
  }

  /// Returns nil if the bytes are not pages.
  package static func decode(_ bytes: ArraySlice<UInt8>) -> [KeptPage]? {
    var rows = RowReader(bytes)
    var pages: [KeptPage] = []
    do throws(RowReader.Malformed) {
      while !rows.isAtEnd { pages.append(try page(try rows.data())) }
      return pages
    } catch { return nil }
  }

  private static func page(_ bytes: ArraySlice<UInt8>) throws(RowReader.Malformed) -> KeptPage {
    var row = RowReader(bytes)
    let url = try row.parsed { text in
      do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch { return nil }
    }
    let etag = try row.optional { row throws(RowReader.Malformed) in try row.text() }
    let lastModified = try row.optional { row throws(RowReader.Malformed) in try row.text() }
    guard let listing = ListingFile.decode(try row.data()), row.isAtEnd else { throw RowReader.Malformed() }
    return KeptPage(url: url, etag: etag, lastModified: lastModified, listing: listing)
  }
}
