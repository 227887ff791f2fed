// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The family of units in which sizes are shown to a person: the one that the manifest uses.
package enum SizeUnits: Sendable {
  /// `8.2 MiB`.
  case binary
  /// `8.6 MB`.
  case decimal

  /// The units for sentences that are made inside `withValue`; a sentence that is stored is made outside and uses
  /// `binary`.
  @TaskLocal package static var shown = SizeUnits.binary

  var step: Double { self == .binary ? 1024 : 1000 }

  var names: [String] {
    switch self {
    case .binary: ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    case .decimal: ["kB", "MB", "GB", "TB", "PB", "EB"]
    }
  }
}

extension Manifest {
  /// The family of the first size in the manifest: the budget, a playlist's budget, a limit.
  package var sizeUnits: SizeUnits {
    let defaults = Manifest.defaultSizes
    let written: [ByteCount?] =
      [storage.budget] + [storage.minFree, downloads.maxItemSize].filter { !defaults.contains($0) }
      + [downloads.maxTransfer]
    return written.compactMap(\.self).first.map { SizeText.isDecimal($0) ? .decimal : .binary } ?? .binary
  }

  private static var defaultSizes: [ByteCount] { [ByteCount(256 << 20), ByteCount(4 << 30)] }
}
