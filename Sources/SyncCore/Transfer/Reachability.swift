// SPDX-License-Identifier: Apache-2.0

/// Whether anything at all can be reached, judged by what became of a run's requests.
///
/// One server that does not answer is that server's failure. A run is offline when nothing has answered and either there
/// is no way out of this machine, or several hosts were tried and none could even be connected to.
package struct Reachability: Equatable, Sendable {
  /// What a request says about the network.
  package enum Evidence: Hashable, Sendable {
    /// Somebody answered, if only to refuse.
    case answered
    /// The name could not be resolved, or no connection could be made.
    case unreached
  }

  package private(set) var hasAnswer = false
  private var unreachedHosts: Set<String> = []

  package init() {}

  /// A host on this machine that does not answer says nothing about the network.
  package mutating func note(_ evidence: Evidence, host: String) {
    switch evidence {
    case .answered: hasAnswer = true
    case .unreached: if !Self.isLocal(host) { unreachedHosts.insert(host) }
    }
  }

  /// Nothing was reached, and there is no way to reach anything.
  /// - Parameter hasRoute: there is a way out of this machine; nil when that cannot be known.
  package func isOffline(hasRoute: Bool?) -> Bool {
    !hasAnswer && !unreachedHosts.isEmpty && hasRoute == false
  }

  /// Requests were given up for want of a connection: is it the network's fault and not a host's?
  package func isOfflineAfterRetries(hasRoute: Bool?) -> Bool {
    isOffline(hasRoute: hasRoute) || !hasAnswer && unreachedHosts.count > 1
  }

  /// `localhost` and its like (RFC 6761 §6.3), and loopback addresses.
  package static func isLocal(_ host: String) -> Bool {
    if HostLiteral.isOwnName(host) { return true }
    guard let address = IPAddress(host) else { return false }
    return loopback.contains { address.isIn($0, bits: $0.bytes.count == 4 ? 8 : 128) }
  }

  private static let loopback = ["127.0.0.0", "::1"].compactMap { IPAddress($0) }
}

extension Manifest {
  /// Whether a run on it may ask a host beyond this machine.
  package var needsNetwork: Bool {
    // What the episodes of a feed in a file name is known only when it was read.
    let isFetched = namedHosts.contains { !Reachability.isLocal($0) } || playlists.contains(where: \.isFeedFile)
    return isFetched && !hasLocalProxy
  }

  /// Whether a run on it can go on without any network, at least in part.
  package var namesLocalHost: Bool { namedHosts.contains(where: Reachability.isLocal) || hasLocalProxy }

  /// It may have a way out that no table of routes knows of.
  private var hasLocalProxy: Bool {
    if case .url(let proxy) = downloads.proxy { Reachability.isLocal(proxy.host) } else { false }
  }

  private var namedHosts: Set<String> {
    var hosts: Set<String> = []
    for playlist in playlists {
      switch playlist.source {
      case .items(let items):
        for item in items { hosts.formUnion(([item.main] + item.alternatives).map(\.url.host)) }
      case .feed(let feed): if case .remote(let url) = feed.location { hosts.insert(url.host) }
      }
    }
    return hosts
  }
}

extension Playlist {
  fileprivate var isFeedFile: Bool {
    guard case .feed(let feed) = source, case .file = feed.location else { return false }
    return true
  }
}
