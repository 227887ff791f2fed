// SPDX-License-Identifier: Apache-2.0

/// The bytes of an unfinished file that are present.
package struct DownloadedRanges: Hashable, Sendable {
  /// The bytes from the beginning without a gap.
  package var received: ByteCount
  /// Further pieces behind the first gap. Nil if the bytes arrived in order.
  package var extents: [Extent]?

  package init(received: ByteCount, extents: [Extent]? = nil) {
    self.received = received
    self.extents = extents
  }

  /// The number of all bytes present.
  package var size: ByteCount { received + (extents ?? []).map(\.length).sum() }
}

extension PartialDownload {
  /// The bytes on the disk.
  package var presence: DownloadedRanges {
    get { DownloadedRanges(received: received, extents: extents) }
    set { (received, extents) = (newValue.received, newValue.extents) }
  }

  /// The same partial, limited to the bytes that are known to be on the disk.
  package func counting(_ durable: DownloadedRanges) -> PartialDownload {
    var partial = self
    partial.received = min(received, durable.received)
    partial.extents = extents.map { _ in durable.extents ?? [] }
    return partial
  }
}
