// SPDX-License-Identifier: Apache-2.0

package import SyncCore

/// The file of hosts that demand https, one a line: `media.example.net 2027-01-05T06:00:00Z subdomains`.
package enum HSTSFile {
  package static let maximumSize = ByteCount(4 << 20)

  package static func text(_ cache: HSTSCache) -> String {
    let lines = cache.entries.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.until.rfc3339)\($0.value.includesSubdomains ? " subdomains" : "")\n" }
    return "# Hosts that are asked over https only (RFC 6797), until when, and whether all below them are too.\n"
      + lines.joined()
  }

  /// An invalid line is skipped: the host repeats it with its next response.
  package static func cache(_ bytes: [UInt8]) -> HSTSCache {
    var entries: [String: HSTSCache.Entry] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard words.count == 2 || words.count == 3 && words[2] == "subdomains",
        let until = Timestamp(rfc3339: String(words[1]))
      else { continue }
      entries[String(words[0])] = HSTSCache.Entry(until: until, includesSubdomains: words.count == 3)
    }
    return HSTSCache(entries)
  }
}
