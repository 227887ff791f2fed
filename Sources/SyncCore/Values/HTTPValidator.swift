// SPDX-License-Identifier: Apache-2.0

/// A validator of a representation (RFC 9110 §8.8). A strong one proves that two responses contain bytes of the same
/// representation, and is the value for `If-Range`.
package enum HTTPValidator: Hashable, Sendable {
  /// The whole field value with its quotes, for example `"67-5e1"`.
  case strongETag(String)
  /// The field value of `Last-Modified` as sent. It is strong only if it is at least a minute older than the `Date` of
  /// its response (RFC 9110 §8.8.2.2), which is checked where it is created.
  case lastModified(String)
  /// A weak or malformed `ETag`: the bytes may change while it stays the same.
  /// It proves nothing and is kept as a sign of that.
  case weakETag(String)

  /// The value for `If-Range`. Nil if the validator proves nothing.
  package var fieldValue: String? {
    switch self {
    case .strongETag(let value), .lastModified(let value): value
    case .weakETag: nil
    }
  }

  /// Creates a validator from any `ETag` field: weak unless the tag is strong.
  package init(anyETag etag: String) { self = HTTPValidator(etag: etag) ?? .weakETag(etag) }

  /// Creates a strong entity tag from an `ETag` field. Returns nil for a weak (`W/`) or malformed one.
  package init?(etag: String) {
    guard etag.utf8.count >= 2, etag.hasPrefix("\""), etag.hasSuffix("\""),
      !etag.dropFirst().dropLast().contains("\""), !etag.hasControlCharacters
    else { return nil }
    self = .strongETag(etag)
  }
}
