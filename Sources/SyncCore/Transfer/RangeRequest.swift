// SPDX-License-Identifier: Apache-2.0

/// A request for the rest of a partial.
///
/// A validator alone does not prove that the rest belongs to the bytes on disk, because another resource behind a
/// redirect may have the same one. The last bytes on disk are therefore requested again and compared, unless a checksum
/// will decide.
package struct RangeRequest: Hashable, Sendable {
  /// The number of bytes on disk, and so the position of the first byte to write.
  package var offset: ByteCount
  package var total: ByteCount?
  /// Sent in `If-Range`.
  package var condition: HTTPValidator?
  /// The number of bytes before `offset` that are requested again for comparison.
  package var comparing: ByteCount
  /// The position after the last requested byte. Nil for everything up to the end.
  package var end: ByteCount?

  package init(
    offset: ByteCount, total: ByteCount?, condition: HTTPValidator?, comparing: ByteCount = .zero, end: ByteCount? = nil
  ) {
    self.end = end
    self.offset = offset
    self.total = total
    self.condition = condition
    self.comparing = comparing
  }

  /// The position of the first requested byte.
  package var first: ByteCount { offset - comparing }

  /// The overlap for the next request after the response to this one broke off. It is a part of what the response
  /// brought, so that even responses as short as this one make progress.
  /// - Parameters:
  ///   - repeated: The number of overlap bytes received.
  ///   - received: The number of bytes on disk now.
  package func overlap(afterRepeating repeated: ByteCount, received: ByteCount) -> ByteCount {
    min(comparing, ByteCount((repeated + (received - offset)).bytes / 2))
  }
}

extension PartialDownload {
  /// The largest overlap.
  package static let overlap = ByteCount(64 << 10)

  /// True if no later request can continue the partial, because neither the
  /// total length nor any proof of identity is known.
  package func isUseless(hasChecksum: Bool) -> Bool {
    total == nil && validator?.fieldValue == nil && !hasChecksum
  }

  /// Returns a request that continues the partial, or nil if nothing would prove
  /// that old and new bytes belong to the same file.
  /// - Parameters:
  ///   - hasChecksum: True if the manifest declares a checksum of the whole file.
  ///   - overlap: The largest overlap if a validator vouches for the rest.
  package func continuation(hasChecksum: Bool, overlap: ByteCount = Self.overlap) -> RangeRequest? {
    guard received > .zero, total.map({ received <= $0 }) ?? true else { return nil }
    let half = ByteCount(received.bytes / 2)
    switch validator {
    case .strongETag?, .lastModified?:
      return RangeRequest(
        offset: received, total: total, condition: validator, comparing: hasChecksum ? .zero : min(overlap, half))
    case _ where hasChecksum: return RangeRequest(offset: received, total: total, condition: nil)
    // Without a validator, the same bytes at the same place of a file of the same length are the proof.
    case nil where total != nil && received > Self.overlap:
      return RangeRequest(offset: received, total: total, condition: nil, comparing: Self.overlap)
    case .weakETag?, nil: return nil
    }
  }
}
