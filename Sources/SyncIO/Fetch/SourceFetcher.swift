// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The port through which sources are fetched.
package protocol SourceFetcher: Sendable {
  /// One conditional GET of `url`, redirects and retries included.
  /// - Parameter intake: gets the document's bytes as they arrive. They count only when the result is a document.
  func fetch(_ request: SourceRequest, into intake: any SourceIntake) async -> Result<FetchedSource, Failure>
}

/// Takes the document of a source.
package protocol SourceIntake: AnyObject, Sendable {
  /// A document begins. What came before belongs to an attempt that failed, and is void.
  func begin(_ head: FetchedDocument)

  /// Takes the next bytes, decoded where the server sent them compressed. Called on the network's thread.
  /// - Throws: why no more of them are wanted.
  func take(_ bytes: [UInt8]) throws(Failure)
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

/// What a server said about the document that it sent for a source.
package struct FetchedDocument: Equatable, Sendable {
  /// Who sent it, after redirects.
  package var url: RemoteURL
  /// Of the `Content-Type`.
  package var charset: String?
  package var etag: String?
  package var lastModified: String?
  package init(url: RemoteURL, etag: String? = nil, lastModified: String? = nil) {
    self.url = url
    self.etag = etag
    self.lastModified = lastModified
  }
}
