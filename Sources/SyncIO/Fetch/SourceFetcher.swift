// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The port through which sources are fetched.
package protocol SourceFetcher: Sendable {
  /// One conditional GET of `url`, redirects and retries included.
  func fetch(_ request: SourceRequest) async -> Result<FetchedSource, Failure>
}

package struct SourceRequest: Equatable, Sendable {
  package var url: RemoteURL
  /// What the cached copy came with; nil when there is none.
  package var etag: String?
  package var lastModified: String?
  /// Whose credentials may be sent; nil: nobody's.
  package var playlist: PlaylistName?
  package init(url: RemoteURL, etag: String? = nil, lastModified: String? = nil, playlist: PlaylistName? = nil) {
    self.playlist = playlist
    self.url = url
    self.etag = etag
    self.lastModified = lastModified
  }
}

package enum FetchedSource: Equatable, Sendable {
  case notModified
  case document(FetchedDocument)
}

/// What a server sent for a source.
package struct FetchedDocument: Equatable, Sendable {
  /// Decoded, where the server sent it compressed.
  package var bytes: [UInt8]
  /// Who sent it, after redirects.
  package var url: RemoteURL
  /// Of the `Content-Type`.
  package var charset: String?
  package var etag: String?
  package var lastModified: String?
  package init(bytes: [UInt8], url: RemoteURL, etag: String? = nil, lastModified: String? = nil) {
    self.bytes = bytes
    self.url = url
    self.etag = etag
    self.lastModified = lastModified
  }
}
