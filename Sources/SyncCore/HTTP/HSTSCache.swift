// SPDX-License-Identifier: Apache-2.0

/// The hosts that require https (HTTP Strict Transport Security, RFC 6797).
package struct HSTSCache: Equatable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var until: Timestamp
    package var includesSubdomains: Bool
    package init(until: Timestamp, includesSubdomains: Bool) {
      self.until = until
      self.includesSubdomains = includesSubdomains
    }
  }

  /// By host name.
  package private(set) var entries: [String: Entry]
  /// True if there is a change worth saving.
  package private(set) var isChanged = false

  /// The longest time for which an entry is kept, whatever the server says.
  private static let longest = Duration.days(3650)
  private static let maximumEntries = 10_000

  package init(_ entries: [String: Entry] = [:]) { self.entries = entries }

  /// Processes the `Strict-Transport-Security` field of an https response. A field from any other response is ignored.
  package mutating func note(_ field: String, from url: RemoteURL, at now: Timestamp) {
    guard url.scheme == .https, IPAddress(url.host) == nil, let directives = Directives(field) else { return }
    guard directives.maxAge > 0 else {
      if entries.removeValue(forKey: url.host) != nil { isChanged = true }
      return
    }
    let age = min(.seconds(directives.maxAge), Self.longest)
    let entry = Entry(until: now + age, includesSubdomains: directives.includesSubdomains)
    guard entries[url.host].map({ !entry.saysTheSame(as: $0) }) ?? (entries.count < Self.maximumEntries) else { return }
    entries[url.host] = entry
    isChanged = true
  }

  /// The same URL over https if its host or a parent domain requires it (RFC 6797 §8.3), otherwise the URL itself.
  package func upgraded(_ url: RemoteURL, at now: Timestamp) -> RemoteURL {
    guard url.scheme == .http, IPAddress(url.host) == nil, isKnown(url.host, at: now) else { return url }
    return url.secured
  }

  private func isKnown(_ host: String, at now: Timestamp) -> Bool {
    var name = host[...]
    while true {
      if let entry = entries[String(name)], now < entry.until, entry.includesSubdomains || name == host[...] {
        return true
      }
      guard let dot = name.firstIndex(of: ".") else { return false }
      name = name[name.index(after: dot)...]
    }
  }

  /// Removes expired entries.
  package mutating func prune(at now: Timestamp) { entries = entries.filter { now < $0.value.until } }
}

extension HSTSCache.Entry {
  /// True if the entries are equal or differ by less than a day in their end, so that a later end is saved once a day
  /// and not with every response.
  fileprivate func saysTheSame(as other: Self) -> Bool {
    includesSubdomains == other.includesSubdomains
      && abs(until.secondsSince1970 - other.until.secondsSince1970) < 86_400
  }
}

/// The directives of the field (RFC 6797 §6.1): `max-age` is required, no
/// directive may occur twice, unknown ones are ignored.
private struct Directives {
  var maxAge: Int64
  var includesSubdomains = false

  init?(_ field: String) {
    var known: Set<String> = []
    var maxAge: Int64?
    for directive in field.split(separator: ";") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      guard let name = parts.first?.lowercased(), !name.isEmpty else { continue }
      guard known.insert(name).inserted else { return nil }
      if name == "max-age" {
        guard parts.count == 2, let seconds = Self.seconds(parts[1].unquoted) else { return nil }
        maxAge = seconds
      }
      if name == "includesubdomains" { includesSubdomains = true }
    }
    guard let maxAge else { return nil }
    self.maxAge = maxAge
  }

  /// A number too large for Int64 means forever.
  private static func seconds(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text) ?? .max
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var text = drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }

  fileprivate var unquoted: Substring {
    count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? dropFirst().dropLast() : self
  }
}

extension RemoteURL {
  /// The same URL over https. Port 80 becomes 443; any other port stays.
  fileprivate var secured: RemoteURL {
    let whole = requestText
    let authority = whole.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" }
    let rest = whole.dropFirst("http://".count + authority.count)
    let isDefault = port == 80 && authority.hasSuffix(":80")
    do throws(Problem) {
      return try RemoteURL("https://" + (isDefault ? authority.dropLast(3) : authority) + rest)
    } catch { return self }
  }
}
