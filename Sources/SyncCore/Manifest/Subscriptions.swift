// SPDX-License-Identifier: Apache-2.0

/// The subscriptions of a user at a server with the gpodder.net API
/// (https://gpoddernet.readthedocs.io/en/latest/api/reference/subscriptions.html).
package struct Subscriptions: Hashable, Sendable {
  /// The name of the server in the manifest.
  package var server: PlaylistName
  /// The document that lists those of all devices.
  package var document: RemoteURL
  /// True for Nextcloud's GPodder Sync, whose document is JSON. That of the others is OPML, which has titles.
  package var isNextcloud: Bool

  /// - Throws: For a document whose URL is too long.
  package init(of server: MediaServer) throws(RemoteURL.Problem) {
    (self.server, isNextcloud) = (server.name, server.isNextcloud)
    let user = RemoteURL.encoded(server.auth.userName.utf8)
    document = try RemoteURL("\(server.base)/subscriptions\(server.isNextcloud ? "" : "/\(user).opml")")
  }
}
