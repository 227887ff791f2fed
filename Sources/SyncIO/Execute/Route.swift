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
    if isFromSource, let address = refusal(of: request.url) {
      // What must not be reached is not asked of the proxy: the request is refused before a socket is opened.
      if !address.isEmpty { request.url = "http://\(address.contains(":") ? "[\(address)]" : address)/" }
      request.allowsAddress = { _ in false }
      return
    }
    request.proxy = .url(proxy.text)
  }

  /// Judged by what libcurl would send to the proxy, not by what the URL looks like. Empty for a URL that libcurl refuses.
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
