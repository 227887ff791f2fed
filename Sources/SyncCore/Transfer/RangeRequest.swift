// SPDX-License-Identifier: Apache-2.0

/// The rest of a partial, as it is asked for.
///
/// A validator alone does not prove that the rest belongs to what is on disk: behind a redirect another resource may
/// answer with the same one. So the last bytes on disk come again and are compared, unless a checksum will tell.
package struct RangeRequest: Hashable, Sendable {
  /// What is on disk already: the first byte to be written.
  package var offset: ByteCount
  package var total: ByteCount?
  /// Goes with `If-Range`.
  package var condition: HTTPValidator?
  /// How many bytes before `offset` come again to be compared.
  package var comparing: ByteCount
  /// The first byte that is not asked for; nil: everything to the end.
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

  /// The first byte that is asked for.
  package var first: ByteCount { offset - comparing }

  /// How much the next request should compare, after the answer to this one broke off: a part of what it brought, so
  /// that answers as short as it get on.
  /// - Parameters:
  ///   - repeated: so much of what was only to be compared had come.
  ///   - received: so much is on disk now.
  package func overlap(afterRepeating repeated: ByteCount, received: ByteCount) -> ByteCount {
    min(comparing, ByteCount((repeated + (received - offset)).bytes / 2))
  }
}

extension PartialDownload {
  /// So much is compared at most.
  package static let overlap = ByteCount(64 << 10)

  /// Whatever comes, no later request can go on from it: nobody said how long the whole is, or by what it can be told.
  package func isUseless(hasChecksum: Bool) -> Bool {
    total == nil && validator?.fieldValue == nil && !hasChecksum
  }

  /// How the partial can be continued; nil when nothing would prove that old and new bytes are of one file.
  /// - Parameters:
  ///   - hasChecksum: the manifest declares what the whole must be.
  ///   - overlap: so much is compared at most where a validator stands for the rest.
  package func continuation(hasChecksum: Bool, overlap: ByteCount = Self.overlap) -> RangeRequest? {
    guard received > .zero, total.map({ received <= $0 }) ?? true else { return nil }
    let half = ByteCount(received.bytes / 2)
    switch validator {
    case .strongETag?, .lastModified?:
      return RangeRequest(
        offset: received, total: total, condition: validator, comparing: hasChecksum ? .zero : min(overlap, half))
    case _ where hasChecksum: return RangeRequest(offset: received, total: total, condition: nil)
    // Bytes that come again at the same place of a file of the same length.
    case nil where total != nil && received > Self.overlap:
      return RangeRequest(offset: received, total: total, condition: nil, comparing: Self.overlap)
    case .weakETag?, nil: return nil
    }
  }
}
