// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The host of a URL as libcurl reads it.
package enum URLHost {
  /// The host: decoded, in lower case, with non-ASCII names in the form that is looked up (so full-width digits are
  /// plain digits) and IPv6 addresses without brackets. Nil if libcurl refuses the URL.
  package static func read(_ url: String) -> String? {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    let flags = UInt32(CURLU_URLDECODE) | UInt32(CURLU_PUNYCODE)
    guard curl_url_get(parts, CURLUPART_HOST, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    let host = String(cString: text).lowercased()
    return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  }
}
