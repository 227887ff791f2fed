// SPDX-License-Identifier: Apache-2.0

/// A part of the manifest that gets tokens from an OAuth 2 provider.
package struct TokenOwner: Hashable, Sendable {
  package let owner: SecretOwner
  package let source: TokenSource
  /// The name by which a person names it: that of the server or the playlist, with its section where two have it.
  package let name: String
}

extension Manifest {
  /// Every part that gets tokens: servers first, then playlists, then the licence server. Playlists of a server are left
  /// out, because the server stands for them.
  package var tokenOwners: [TokenOwner] {
    let ofServers = servers.compactMap { server in server.auth.login?.tokens.map { (server.name, $0) } }
    let sources = Set(ofServers.map(\.1))
    let ofPlaylists = playlists.compactMap { playlist in playlist.auth?.login?.tokens.map { (playlist.name, $0) } }
      .filter { !sources.contains($0.1) }
    let both = Set(ofServers.map(\.0.text)).intersection(ofPlaylists.map(\.0.text))
    func name(_ name: PlaylistName, of section: String) -> String {
      both.contains(name.text) || name.text == TokenOwner.licenses ? "\(section).\(name)" : name.text
    }
    let ofLicenses = licenses.auth?.login?.tokens.map { [$0] } ?? []
    return ofServers.map { TokenOwner(owner: .server($0.0), source: $0.1, name: name($0.0, of: "servers")) }
      + ofPlaylists.map { TokenOwner(owner: .playlist($0.0), source: $0.1, name: name($0.0, of: "playlists")) }
      + ofLicenses.map { TokenOwner(owner: .licenses, source: $0, name: TokenOwner.licenses) }
  }

  /// The part of that name, written with its section or without. A playlist of a server stands for the server.
  package func tokenOwner(named name: String) -> TokenOwner? {
    let owners = tokenOwners
    if let found = owners.first(where: { $0.name == name || $0.path == name }) { return found }
    let tokens = playlists.first { $0.name.text == name || "playlists.\($0.name)" == name }?.auth?.login?.tokens
    return tokens.flatMap { source in owners.first { $0.source == source } }
  }
}

extension TokenOwner {
  fileprivate static let licenses = "licenses"

  /// Its place in the manifest.
  fileprivate var path: String {
    switch owner {
    case .playlist(let name): "playlists.\(name)"
    case .server(let name): "servers.\(name)"
    case .licenses: Self.licenses
    }
  }
}
