// SPDX-License-Identifier: Apache-2.0

/// Decides from the results of a run's requests if the network is reachable at all.
///
/// If one server does not answer, that is the server's failure. A run is offline if nothing has answered and either
/// this machine has no way out, or several hosts were tried and no connection was possible.
package struct Reachability: Equatable, Sendable {
  /// The evidence that a request gives about the network.
  package enum Evidence: Hashable, Sendable {
    /// A server answered, even if only to refuse.
    case answered
    /// The name could not be resolved, or no connection was possible.
    case unreached
  }

  package private(set) var hasAnswer = false
  private var unreachedHosts: Set<String> = []

  package init() {}

  /// Records evidence. A host on this machine that does not answer says nothing about the network.
  package mutating func note(_ evidence: Evidence, host: String) {
    switch evidence {
    case .answered: hasAnswer = true
    case .unreached: if !Self.isLocal(host) { unreachedHosts.insert(host) }
    }
  }

  /// True if nothing was reached and there is no way out of this machine.
  /// - Parameter hasRoute: True if there is a way out of this machine. Nil if unknown.
  package func isOffline(hasRoute: Bool?) -> Bool {
    !hasAnswer && !unreachedHosts.isEmpty && hasRoute == false
  }

  /// True if the network, and not a single host, is to blame for requests that
  /// failed without a connection after all retries.
  package func isOfflineAfterRetries(hasRoute: Bool?) -> Bool {
    isOffline(hasRoute: hasRoute) || !hasAnswer && unreachedHosts.count > 1
  }

  /// True for `localhost` and similar names (RFC 6761 §6.3), and for loopback addresses.
  package static func isLocal(_ host: String) -> Bool {
    if HostLiteral.isOwnName(host) { return true }
    guard let address = IPAddress(host) else { return false }
    return loopback.contains { address.isIn($0, bits: $0.bytes.count == 4 ? 8 : 128) }
  }

  private static let loopback = ["127.0.0.0", "::1"].compactMap { IPAddress($0) }
}

extension Manifest {
  /// True if a run may have to contact a host other than this machine.
  package var needsNetwork: Bool {
    // The hosts in a local listing are known only after it is read.
    let isFetched =
      namedHosts.contains { !Reachability.isLocal($0) }
      || playlists.contains { $0.source.file != nil || $0.source.extraction != nil }
    return isFetched && !hasLocalProxy
  }

  /// True if a source of a playlist in `scope` is at a URL, or may name one that is. A nil scope holds all playlists.
  package func hasRemoteSource(in scope: Set<PlaylistName>?) -> Bool {
    playlists.contains {
      (scope?.includesAny(of: $0.name) ?? true)
        && ($0.source.url != nil || $0.source.listsPlaylists)
    }
  }

  /// True if a run can do at least part of its work without a network.
  package var namesLocalHost: Bool { namedHosts.contains(where: Reachability.isLocal) || hasLocalProxy }

  /// True if the proxy is on this machine. It may have a way out that no routing table shows.
  private var hasLocalProxy: Bool {
    if case .url(let proxy) = downloads.proxy { Reachability.isLocal(proxy.host) } else { false }
  }

  private var namedHosts: Set<String> {
    var hosts = Set(historyServers.map(\.server.url.host))
    var last: RemoteURL?
    for playlist in playlists {
      playlist.source.forEachURL { url in
        // The URLs of a list mostly have one host.
        if last?.hasHost(of: url) ?? false { return }
        last = url
        hosts.insert(url.host)
      }
    }
    return hosts
  }
}

extension ProxyEnvironment {
  /// True if a proxy is on this machine. It may have a way out that no routing table shows.
  package var namesLocalHost: Bool { all.contains { Reachability.isLocal($0.host) } }
}
