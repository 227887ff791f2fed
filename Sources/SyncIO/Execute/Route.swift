// SPDX-License-Identifier: Apache-2.0

import Curl
import Glibc
import SyncCore

/// Which way requests take: straight, or through which proxy, and what can be known of where they arrive.
struct Route: Sendable {
  private let policy: ProxyPolicy
  private let environment: ProxyEnvironment
  private let addresses: AddressPolicy

  init(_ policy: DownloadPolicy, environment: ProxyEnvironment) {
    self.policy = policy.proxy
    self.environment = environment
    addresses = policy.addresses
  }

  /// Sets the proxy of a request and, for a URL of a source, what its addresses are judged by.
  func lead(_ request: inout TransferRequest, to url: RemoteURL, isFromSource: Bool) {
    let (addresses, host) = (addresses, url.host)
    guard let proxy = proxy(for: url) else {
      if isFromSource { request.allowsAddress = { addresses.allows(host: host, address: $0.address) } }
      return
    }
    // What must not be reached is not asked of the proxy: straight on it is refused before a socket is opened.
    guard !isFromSource || addresses.allowsUnresolved(host: host) else {
      request.allowsAddress = { addresses.allows(host: host, address: $0.address) }
      return
    }
    request.proxy = .url(proxy.text)
  }

  /// Nil: straight to the host.
  func proxy(for url: RemoteURL) -> ProxyURL? {
    switch policy {
    case .none: nil
    case .environment: environment.proxy(for: url)
    case .url(let url): url
    }
  }
}

extension ProxyEnvironment {
  /// Of this process.
  static var current: ProxyEnvironment {
    let pairs = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
    return ProxyEnvironment(Dictionary(uniqueKeysWithValues: pairs))
  }
}
