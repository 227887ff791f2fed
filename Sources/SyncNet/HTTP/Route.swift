// SPDX-License-Identifier: Apache-2.0

import Curl
import Glibc
package import SyncCore

/// The way that requests take: direct or through which proxy, and what can be known about the address that they reach.
struct Route: Sendable {
  private let policy: ProxyPolicy
  private let environment: ProxyEnvironment
  private let addresses: AddressPolicy

  init(_ policy: DownloadPolicy, environment: ProxyEnvironment) {
    self.policy = policy.proxy
    self.environment = environment
    addresses = policy.addresses
  }

  /// Sets the proxy of a request and, for a URL of a source, the check of its addresses.
  func lead(_ request: inout TransferRequest, to url: RemoteURL, isFromSource: Bool) {
    let (addresses, host) = (addresses, url.host)
    guard let proxy = proxy(for: url) else {
      if isFromSource { request.allowsAddress = { addresses.allows(host: host, address: $0.address) } }
      return
    }
    if isFromSource, let address = refusal(of: request.url) {
      // The proxy is not asked for an address that must not be reached: the request is refused before a socket is
      // opened.
      if !address.isEmpty { request.url = "http://\(address.contains(":") ? "[\(address)]" : address)/" }
      request.allowsAddress = { _ in false }
      return
    }
    request.proxy = .url(proxy.text)
  }

  /// The address that must not be reached. Judged by what libcurl would send to the proxy, not by how the URL looks;
  /// empty for a URL that libcurl refuses.
  private func refusal(of url: String) -> String? {
    guard let host = URLHost.read(url) else { return "" }
    return addresses.refusal(ofUnresolved: host)
  }

  var mayUseProxy: Bool {
    switch policy {
    case .none: false
    case .environment: environment.namesProxy
    case .url: true
    }
  }

  /// The proxy for `url`; nil for a direct connection.
  func proxy(for url: RemoteURL) -> ProxyURL? {
    switch policy {
    case .none: nil
    case .environment: environment.proxy(for: url)
    case .url(let url): url
    }
  }
}

extension ProxyEnvironment {
  /// The proxy environment of this process.
  package static var current: ProxyEnvironment {
    let pairs = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
    return ProxyEnvironment(Dictionary(uniqueKeysWithValues: pairs))
  }
}
