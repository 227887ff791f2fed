// SPDX-License-Identifier: Apache-2.0

/// The rest of a partial, as it is asked for.
package struct RangeRequest: Hashable, Sendable {
  /// What shows that the rest belongs to what is on disk, strongest first.
  package enum Proof: Hashable, Sendable {
    /// `If-Range` with this one: the server itself compares.
    case validator(HTTPValidator)
    /// The declared checksum of the whole, once it is there.
    case checksum
    /// The last bytes on disk are asked for again and compared.
    case overlap(ByteCount)
  }

  /// What is on disk already: the first byte to be written.
  package var offset: ByteCount
  package var total: ByteCount?
  package var proof: Proof

  package init(offset: ByteCount, total: ByteCount?, proof: Proof) {
    self.offset = offset
    self.total = total
    self.proof = proof
  }

  /// The first byte that is asked for.
  package var first: ByteCount { offset - comparing }

  /// How many bytes before `offset` come again to be compared.
  package var comparing: ByteCount {
    if case .overlap(let length) = proof { length } else { .zero }
  }

  /// The value of `If-Range`, if there is one to send.
  package var condition: String? {
    if case .validator(let validator) = proof { validator.fieldValue } else { nil }
  }
}

extension PartialDownload {
  /// Where two answers of a server without validators are compared.
  package static let overlap = ByteCount(64 << 10)

  /// How the partial can be continued; nil when nothing would prove that old and new bytes are of one file.
  /// - Parameter hasChecksum: the manifest declares what the whole must be.
  package func continuation(hasChecksum: Bool) -> RangeRequest? {
    guard received > .zero, total.map({ received <= $0 }) ?? true else { return nil }
    let proof: RangeRequest.Proof
    switch validator {
    case .strongETag?, .lastModified?: proof = validator.map { .validator($0) } ?? .checksum
    case .weakETag? where !hasChecksum: return nil
    case _ where hasChecksum: proof = .checksum
    // Bytes that come again at the same place of a file of the same length.
    case _ where total != nil && received > Self.overlap: proof = .overlap(Self.overlap)
    default: return nil
    }
    return RangeRequest(offset: received, total: total, proof: proof)
  }
}
