// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The port through which sources are fetched.
package protocol SourceFetcher: Sendable {
  /// Makes one conditional GET of `url`, including redirects and retries.
  /// - Parameter intake: Receives the document's bytes as they arrive. They count only if the result is a document.
  func fetch(_ request: SourceRequest, into intake: any SourceIntake) async -> Result<FetchedSource, Failure>

  /// Sends passwords in place of tokens to a server that does not take tokens, with all further requests of the run.
  func usePlainLogin(at origin: RemoteURL.Origin) async
}

/// Receives the document of a source.
package protocol SourceIntake: AnyObject, Sendable {
  /// Begins a document. Earlier bytes belong to an attempt that failed and are void.
  func begin(_ head: FetchedDocument)

  /// Takes the next bytes, decompressed if necessary. Called on the network's thread.
  /// - Throws: The reason why no more bytes are wanted.
  func take(_ bytes: [UInt8]) throws(Failure)
}

package struct SourceRequest: Equatable, Sendable {
  package var url: RemoteURL
  /// The URL in the manifest, which decides where credentials may go. The source may have moved from there.
  package var declared: RemoteURL
  /// The validator of the cached copy. Nil if there is no copy.
  package var etag: String?
  package var lastModified: String?
  /// The playlist whose credentials may be sent. Nil for none.
  package var playlist: PlaylistName?
  /// True if another source names the URL, so that it may not lead into a private network.
  package var isFromSource: Bool
  package init(
    url: RemoteURL, declared: RemoteURL? = nil, etag: String? = nil, lastModified: String? = nil,
    playlist: PlaylistName? = nil, isFromSource: Bool = false
  ) {
    self.isFromSource = isFromSource
    self.playlist = playlist
    self.url = url
    self.declared = declared ?? url
    self.etag = etag
    self.lastModified = lastModified
  }
}

package enum FetchedSource: Equatable, Sendable {
  case notModified
  case document(FetchedDocument)
}

/// The facts that a server stated about a document.
package struct FetchedDocument: Equatable, Sendable {
  /// The URL that sent the document, after redirects.
  package var url: RemoteURL
  /// The charset of the `Content-Type`.
  package var charset: String?
  package var etag: String?
  package var lastModified: String?
  /// The URL to which permanent redirects lead from that of the request. Nil without any.
  package var movedTo: RemoteURL?
  package init(url: RemoteURL, etag: String? = nil, lastModified: String? = nil) {
    self.url = url
    self.etag = etag
    self.lastModified = lastModified
  }
}
