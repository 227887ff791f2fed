// SPDX-License-Identifier: Apache-2.0

/// The origins and hosts to which a playlist's credentials may be sent.
package struct CredentialScope: Hashable, Sendable {
  /// The origins of the URLs that the manifest wrote for the playlist. Empty if the manifest names hosts instead.
  private let origins: Set<RemoteURL.Origin>
  private let hosts: [ScopedHost]
  /// True if all URLs that the manifest wrote for the playlist use plain http.
  private let mayUseHTTP: Bool

  /// - Parameters:
  ///   - origins: The origins of the playlist's source or of its items' main URLs.
  ///   - hosts: `auth.scope`. If it names any hosts, they alone are the scope.
  package init(origins: Set<RemoteURL.Origin>, hosts: [ScopedHost] = []) {
    self.origins = hosts.isEmpty ? origins : []
    self.hosts = hosts
    mayUseHTTP = !origins.isEmpty && origins.allSatisfy { $0.scheme == .http }
  }

  /// Credentials written for https never go out over http.
  /// Credentials written for http may go to the same host over https.
  package func admits(_ url: RemoteURL) -> Bool {
    if origins.contains(url.origin) || url.isSecuredForm(of: origins) { return true }
    return hosts.contains { $0.admits(url, besideHTTP: mayUseHTTP) }
  }
}

/// One entry of `auth.scope`.
package enum ScopedHost: Hashable, Sendable {
  /// A nil port means any port.
  case host(String, port: Int?)
  /// An entry written with its scheme.
  case origin(RemoteURL.Origin)

  /// Reads `media.example.net`, `media.example.net:8443`, `[::1]:8443` and `https://media.example.net`.
  /// Returns nil for anything else.
  package init?(_ text: String) {
    do throws(RemoteURL.Problem) {
      let hasScheme = text.contains("://")
      let url = try RemoteURL(hasScheme ? text : "https://\(text)")
      guard url.path == "/", !url.hasQuery, !url.hasCredentials, !text.contains("#"), !text.hasSuffix(":") else {
        return nil
      }
      guard !hasScheme else {
        self = .origin(url.origin)
        return
      }
      guard !text.hasSuffix("/") else { return nil }
      self = .host(url.host, port: Self.hasPort(text) ? url.port : nil)
    } catch { return nil }
  }

  private static func hasPort(_ text: String) -> Bool {
    let behindBracket = text.lastIndex(of: "]").map { text[$0...] } ?? text[...]
    return behindBracket.contains(":")
  }

  func admits(_ url: RemoteURL, besideHTTP mayUseHTTP: Bool) -> Bool {
    switch self {
    case .origin(let origin): url.origin == origin
    case .host(let name, let port):
      url.host == name && (port.map { $0 == url.port } ?? true) && (url.scheme == .https || mayUseHTTP)
    }
  }

  package var text: String {
    switch self {
    case .host(let name, let port): Self.bracketed(name) + (port.map { ":\($0)" } ?? "")
    case .origin(let origin): "\(origin.scheme)://\(Self.bracketed(origin.host)):\(origin.port)"
    }
  }

  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}

extension RemoteURL {
  /// True if this URL is https at the host and port of one of these http origins.
  /// The default ports 80 and 443 count as equal.
  fileprivate func isSecuredForm(of origins: Set<Origin>) -> Bool {
    guard scheme == .https else { return false }
    return origins.contains(Origin(scheme: .http, host: host, port: port == 443 ? 80 : port))
  }
}
