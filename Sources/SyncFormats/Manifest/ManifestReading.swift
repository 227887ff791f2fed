// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The result of reading a manifest.
package struct ManifestReading: Equatable, Sendable {
  /// Nil when any finding is an error.
  package let manifest: Manifest?
  /// All findings, in the order of their places.
  package let findings: [Finding]
}

/// The environment that a manifest may refer to.
package struct ManifestEnvironment: Sendable {
  /// The values for `${NAME}`.
  package var variables: [String: String]
  /// The directory for `~`; nil when it is not known.
  package var home: String?
  /// Variables whose values are not UTF-8.
  package var unreadable: Set<String>
  /// Returns true if this machine knows a time zone, as far as it can tell.
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
