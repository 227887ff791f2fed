// SPDX-License-Identifier: Apache-2.0

/// What proves that two responses are bytes of one representation (RFC 9110 §8.8): the value for `If-Range`.
package enum HTTPValidator: Hashable, Sendable {
  /// The whole field value with its quotes, e.g. `"67-5e1"`.
  case strongETag(String)
  /// The field value of `Last-Modified` as it was sent. Strong only when it is at least a minute older than the `Date`
  /// of the response that carried it (RFC 9110 §8.8.2.2): checked where it is made.
  case lastModified(String)

  /// The value to send.
  package var fieldValue: String {
    switch self {
    case .strongETag(let value), .lastModified(let value): value
    }
  }

  /// A strong entity tag from an `ETag` field; nil for a weak (`W/`) or malformed one.
  package init?(etag: String) {
    guard etag.utf8.count >= 2, etag.hasPrefix("\""), etag.hasSuffix("\""),
      !etag.dropFirst().dropLast().contains("\""), !etag.hasControlCharacters
    else { return nil }
    self = .strongETag(etag)
  }
}
