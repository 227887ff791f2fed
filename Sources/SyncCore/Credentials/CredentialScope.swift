// SPDX-License-Identifier: Apache-2.0

/// To whom a playlist's credentials may go.
package struct CredentialScope: Hashable, Sendable {
  /// Of the URLs that the manifest wrote for the playlist; empty where it names hosts instead.
  private let origins: Set<RemoteURL.Origin>
  private let hosts: [ScopedHost]
  /// The manifest wrote plain http, and nothing else, for the playlist.
  private let mayUseHTTP: Bool

  /// - Parameters:
  ///   - origins: of the playlist's source or of its items' main URLs.
  ///   - hosts: `auth.scope`. If it names any, they and nothing else are the scope.
  package init(origins: Set<RemoteURL.Origin>, hosts: [ScopedHost] = []) {
    self.origins = hosts.isEmpty ? origins : []
    self.hosts = hosts
    mayUseHTTP = !origins.isEmpty && origins.allSatisfy { $0.scheme == .http }
  }

  /// What was written for https never goes out over http; what was written for http may go to the same host over https.
  package func admits(_ url: RemoteURL) -> Bool {
    if origins.contains(url.origin) || url.isSecuredForm(of: origins) { return true }
    return hosts.contains { $0.admits(url, besideHTTP: mayUseHTTP) }
  }
}

/// One entry of `auth.scope`.
package enum ScopedHost: Hashable, Sendable {
  /// Nil: any port.
  case host(String, port: Int?)
  /// Written with its scheme.
  case origin(RemoteURL.Origin)

  /// Reads `media.example.net`, `media.example.net:8443`, `[::1]:8443` and `https://media.example.net`; nil for anything else.
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
  /// Whether it is https at the host and port of one of these http origins; their default ports stand for each other.
  fileprivate func isSecuredForm(of origins: Set<Origin>) -> Bool {
    guard scheme == .https else { return false }
    return origins.contains(Origin(scheme: .http, host: host, port: port == 443 ? 80 : port))
  }
}
