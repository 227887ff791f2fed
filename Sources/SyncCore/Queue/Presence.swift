// SPDX-License-Identifier: Apache-2.0

/// Which bytes of an unfinished file are here.
package struct Presence: Hashable, Sendable {
  /// From the beginning on, without a gap.
  package var received: ByteCount
  /// Behind that; nil when the bytes came one after the other.
  package var extents: [Extent]?

  package init(received: ByteCount, extents: [Extent]? = nil) {
    self.received = received
    self.extents = extents
  }

  package init(_ segments: Segments) { self.init(received: segments.received, extents: segments.extents) }

  /// How much is here in all.
  package var size: ByteCount { received + (extents ?? []).map(\.length).sum() }
}

extension PartialDownload {
  /// What is on the disk.
  package var presence: Presence {
    get { Presence(received: received, extents: extents) }
    set { (received, extents) = (newValue.received, newValue.extents) }
  }

  /// The same, with no more of it than is known to be on the disk.
  package func counting(_ durable: Presence) -> PartialDownload {
    var partial = self
    partial.received = min(received, durable.received)
    partial.extents = extents.map { _ in durable.extents ?? [] }
    return partial
  }
}
