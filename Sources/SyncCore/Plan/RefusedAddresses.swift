// SPDX-License-Identifier: Apache-2.0

extension Plan {
  /// A warning for each private address that items of sources have, and that a run will refuse. Other names may lead to
  /// private addresses as well, but only a name server knows.
  package func refusedAddresses(_ manifest: Manifest) -> [Warning] {
    let declared = DeclaredPlaces(manifest)
    var counts: [String: Int] = [:]
    for step in steps {
      guard case .download(let fetch) = step, fetch.download.isFromSource else { continue }
      let places = fetch.download.task.candidates.map(\.candidate.url)
      let refused = places.compactMap { url -> String? in
        guard !url.isFile, !url.isSearch, !declared.contains(url, of: fetch.download.playlists),
          manifest.downloads.addresses.refusal(ofUnresolved: url.host) != nil
        else { return nil }
        return HostLiteral.address(of: url.host)?.text ?? url.host
      }
      // Another candidate may be fetched.
      guard refused.count == places.count, let first = refused.first else { continue }
      counts[first, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { .privateAddress($0.key, items: $0.value) }
  }
}

/// The places that the manifest itself names for the items of sources, which may be in a private network.
private struct DeclaredPlaces {
  private let servers: [PlaylistName: String]
  private let pages: [PlaylistName: RemoteURL]

  init(_ manifest: Manifest) {
    servers = manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.source.query?.url.host }
    pages = manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.source.extraction?.url }
  }

  func contains(_ url: RemoteURL, of playlists: [PlaylistName]) -> Bool {
    playlists.contains { servers[$0.declared] == url.host || pages[$0.declared] == url }
  }
}
