// SPDX-License-Identifier: Apache-2.0

/// The proxies named in the environment, with curl's rules: `http_proxy` in lower case only, because a web server
/// passes a client's `Proxy:` header to its programs as `HTTP_PROXY`; the others in either case, lower case first.
package struct ProxyEnvironment: Equatable, Sendable {
  private let http: ProxyURL?
  private let https: ProxyURL?
  private let exceptions: [Substring]
  /// The relevant variables with an invalid proxy.
  /// With them, every request would fail with a message in libcurl's words.
  package let unusable: [String]

  package static let names = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]

  package init(_ variables: [String: String]) {
    func first(_ names: String...) -> String? { names.first { variables[$0].map { !$0.isEmpty } ?? false } }
    func proxy(_ name: String?) -> ProxyURL? { name.flatMap { variables[$0] }.flatMap(ProxyURL.init(environment:)) }
    let all = first("all_proxy", "ALL_PROXY")
    let (forHTTP, forHTTPS) = (first("http_proxy") ?? all, first("https_proxy", "HTTPS_PROXY") ?? all)
    http = proxy(forHTTP)
    https = proxy(forHTTPS)
    unusable = Set([forHTTP, forHTTPS].compactMap { $0 }.filter { proxy($0) == nil }).sorted()
    let except = first("no_proxy", "NO_PROXY").flatMap { variables[$0] } ?? ""
    exceptions = except.lowercased().split { $0 == "," || $0 == " " }
  }

  /// True if any request may go through a proxy.
  package var namesProxy: Bool { http != nil || https != nil }

  /// All proxies that requests may go through.
  var all: [ProxyURL] { [http, https].compactMap { $0 } }

  /// Nil for a direct connection.
  package func proxy(for url: RemoteURL) -> ProxyURL? {
    exceptions.contains { Self.excepts($0, url) } ? nil : url.scheme == .https ? https : http
  }

  /// An entry is `*`, a host including its subdomains, an address or an address range, each with an optional port.
  private static func excepts(_ entry: Substring, _ url: RemoteURL) -> Bool {
    if entry == "*" { return true }
    if let address = IPAddress(url.host), case .range(let base, let bits)? = PrivateGrant(unbracketed(entry)) {
      return address.isIn(base, bits: bits)
    }
    var name = entry.hasPrefix(".") ? entry.dropFirst() : entry
    if let colon = name.lastIndex(of: ":"), let port = decimal(name[name.index(after: colon)...]) {
      guard port == Int64(url.port) else { return false }
      name = name[..<colon]
    }
    let plain = unbracketed(name)
    return !plain.isEmpty && (url.host == plain || url.host.hasSuffix(".\(plain)"))
  }

  private static func unbracketed(_ text: Substring) -> String {
    text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
  }
}
