// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The linked version of libcurl.
package enum CurlVersion {
  /// For example `libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13`.
  package static let text: String = {
    CurlLibrary.prepare()
    return String(cString: curl_version())
  }()
}

/// libcurl's process-wide initialisation. Swift runs a static initialiser once, whichever thread comes first.
enum CurlLibrary {
  private static let initialised: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))

  /// - Returns: False if libcurl cannot be used.
  @discardableResult
  static func prepare() -> Bool { initialised == CURLE_OK }
}
