// SPDX-License-Identifier: Apache-2.0

/// What a server says of the bytes of a representation (RFC 9110 §8.8). A strong one proves that two responses are
/// bytes of one, and is the value for `If-Range`.
package enum HTTPValidator: Hashable, Sendable {
  /// The whole field value with its quotes, e.g. `"67-5e1"`.
  case strongETag(String)
  /// The field value of `Last-Modified` as it was sent. Strong only when it is at least a minute older than the `Date`
  /// of the response that carried it (RFC 9110 §8.8.2.2): checked where it is made.
  case lastModified(String)
  /// A weak or malformed `ETag`: the bytes may change without it. It proves nothing, and is kept for saying so.
  case weakETag(String)

  /// What to send with `If-Range`; nil for what proves nothing.
  package var fieldValue: String? {
    switch self {
    case .strongETag(let value), .lastModified(let value): value
    case .weakETag: nil
    }
  }

  /// Whatever an `ETag` field says, weak unless it is a strong one.
  package init(anyETag etag: String) { self = HTTPValidator(etag: etag) ?? .weakETag(etag) }

  /// A strong entity tag from an `ETag` field; nil for a weak (`W/`) or malformed one.
  package init?(etag: String) {
    guard etag.utf8.count >= 2, etag.hasPrefix("\""), etag.hasSuffix("\""),
      !etag.dropFirst().dropLast().contains("\""), !etag.hasControlCharacters
    else { return nil }
    self = .strongETag(etag)
  }
}
