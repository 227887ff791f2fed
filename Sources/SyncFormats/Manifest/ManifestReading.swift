// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// What reading a manifest came to.
package struct ManifestReading: Equatable, Sendable {
  /// Nil when any finding is an error.
  package let manifest: Manifest?
  /// All of them, in the order of their places.
  package let findings: [Finding]
}

/// What a manifest may refer to without naming it.
package struct ManifestEnvironment: Sendable {
  /// For `${NAME}`.
  package var variables: [String: String]
  /// For `~`; nil when it is not known.
  package var home: String?
  /// Variables that are set to bytes that are not UTF-8.
  package var unreadable: Set<String>
  /// Whether this machine knows a time zone, as far as it can tell.
  package var knows: @Sendable (ZoneName) -> Bool

  package init(
    variables: [String: String] = [:], home: String? = nil, unreadable: Set<String> = [],
    knows: @escaping @Sendable (ZoneName) -> Bool = { _ in true }
  ) {
    self.variables = variables
    self.home = home
    self.unreadable = unreadable
    self.knows = knows
  }
}
