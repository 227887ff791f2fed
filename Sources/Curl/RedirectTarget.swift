// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The target of a `Location` field relative to the requested URL (RFC 9110 §10.2.2), as libcurl resolves it.
enum RedirectTarget {
  /// - Parameter location: The value of the field in bytes, in the encoding of the server.
  /// - Returns: The absolute target, of any scheme, or nil if it cannot be resolved or lacks a host.
  static func resolve(_ location: [UInt8], against base: String) -> String? {
    let octets = URLOctets(location)
    guard !octets.lacksHost else { return nil }
    return resolve(octets.encoded, against: URLOctets(base.utf8).encoded)
  }

  private static func resolve(_ location: String, against base: String) -> String? {
    // The same document (RFC 3986 §4.4, §5.2.2), in libcurl's spelling like every other target. Compared by bytes,
    // because a combining accent after `#` would form one character with it.
    let (hash, bytes) = (UInt8(ascii: "#"), location.utf8)
    let isSameDocument = location.trimmingBlanks.isEmpty || bytes.first == hash
    let location = isSameDocument ? String(decoding: base.utf8.prefix { $0 != hash }, as: UTF8.self) : location
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_NON_SUPPORT_SCHEME)
    guard curl_url_set(url, CURLUPART_URL, base, flags) == CURLUE_OK,
      curl_url_set(url, CURLUPART_URL, location, flags) == CURLUE_OK
    else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
