// SPDX-License-Identifier: Apache-2.0

import CCurl

/// libcurl's easy handle with the memory that its options point to. Belongs to the loop's thread; reused, since a
/// fresh one costs an allocation of everything.
final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private let excessMark: UnsafeMutablePointer<Int32>
  private var fieldList: UnsafeMutablePointer<curl_slist>?

  init?() {
    guard let raw = curl_easy_init() else { return nil }
    self.raw = raw
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    excessMark = .allocate(capacity: 1)
    excessMark.initialize(to: 0)
  }

  deinit {
    curl_easy_cleanup(raw)
    curl_slist_free_all(fieldList)
    errorText.deallocate()
    excessMark.deallocate()
  }

  /// As large as pays on a fast connection; libcurl's own is 16 KiB.
  static let bufferSize = 512 << 10

  /// Back to libcurl's defaults; the multi handle keeps the connections.
  /// - Returns: whether the handle can serve another transfer. libcurl 7.88 leaves a handle its buffer when others still
  ///   use the connection of HTTP/2, or when a resolution failed, and then refuses the buffer's size the next time
  ///   (CURLE_BAD_FUNCTION_ARGUMENT).
  func reset() -> Bool {
    curl_easy_reset(raw)
    curl_slist_free_all(fieldList)
    fieldList = nil
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    excessMark.pointee = 0
    return ccurl_set_long(raw, CURLOPT_BUFFERSIZE, Self.bufferSize) == CURLE_OK
  }

  /// More bytes came than were announced, in one piece with the head.
  var sawExcess: Bool { excessMark.pointee != 0 }

  /// libcurl's words for what went wrong.
  func detail(of code: CURLcode) -> String {
    errorText.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
  }

  func watch() throws(TransferError) {
    try check(ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText))
    try check(ccurl_watch_excess(raw, excessMark))
  }

  func set(_ option: CURLoption, _ value: Int) throws(TransferError) { try check(ccurl_set_long(raw, option, value)) }

  func set(_ option: CURLoption, _ value: String) throws(TransferError) {
    try check(ccurl_set_string(raw, option, value))
  }

  func set(_ option: CURLoption, offset value: Int64) throws(TransferError) {
    try check(ccurl_set_offset(raw, option, curl_off_t(value)))
  }

  func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) throws(TransferError) {
    try check(ccurl_set_pointer(raw, option, pointer))
  }

  /// `CURLOPT_COPYPOSTFIELDS` takes as many bytes as `CURLOPT_POSTFIELDSIZE_LARGE` said before.
  func setBody(_ bytes: [UInt8]) throws(TransferError) {
    try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(bytes.count))
    // An empty array may have no address, and a null pointer would mean a read callback.
    let code = (bytes.isEmpty ? [0] : bytes).withUnsafeBytes {
      ccurl_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
    try check(code)
  }

  func setFields(_ lines: [String]) throws(TransferError) {
    for line in lines {
      guard let longer = curl_slist_append(fieldList, line) else { throw .outOfMemory }
      fieldList = longer
    }
    try check(ccurl_set_list(raw, CURLOPT_HTTPHEADER, fieldList))
  }

  /// Has libcurl open a connection of its own for the transfer.
  func avoidReuse() throws(TransferError) { try set(CURLOPT_FRESH_CONNECT, 1) }

  /// Has libcurl close the connection when the transfer ends. A refusal changes nothing: the next transfer looks at the
  /// connection before it uses it.
  func forbidReuse() { _ = ccurl_set_long(raw, CURLOPT_FORBID_REUSE, 1) }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    return ccurl_get_long(raw, info, &value) == CURLE_OK ? value : 0
  }

  /// One of libcurl's counts of bytes; zero for what did not happen.
  func count(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    return ccurl_get_offset(raw, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  /// One of libcurl's times in microseconds since the start; zero for what did not happen.
  func time(_ info: CURLINFO) -> Duration {
    var value: curl_off_t = 0
    return ccurl_get_offset(raw, info, &value) == CURLE_OK ? .microseconds(Int64(value)) : .zero
  }

  func check(_ code: CURLcode) throws(TransferError) {
    switch code {
    case CURLE_OK: return
    case CURLE_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .other(code: Int32(code.rawValue), detail: detail(of: code))
    }
  }
}
