// SPDX-License-Identifier: Apache-2.0

/// The tags that fetched files get.
package struct TagPolicy: Equatable, Sendable {
  /// The fields that are written into a file.
  package enum Mode: String, CaseIterable, Sendable {
    case off
    /// Those that the file lacks.
    case fill
    /// All that are known. Those of the file give way.
    case overwrite
  }

  package var mode = Mode.off
  package init() {}

  /// True if files are changed before they are published.
  package var isOn: Bool { mode != .off }
}
