// SPDX-License-Identifier: Apache-2.0
import YAML

/// The declarations to which other parts of a manifest refer, found before anything is read: one with a mistake in it is
/// declared all the same, and its mistake is reported once.
struct Declarations {
  /// The names of the servers.
  private(set) var servers: [String] = []
  /// True if the servers cannot be read at all, so that any may be declared.
  private(set) var hasUnreadableServers = false
  /// True if items without a URL are searched for.
  private(set) var hasSearch = false

  init() {}

  init(_ root: YAMLNode) {
    for section in root.pairs {
      switch section.key {
      case "servers",
        _ where Self.isMeant(section.key, "servers"):
        servers += section.value.pairs.map(\.key)
        if case .mapping = section.value.content { continue }
        hasUnreadableServers = hasUnreadableServers || !section.value.isNothing
      case "alternatives",
        _ where Self.isMeant(section.key, "alternatives"):
        hasSearch = section.value.pairs.contains {
          ($0.key == "search" || Self.isMeant($0.key, "search")) && !$0.value.holds("none")
        }
      default: break
      }
    }
  }

  private static func isMeant(_ key: String, _ name: String) -> Bool { NearestName.of(key, among: [name]) != nil }
}

extension YAMLNode {
  fileprivate var pairs: [YAMLPair] {
    if case .mapping(let pairs) = content { pairs } else { [] }
  }
}
